#include "tools/tally/event_json.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ledger/base/encoding.h"
#include "tools/tally/message_json.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

const FieldDescriptor* KindOf(const v1::EventBody& body) {
  return v1::EventBody::GetReflection()->GetOneofFieldDescriptor(
      body, v1::EventBody::descriptor()->FindOneofByName("body"));
}

const Message* BodyOf(const v1::EventBody& body) {
  const FieldDescriptor* kind = KindOf(body);
  return kind == nullptr ? nullptr : &v1::EventBody::GetReflection()->GetMessage(body, kind);
}

// Documents are evidence, not text: what can't be shown exactly is not shown.
json::Value DocumentJson(const v1::RawDocument& document) {
  if (document.content().empty() || !IsValidUtf8(document.content())) return {};
  return json::Text(document.content());
}

void AddReading(const v1::SettleReading& reading, std::vector<std::string>& words) {
  words.push_back(WordOf(reading.outcome()));
  words.push_back(reading.reason());
  words.push_back(reading.chain_tx());
}

std::vector<std::string> WordsOfAnswer(const v1::ResponseDelivered& answer) {
  std::vector<std::string> words;
  if (answer.is_content_served()) words.emplace_back("content");
  if (answer.is_rpc_error()) words.emplace_back("JSON-RPC error");
  if (answer.is_error()) words.emplace_back("error");
  if (answer.payable_doors_size() > 0) {
    words.push_back(absl::StrCat("payable through ", absl::StrJoin(answer.payable_doors(), ", ")));
  }
  if (answer.has_receipt()) words.push_back("receipt " + WordOf(answer.receipt().outcome()));
  words.push_back(answer.error_text());
  return words;
}

// Silent where the observer can't tell.
std::string PhaseWord(v1::SettlementPhase phase) {
  return phase == v1::SETTLEMENT_PHASE_UNKNOWN ? "" : WordOf(phase);
}

std::string ClosesWord(std::int64_t version) {
  return version == 0 ? "closes what was on file" : absl::StrCat("closes version ", version);
}

std::vector<std::string> WordsOfBody(const v1::EventBody& body) {
  std::vector<std::string> words;
  if (body.has_challenge_issued()) {
    words = {body.challenge_issued().resource().tool(), body.challenge_issued().error_text()};
  } else if (body.has_payment_presented()) {
    words = {body.payment_presented().resource().tool(),
             body.payment_presented().unreadable_reason()};
  } else if (body.has_verification_completed()) {
    words = {WordOf(body.verification_completed().outcome()),
             body.verification_completed().reason()};
  } else if (body.has_preflight_resolved()) {
    words = {WordOf(body.preflight_resolved().outcome())};
  } else if (body.has_execution_claimed()) {
    words = {"execution " + body.execution_claimed().execution_id()};
  } else if (body.has_execution_started()) {
    words = {body.execution_started().resource().tool()};
  } else if (body.has_execution_finished()) {
    words = {WordOf(body.execution_finished().outcome())};
  } else if (body.has_settlement_requested()) {
    words = {PhaseWord(body.settlement_requested().phase()),
             "exchange " + body.settlement_requested().exchange()};
  } else if (body.has_settlement_answered()) {
    AddReading(body.settlement_answered().reading(), words);
    words.push_back(body.settlement_answered().transport_error());
  } else if (body.has_chain_observed()) {
    words = {WordOf(body.chain_observed().fact()), WordOf(body.chain_observed().finality()),
             body.chain_observed().chain_tx()};
  } else if (body.has_response_delivered()) {
    words = WordsOfAnswer(body.response_delivered());
  } else if (body.has_task_status_observed()) {
    words = {body.task_status_observed().status()};
  } else if (body.has_remedy_requested()) {
    words = {WordOf(body.remedy_requested().remedy())};
  } else if (body.has_settlement_resolved()) {
    words = {WordOf(body.settlement_resolved().resolution()), body.settlement_resolved().reason(),
             ClosesWord(body.settlement_resolved().closes_version())};
  }
  return words;
}

}  // namespace

std::string EventType(const v1::Event& event) {
  const FieldDescriptor* kind = KindOf(event.body());
  return kind == nullptr ? "" : kind->message_type()->name();
}

std::string SubjectText(const v1::Subject& subject) {
  if (subject.has_call()) return CallText(subject.call());
  if (!subject.settlement_id().empty()) return subject.settlement_id();
  return subject.challenge_id().empty() ? subject.slot() : subject.challenge_id();
}

json::Object EventJson(const v1::RecordedEvent& recorded, bool is_raw) {
  const v1::Event& event = recorded.event();
  json::Object object;
  json::Put(object, "position", json::Value::Integer(recorded.position()));
  json::Put(object, "version", json::Value::Integer(recorded.version()));
  json::Put(object, "time", TimeOrNull(event.has_occurred_time(), event.occurred_time()));
  json::Put(object, "recordedTime",
            TimeOrNull(recorded.has_recorded_time(), recorded.recorded_time()));
  json::Put(object, "type", TextOrNull(EventType(event)));
  json::Put(object, "subject", TextOrNull(SubjectText(event.subject())));
  json::Put(object, "eventId", TextOrNull(event.event_id()));
  json::Put(object, "source", TextOrNull(WordOf(event.source())));
  json::Put(object, "recorder", TextOrNull(event.recorder()));
  const Message* body = BodyOf(event.body());
  json::Put(object, "body", body == nullptr ? json::Value() : json::Value(Fields(*body)));
  json::Put(object, "documentSha256", TextOrNull(event.document().sha256()));
  if (is_raw) json::Put(object, "document", DocumentJson(event.document()));
  return object;
}

std::string EventWords(const v1::Event& event) {
  std::vector<std::string> words = WordsOfBody(event.body());
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return absl::StrJoin(words, ", ");
}

}  // namespace tally::cli
