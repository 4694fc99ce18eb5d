#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"
#include "ledger/observation/mcp_batch.h"
#include "ledger/x402/mcp.h"

namespace tally::observation {
namespace {

struct Frame {
  const Observation& observation;
  const McpFrame& frame;
  const json::Document& document;
  Calls& calls;
};

std::string BoundedRequestId(const std::string& request_id) {
  return request_id.size() <= kIdBytesMax ? request_id
                                          : absl::StrCat("\"", BoundedId(request_id), "\"");
}

// V1 payloads name no asset: it is in the offer they were made for. One with the same payee and
// amount is taken first.
std::optional<x402::Requirements> MatchedOffer(const json::Value& payment,
                                               const std::vector<x402::Requirements>& offers) {
  const std::string* scheme = payment.FindString("scheme");
  const std::string* network = payment.FindString("network");
  if (scheme == nullptr || network == nullptr) return std::nullopt;
  const absl::StatusOr<Network> chain = Network::ParseOrAlias(*network);
  if (!chain.ok()) return std::nullopt;
  const json::Value* value = payment.Find({"payload", "authorization", "value"});
  const x402::Requirements* best = nullptr;
  for (const x402::Requirements& offer : offers) {
    if (offer.scheme != *scheme || offer.network != chain->text()) continue;
    const bool is_amount_equal =
        value != nullptr && value->string() != nullptr && *value->string() == offer.amount;
    if (best == nullptr || is_amount_equal) best = &offer;
    if (is_amount_equal) break;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

absl::StatusOr<x402::Payment> ReadPaymentOf(const Frame& in, const x402::ToolCall& call,
                                            const Resource& resource) {
  const json::Value* version = call.payment->Find("x402Version");
  const bool is_v1 = version != nullptr && version->number() != nullptr &&
                     version->number()->AsInteger() == std::optional<std::int64_t>(1);
  if (!is_v1) return x402::ReadPayment(*call.payment);
  return x402::ReadPayment(
      *call.payment,
      MatchedOffer(*call.payment, in.calls.FindOffers(in.observation.session, resource)));
}

std::vector<std::string> DuplicateKeys(const Frame& in, const x402::ToolCall& call) {
  constexpr std::size_t kKeysMax = 20;
  std::vector<std::string> keys;
  for (const auto* list : {&in.document.duplicate_keys, &call.duplicate_keys}) {
    for (const std::string& key : *list) {
      if (keys.size() < kKeysMax) keys.push_back(Cut(key, kIdBytesMax));
    }
  }
  return keys;
}

void Remember(const Frame& in, RememberedCall call) {
  const std::string request_id = call.call.request_id;
  in.calls.RememberCall(in.frame.direction, request_id, std::move(call));
}

absl::StatusOr<Reading> ReadCall(const Frame& in) {
  const x402::ToolCall call = x402::ReadToolCall(in.document.value);
  RememberedCall remembered;
  remembered.call = {in.observation.session, BoundedRequestId(call.request_id)};
  remembered.resource = {in.frame.endpoint, BoundedId(call.tool)};
  remembered.arguments_sha256 = call.arguments_sha256;
  remembered.time = in.observation.time;
  if (!call.has_payment()) {
    Remember(in, std::move(remembered));
    return Skipped(kRemembered);
  }
  settlement::PaymentPresented body;
  body.call = remembered.call;
  body.resource = remembered.resource;
  body.arguments_sha256 = call.arguments_sha256;
  body.duplicate_keys = DuplicateKeys(in, call);
  body.is_payment_in_arguments = call.has_payment_in_arguments;
  settlement::Subject subject = settlement::SubjectOf(remembered.call);
  if (call.payment.has_value()) {
    const absl::StatusOr<x402::Payment> payment = ReadPaymentOf(in, call, remembered.resource);
    if (payment.ok()) {
      subject = settlement::SubjectOf(payment->id);
      FillFrom(*payment, body);
    } else {
      body.unreadable_reason = WhyUnreadable(payment.status());
    }
  } else {
    body.unreadable_reason = Cut(call.payment_error, 1024);
  }
  remembered.paid_under = subject;
  Remember(in, std::move(remembered));
  Reading out;
  out.events.push_back(
      EventOf(in.observation, std::move(subject), std::move(body), &in.frame.message));
  return out;
}

// A ledger that sees no id on the wire derives one, for itself.
ChallengeId DerivedId(const Frame& in, const RememberedCall& call,
                      const x402::PaymentRequired& challenge) {
  std::string text = absl::StrCat("tallystick-challenge/1\n", challenge.version, "\n",
                                  challenge.error.size(), ":", challenge.error, "\n",
                                  challenge.resource_url.size(), ":", challenge.resource_url, "\n");
  for (const x402::Requirements& entry : challenge.accepts) {
    absl::StrAppend(&text, entry.digest, "\n");
  }
  for (const absl::string_view part :
       {absl::string_view(call.resource.endpoint), absl::string_view(call.resource.tool),
        absl::string_view(call.arguments_sha256), absl::string_view(call.call.session),
        absl::string_view(call.call.request_id)}) {
    absl::StrAppend(&text, part.size(), ":", part, "\n");
  }
  absl::StrAppend(&text, absl::ToUnixMicros(in.observation.time));
  return ChallengeId::FromBytes(crypto::Sha256(text));
}

Reading ReadChallenge(const Frame& in, const RememberedCall& call,
                      const x402::PaymentRequired& challenge) {
  settlement::ChallengeIssued body;
  body.call = call.call;
  body.resource = call.resource;
  body.resource_url = Cut(challenge.resource_url, 2048);
  body.arguments_sha256 = call.arguments_sha256;
  const absl::StatusOr<ChallengeId> minted = ChallengeId::Parse(challenge.challenge_id);
  body.is_id_minted = minted.ok();
  const ChallengeId id = minted.ok() ? *minted : DerivedId(in, call, challenge);
  body.purchase_id = challenge.purchase_id.empty() ? absl::StrCat("pur_", id.text().substr(4))
                                                   : challenge.purchase_id;
  for (const x402::Requirements& entry : challenge.accepts) {
    if (body.offers.size() < kOffersMax) body.offers.push_back(OfferOf(entry));
  }
  body.error_text = Cut(challenge.error, 256);
  body.x402_version = challenge.version;
  std::vector<x402::Requirements> offers = challenge.accepts;
  if (offers.size() > kOffersMax) offers.resize(kOffersMax);
  in.calls.RememberOffers(in.observation.session, call.resource, std::move(offers));
  Reading out;
  out.events.push_back(
      EventOf(in.observation, settlement::SubjectOf(id), std::move(body), &in.frame.message));
  return out;
}

Reading ReadDelivery(const Frame& in, const RememberedCall& call, const x402::ToolAnswer& answer) {
  settlement::ResponseDelivered body;
  body.call = call.call;
  body.resource = call.resource;
  body.is_rpc_error = answer.is_rpc_error;
  body.is_error = answer.is_error;
  body.is_content_served = answer.has_content && !answer.is_error && !answer.is_rpc_error;
  if (answer.receipt.has_value()) body.receipt = ReadingOf(*answer.receipt);
  for (const x402::Door door : answer.payable_doors) {
    body.payable_doors.emplace_back(x402::NameOf(door));
  }
  body.doors_disagree = answer.doors_disagree;
  body.error_text = Cut(answer.error_text, 256);
  body.task_id = BoundedId(answer.task_id);
  Reading out;
  out.events.push_back(
      EventOf(in.observation, *call.paid_under, std::move(body), &in.frame.message));
  return out;
}

absl::StatusOr<Reading> ReadAnswer(const Frame& in) {
  TALLY_ASSIGN_OR_RETURN(const x402::ToolAnswer answer, x402::ReadToolAnswer(in.document.value));
  TALLY_ASSIGN_OR_RETURN(
      const std::optional<RememberedCall> call,
      in.calls.FindCall(in.observation.session, Opposite(in.frame.direction),
                        BoundedRequestId(answer.request_id), in.observation.time));
  if (!call.has_value()) return Skipped(kRequestNotSeen);
  if (!call->is_tool_call) return Skipped(kNotAboutPayments);
  if (!answer.task_id.empty()) {
    in.calls.RememberTask(in.observation.session, BoundedId(answer.task_id), *call);
  }
  if (call->paid_under.has_value()) return ReadDelivery(in, *call, answer);
  if (!answer.challenge.has_value()) return Skipped(kNoPayment);
  return ReadChallenge(in, *call, *answer.challenge);
}

// Requests of other methods are remembered so that their answers are known to be of no interest;
// `tasks/result` stands for the call that began the task (MCP 2025-11-25, tasks).
absl::StatusOr<Reading> ReadOther(const Frame& in) {
  const std::string* method = in.document.value.FindString("method");
  if (method == nullptr) return Skipped(kNotAboutPayments);
  const std::string* task_id = nullptr;
  const std::string* status = nullptr;
  if (const json::Value* params = in.document.value.Find("params"); params != nullptr) {
    task_id = params->FindString("taskId");
    status = params->FindString("status");
  }
  const json::Value* id = in.document.value.Find("id");
  if (id == nullptr) {
    const bool is_status = *method == "notifications/tasks/status";
    if (!is_status || task_id == nullptr || status == nullptr) return Skipped(kNotAboutPayments);
    return ReadTaskMark(in.observation,
                        TaskMark{"", BoundedId(*task_id), Cut(*status, 64), std::nullopt},
                        in.calls);
  }
  TALLY_ASSIGN_OR_RETURN(const std::string request_id, ReadRequestId(json::Write(*id), "id"));
  RememberedCall remembered;
  remembered.is_tool_call = false;
  remembered.call = {in.observation.session, request_id};
  remembered.time = in.observation.time;
  if (*method == "tasks/result" && task_id != nullptr) {
    const auto task = in.calls.FindTask(in.observation.session, BoundedId(*task_id));
    if (task.has_value()) remembered = *task;
  }
  in.calls.RememberCall(in.frame.direction, request_id, std::move(remembered));
  return Skipped(kNotAboutPayments);
}

absl::StatusOr<Reading> ReadOne(const Observation& observation, const McpFrame& frame,
                                const json::Document& document, Calls& calls) {
  const Frame in{observation, frame, document, calls};
  switch (x402::KindOf(document.value)) {
    case x402::FrameKind::kToolCall:
      return ReadCall(in);
    case x402::FrameKind::kAnswer:
      return ReadAnswer(in);
    case x402::FrameKind::kOther:
      return ReadOther(in);
  }
  return Skipped(kNotAboutPayments);
}

absl::StatusOr<Reading> ReadMember(const Observation& observation, const McpFrame& frame,
                                   Calls& calls) {
  TALLY_ASSIGN_OR_RETURN(const json::Document document, ParseField("message", frame.message));
  return ReadOne(observation, frame, document, calls);
}

}  // namespace

absl::StatusOr<Reading> ReadMcpFrame(const Observation& observation, const McpFrame& frame,
                                     Calls& calls) {
  TALLY_ASSIGN_OR_RETURN(const json::Document document, ParseField("message", frame.message));
  if (document.value.array() == nullptr) return ReadOne(observation, frame, document, calls);
  return ReadBatch(observation, frame, [&calls](const Observation& own, const McpFrame& member) {
    return ReadMember(own, member, calls);
  });
}

}  // namespace tally::observation
