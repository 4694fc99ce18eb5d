#include "tests/ledger/service/fixture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/service/transcript_reader.h"

namespace tally::service {
namespace {

const CallContext kTester{"tester"};

template <typename Response>
Done<Response> Into(absl::StatusOr<Response>& out) {
  return [&out](absl::StatusOr<Response> response) { out = std::move(response); };
}

void Count(const v1::ObserveResponse& response, Services::Imported& out) {
  for (const v1::ObservationResult& result : response.results()) {
    if (result.has_rejected()) out.faults.push_back(result.rejected().message());
    if (IsRequestNotSeen(result)) out.faults.push_back(result.skipped().reason());
    if (result.has_skipped()) ++out.skipped;
    for (const v1::Receipt& receipt : result.recorded().receipts()) {
      ++(receipt.is_replayed() ? out.replayed : out.recorded);
    }
  }
}

std::string Unprefixed(const std::string& name, absl::string_view prefix) {
  return name.substr(prefix.size());
}

}  // namespace

void Services::Create(const std::string& name, v1::LedgerRole role) {
  v1::CreateLedgerRequest request;
  request.set_name(name);
  request.set_role(role);
  ASSERT_TRUE(admin.CreateLedger(request).ok());
}

absl::StatusOr<v1::ObserveResponse> Services::Observe(v1::ObserveRequest request) {
  absl::StatusOr<v1::ObserveResponse> out;
  ledgers.Observe(kTester, std::move(request), Into(out));
  return out;
}

absl::StatusOr<v1::RecordEventsResponse> Services::Record(const v1::RecordEventsRequest& request) {
  absl::StatusOr<v1::RecordEventsResponse> out;
  ledgers.RecordEvents(kTester, request, Into(out));
  return out;
}

absl::StatusOr<v1::ClaimExecutionResponse> Services::Claim(
    const v1::ClaimExecutionRequest& request) {
  absl::StatusOr<v1::ClaimExecutionResponse> out;
  ledgers.ClaimExecution(kTester, request, Into(out));
  return out;
}

absl::StatusOr<v1::Settlement> Services::Get(const std::string& ledger, const std::string& any,
                                             std::optional<absl::Time> as_of) {
  v1::GetSettlementRequest request;
  request.set_ledger(ledger);
  request.mutable_key()->set_any(any);
  request.set_include_timeline(true);
  if (as_of.has_value()) protocol::ToProto(*as_of, request.mutable_as_of());
  absl::StatusOr<v1::GetSettlementResponse> response = settlements.GetSettlement(request);
  if (!response.ok()) return response.status();
  return response->settlement();
}

std::vector<v1::Settlement> Services::List(v1::ListSettlementsRequest request) {
  std::vector<v1::Settlement> out;
  for (int pages = 0; pages < 1000; ++pages) {
    const auto response = settlements.ListSettlements(request);
    EXPECT_TRUE(response.ok()) << response.status();
    if (!response.ok()) return out;
    out.insert(out.end(), response->settlements().begin(), response->settlements().end());
    if (response->next_page_token().empty()) return out;
    request.set_page_token(response->next_page_token());
  }
  ADD_FAILURE() << "the list has no end";
  return out;
}

std::int64_t Services::LastPosition(const std::string& ledger) {
  v1::GetLedgerRequest request;
  request.set_name(ledger);
  return admin.GetLedger(request)->ledger().last_position();
}

Services::Imported Services::Import(const std::string& ledger,
                                    const std::vector<std::string>& lines, bool is_one_by_one) {
  Imported out;
  TranscriptReader reader;
  v1::ObserveRequest request;
  request.set_ledger(ledger);
  request.set_source(v1::SOURCE_KIND_IMPORT);
  const auto send = [&] {
    if (request.observations().empty()) return;
    const auto response = Observe(request);
    EXPECT_TRUE(response.ok()) << response.status();
    if (response.ok()) Count(*response, out);
    request.clear_observations();
  };
  for (const std::string& line : lines) {
    auto read = reader.Read(line);
    if (!read.ok()) {
      out.faults.emplace_back(read.status().message());
      continue;
    }
    auto* observation = std::get_if<v1::Observation>(&*read);
    if (observation == nullptr) continue;
    out.last_time = *protocol::FromProto("observed_time", observation->observed_time());
    *request.add_observations() = std::move(*observation);
    if (is_one_by_one) send();
  }
  send();
  return out;
}

std::string ReadTestFile(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(absl::StrCat(TALLY_SOURCE_DIR, "/tests/testdata/", name)).rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

std::vector<std::string> ReadTestLines(const std::string& name) {
  return absl::StrSplit(ReadTestFile(name), '\n', absl::SkipEmpty());
}

absl::Time TimeOf(absl::string_view text) {
  const absl::StatusOr<absl::Time> time = ParseTime(text);
  EXPECT_TRUE(time.ok()) << text;
  return time.ok() ? *time : absl::Time();
}

std::string LabelOf(const v1::Settlement& settlement) {
  return Unprefixed(v1::Label_Name(settlement.label()), "LABEL_");
}

std::string LivenessOf(const v1::Settlement& settlement) {
  return Unprefixed(v1::LivenessState_Name(settlement.axes().liveness().value()),
                    "LIVENESS_STATE_");
}

std::string AnomaliesOf(const v1::Settlement& settlement) {
  std::string out;
  for (const int anomaly : settlement.anomalies()) {
    if (!out.empty()) out += " ";
    out += Unprefixed(v1::Anomaly_Name(static_cast<v1::Anomaly>(anomaly)), "ANOMALY_");
  }
  return out;
}

std::string AdviceOf(v1::Advice advice) { return Unprefixed(v1::Advice_Name(advice), "ADVICE_"); }

}  // namespace tally::service
