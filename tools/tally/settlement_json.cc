#include "tools/tally/settlement_json.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/tally/event_json.h"
#include "tools/tally/message_json.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

namespace {

json::Value AnchorJson(const v1::Anchor& anchor) {
  json::Object object;
  json::Put(object, "kind", TextOrNull(WordOf(anchor.word())));
  json::Put(object, "position",
            anchor.position() == 0 ? json::Value() : json::Value::Integer(anchor.position()));
  json::Put(object, "time", TimeOrNull(anchor.has_time(), anchor.time()));
  return json::Value(std::move(object));
}

void PutAxis(json::Object& axes, absl::string_view name, const std::string& value,
             const v1::Anchor& anchor) {
  json::Object axis;
  json::Put(axis, "value", TextOrNull(value));
  json::Put(axis, "anchor", AnchorJson(anchor));
  json::Put(axes, name, json::Value(std::move(axis)));
}

json::Value AxesJson(const v1::Settlement& settlement) {
  const v1::Axes& from = settlement.axes();
  json::Object axes;
  PutAxis(axes, "presentation", WordOf(from.presentation().value()), from.presentation().anchor());
  PutAxis(axes, "execution", WordOf(from.execution().value()), from.execution().anchor());
  PutAxis(axes, "settlement", WordOf(from.settlement().value()), from.settlement().anchor());
  PutAxis(axes, "liveness", LivenessWord(settlement), from.liveness().anchor());
  PutAxis(axes, "delivery", WordOf(from.delivery().value()), from.delivery().anchor());
  return json::Value(std::move(axes));
}

json::Value TextsJson(const google::protobuf::RepeatedPtrField<std::string>& texts) {
  json::Array array;
  for (const std::string& text : texts) array.push_back(json::Text(text));
  return json::Value(std::move(array));
}

// As eth_getLogs takes it, with the names of the events beside it.
json::Value LogsJson(const v1::ChainLookup& lookup) {
  if (!lookup.has_logs()) return {};
  json::Object object;
  json::Put(object, "address", TextOrNull(lookup.logs().contract()));
  json::Put(object, "events", TextsJson(lookup.logs().events()));
  json::Array topics;
  for (const v1::LogTopic& topic : lookup.logs().topics())
    topics.push_back(TextsJson(topic.any_of()));
  json::Put(object, "topics", json::Value(std::move(topics)));
  return json::Value(std::move(object));
}

json::Value LookupJson(const v1::Settlement& settlement) {
  if (!settlement.has_chain_lookup()) return {};
  const v1::ChainLookup& lookup = settlement.chain_lookup();
  json::Object object;
  json::Put(object, "network", TextOrNull(lookup.network()));
  json::Put(object, "contract", TextOrNull(lookup.contract()));
  json::Put(object, "method", TextOrNull(lookup.method()));
  json::Put(object, "arguments", TextsJson(lookup.arguments()));
  json::Put(object, "bit", lookup.has_bit() ? json::Value::Integer(lookup.bit()) : json::Value());
  json::Put(object, "logs", LogsJson(lookup));
  json::Put(object, "after", TimeOrNull(lookup.has_after(), lookup.after()));
  return json::Value(std::move(object));
}

json::Value PairJson(absl::string_view first_key, const std::string& first,
                     absl::string_view second_key, const std::string& second) {
  json::Object object;
  json::Put(object, first_key, TextOrNull(first));
  json::Put(object, second_key, TextOrNull(second));
  return json::Value(std::move(object));
}

}  // namespace

std::string LivenessWord(const v1::Settlement& settlement) {
  const v1::PresentationState presented = settlement.axes().presentation().value();
  if (presented == v1::PRESENTATION_STATE_NONE || presented == v1::PRESENTATION_STATE_CHALLENGED ||
      presented == v1::PRESENTATION_STATE_UNSPECIFIED) {
    return "";
  }
  return WordOf(settlement.axes().liveness().value());
}

std::string AnomalyWords(const v1::Settlement& settlement, const char* separator) {
  std::string words;
  for (const int anomaly : settlement.anomalies()) {
    absl::StrAppend(&words, words.empty() ? "" : separator,
                    WordOf(static_cast<v1::Anomaly>(anomaly)));
  }
  return words;
}

