#include "tools/tally/crash_load.h"

#include <random>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/client/client.h"

namespace tally::cli {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(30);
constexpr int kEventsMax = 8;
constexpr int kClaimsEvery = 4;  // batches
constexpr char kPrefix[] = "selftest_";

// Of a batch: `part` tells its settlements apart.
std::string SettlementOf(BatchName name, int part) {
  return absl::StrFormat("sha256:%016x%032x%016x", name.writer, name.number, part);
}

void SetCall(BatchName name, int part, v1::CallId* call) {
  call->set_session(absl::StrCat("session-", name.writer));
  call->set_request_id(absl::StrCat(name.number * 10 + part));
}

void SetResource(v1::Resource* resource) {
  resource->set_endpoint("https://selftest.example/mcp");
  resource->set_tool("square");
}

void SetBody(BatchName name, int part, int index, std::mt19937_64& random, v1::EventBody* body) {
  const std::string execution_id = absl::StrCat("run-", name.writer, "-", name.number, "-", part);
  switch (index % 4) {
    case 0: {
      v1::ExecutionStarted* started = body->mutable_execution_started();
      SetCall(name, part, started->mutable_call());
      SetResource(started->mutable_resource());
      started->set_execution_id(execution_id);
      return;
    }
    case 1: {
      v1::ExecutionFinished* finished = body->mutable_execution_finished();
      SetCall(name, part, finished->mutable_call());
      SetResource(finished->mutable_resource());
      finished->set_execution_id(execution_id);
      finished->set_outcome(v1::EXECUTION_OUTCOME_SUCCEEDED);
      return;
    }
    case 2: {
      v1::ResponseDelivered* delivered = body->mutable_response_delivered();
      SetCall(name, part, delivered->mutable_call());
      SetResource(delivered->mutable_resource());
      delivered->set_is_content_served(true);
      return;
    }
    default:
      // More than a page now and then, so that it goes on in others.
      body->mutable_payment_released()->set_reason(
          std::string(1 + random() % 9000, static_cast<char>('a' + random() % 26)));
  }
}

bool IsOutcomeUnknown(const absl::Status& status) {
  const std::optional<Reason> reason = ReasonOf(status);
  return reason == Reason::kServerUnreachable || reason == Reason::kDeadlineExceeded;
}

}  // namespace

v1::RecordEventsRequest BatchOf(std::uint64_t seed, BatchName name) {
  std::mt19937_64 random(seed ^ (static_cast<std::uint64_t>(name.writer) << 48U) ^
                         static_cast<std::uint64_t>(name.number));
  v1::RecordEventsRequest request;
  request.set_ledger(kCrashLedger);
  const int events = 1 + static_cast<int>(random() % kEventsMax);
  for (int index = 0; index < events; ++index) {
    const int part = index / 3;
    v1::Event* event = request.add_events();
    event->set_event_id(absl::StrCat(kPrefix, name.writer, "_", name.number, "_", index));
    event->mutable_subject()->set_settlement_id(SettlementOf(name, part));
    event->mutable_occurred_time()->set_seconds(1'800'000'000 + name.number);
    event->set_source(v1::SOURCE_KIND_API);
    event->mutable_observes()->set_execution(true);
    SetBody(name, part, index, random, event->mutable_body());
  }
  return request;
}

std::optional<v1::ClaimExecutionRequest> ClaimOf(BatchName name) {
  if (name.number % kClaimsEvery != 0) return std::nullopt;
  v1::ClaimExecutionRequest request;
  request.set_ledger(kCrashLedger);
  request.set_request_id(absl::StrCat(kPrefix, name.writer, "_", name.number));
  request.set_settlement_id(SettlementOf(name, kEventsMax));
  SetResource(request.mutable_resource());
  request.set_arguments_sha256(std::string(64, 'a'));
  return request;
}

std::optional<EventName> ParseEventId(absl::string_view event_id) {
  if (!absl::ConsumePrefix(&event_id, kPrefix)) return std::nullopt;
  const std::vector<std::string> parts = absl::StrSplit(event_id, '_');
  EventName name;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[0], &name.batch.writer) ||
      !absl::SimpleAtoi(parts[1], &name.batch.number) || !absl::SimpleAtoi(parts[2], &name.index)) {
    return std::nullopt;
  }
  return name;
}

absl::Status CrashWriter::WriteUntilGone(const std::string& address,
                                         const std::function<void()>& on_batch) {
  client::Client client(address);
  while (true) {
    bool is_replayed = false;
    const absl::Status sent = Send(client, &is_replayed);
    if (!sent.ok()) return IsOutcomeUnknown(sent) ? absl::OkStatus() : sent;
    on_batch();
  }
}

absl::Status CrashWriter::AskAgain(client::Client& client) {
  bool is_replayed = false;
  TALLY_RETURN_IF_ERROR(Send(client, &is_replayed));
  ++asked_again_;
  if (is_replayed) ++replayed_;
  return absl::OkStatus();
}

absl::Status CrashWriter::Send(client::Client& client, bool* is_replayed) {
  TALLY_RETURN_IF_ERROR(SendBatch(client, is_replayed));
  TALLY_RETURN_IF_ERROR(SendClaim(client));
  ++next_;
  return absl::OkStatus();
}

absl::Status CrashWriter::SendBatch(client::Client& client, bool* is_replayed) {
  const v1::RecordEventsRequest request = BatchOf(seed_, {number_, next_});
  TALLY_ASSIGN_OR_RETURN(const v1::RecordEventsResponse response,
                         client.RecordEvents(request, kPatience));
  if (response.receipts_size() != request.events_size()) {
    return Error(Reason::kInternal, absl::StrCat(request.events_size(), " events were sent, ",
                                                 response.receipts_size(), " acknowledged"));
  }
  *is_replayed = response.receipts(0).is_replayed();
  for (const v1::Receipt& receipt : response.receipts()) {
    if (receipt.is_replayed() == *is_replayed) continue;
    return Error(Reason::kInternal,
                 absl::StrCat("half of a batch is on file: ", receipt.event_id()));
  }
  positions_[next_] = response.receipts(0).position();
  return absl::OkStatus();
}

absl::Status CrashWriter::SendClaim(client::Client& client) {
  const std::optional<v1::ClaimExecutionRequest> request = ClaimOf({number_, next_});
  if (!request.has_value()) return absl::OkStatus();
  TALLY_ASSIGN_OR_RETURN(const v1::ClaimExecutionResponse response,
                         client.ClaimExecution(*request, kPatience));
  if (!response.has_granted()) {
    return Error(Reason::kInternal, absl::StrCat("the claim ", request->request_id(),
                                                 " was refused: ", response.refused().reason()));
  }
  executions_[next_] = response.granted().execution_id();
  return absl::OkStatus();
}

}  // namespace tally::cli