json::Object SummaryJson(const v1::Settlement& settlement) {
  json::Object object;
  json::Put(object, "settlementId", TextOrNull(settlement.settlement_id()));
  json::Put(object, "challengeId", TextOrNull(settlement.challenge_id()));
  json::Put(object, "purchaseId", TextOrNull(settlement.purchase_id()));
  json::Put(object, "label", TextOrNull(WordOf(settlement.label())));
  json::Put(object, "liveness", TextOrNull(LivenessWord(settlement)));
  json::Put(object, "advice",
            PairJson("seller", WordOf(settlement.seller_advice()), "buyer",
                     WordOf(settlement.buyer_advice())));
  json::Put(object, "mayPayAgain", json::Value(settlement.may_pay_again()));
  json::Put(object, "mayCallAgain", json::Value(settlement.may_call_again()));
  json::Array anomalies;
  for (const int anomaly : settlement.anomalies()) {
    anomalies.push_back(json::Text(WordOf(static_cast<v1::Anomaly>(anomaly))));
  }
  json::Put(object, "anomalies", json::Value(std::move(anomalies)));
  json::Put(
      object, "resource",
      PairJson("endpoint", settlement.resource().endpoint(), "tool", settlement.resource().tool()));
  json::Put(object, "amount", TextOrNull(settlement.amount()));
  json::Put(object, "asset", TextOrNull(settlement.asset()));
  json::Put(object, "network", TextOrNull(settlement.network()));
  json::Put(object, "payer", TextOrNull(settlement.payer()));
  json::Put(object, "payTo", TextOrNull(settlement.pay_to()));
  json::Put(object, "chainTx", TextOrNull(settlement.chain_tx()));
  json::Put(object, "call", TextOrNull(CallText(settlement.subject().call())));
  return object;
}

json::Object DetailJson(const v1::Settlement& settlement, bool is_raw) {
  json::Object object = SummaryJson(settlement);
  json::Put(object, "reason", TextOrNull(settlement.reason()));
  json::Put(object, "retryAfter",
            TimeOrNull(settlement.has_retry_after(), settlement.retry_after()));
  json::Put(object, "decidableAt",
            TimeOrNull(settlement.has_decidable_at(), settlement.decidable_at()));
  json::Put(object, "exposedUntil",
            TimeOrNull(settlement.has_exposed_until(), settlement.exposed_until()));
  json::Put(object, "chainLookup", LookupJson(settlement));
  json::Put(object, "version", json::Value::Integer(settlement.version()));
  json::Put(object, "axes", AxesJson(settlement));
  json::Array timeline;
  for (const v1::RecordedEvent& event : settlement.timeline()) {
    timeline.emplace_back(EventJson(event, is_raw));
  }
  json::Put(object, "timeline", json::Value(std::move(timeline)));
  return object;
}

std::vector<std::string> SummaryColumns() {
  return {"settlementId", "challengeId", "purchaseId",  "label",        "liveness",
          "sellerAdvice", "buyerAdvice", "mayPayAgain", "mayCallAgain", "anomalies",
          "endpoint",     "tool",        "amount",      "asset",        "network",
          "payer",        "payTo",       "chainTx",     "call"};
}

std::vector<std::string> SummaryCells(const v1::Settlement& settlement) {
  const auto yes = [](bool value) { return std::string(value ? "true" : "false"); };
  return {settlement.settlement_id(),
          settlement.challenge_id(),
          settlement.purchase_id(),
          WordOf(settlement.label()),
          LivenessWord(settlement),
          WordOf(settlement.seller_advice()),
          WordOf(settlement.buyer_advice()),
          yes(settlement.may_pay_again()),
          yes(settlement.may_call_again()),
          AnomalyWords(settlement, " "),
          settlement.resource().endpoint(),
          settlement.resource().tool(),
          settlement.amount(),
          settlement.asset(),
          settlement.network(),
          settlement.payer(),
          settlement.pay_to(),
          settlement.chain_tx(),
          CallText(settlement.subject().call())};
}

}  // namespace tally::cli
