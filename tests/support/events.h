// Events for tests: payment `n` is a settlement of payer `n` in slot `n`, for the tool `square`,
// unless said otherwise. Times are seconds after At(0).
#pragma once

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ledger/settlement/event.h"

namespace tally::support {

inline constexpr char kNetwork[] = "eip155:8453";
inline constexpr char kAsset[] = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
inline constexpr char kPayTo[] = "0x209693bc6afc0c5328ba36faf03c514ef312287c";

inline absl::Time At(int second) { return absl::FromUnixSeconds(1'800'000'000 + second); }
inline std::string PayerOf(int n) { return absl::StrFormat("0x%040x", n); }
inline settlement::Subject Payment(int n) {
  return {settlement::SubjectKind::kSettlement, absl::StrFormat("sha256:%064x", n)};
}
inline settlement::Subject Challenge(int n) {
  return {settlement::SubjectKind::kChallenge, absl::StrFormat("chl_%026d", n)};
}
inline std::string SlotText(int n) {
  return absl::StrCat("eip3009|", kNetwork, "|", kAsset, "|", PayerOf(n), "|",
                      absl::StrFormat("0x%064x", n));
}

inline settlement::Event MakeEvent(const std::string& id, settlement::Subject subject, int second,
                                   settlement::Body body) {
  settlement::Event event;
  event.event_id = id;
  event.subject = std::move(subject);
  event.occurred_time = At(second);
  event.recorder = "test";
  event.observes = {true, true, true, false, false};
  event.body = std::move(body);
  return event;
}

inline settlement::Offer MakeOffer() {
  settlement::Offer offer;
  offer.scheme = "exact";
  offer.network = kNetwork;
  offer.asset = kAsset;
  offer.pay_to = kPayTo;
  offer.amount = "10000";
  offer.max_timeout_seconds = 60;
  offer.digest = std::string(64, 'd');
  return offer;
}

inline settlement::Terms MakeTerms(int slot) {
  settlement::Terms terms;
  terms.recipe = "x402-payment-fingerprint/0";
  terms.slot = SlotText(slot);
  terms.scheme = "exact";
  terms.network = kNetwork;
  terms.asset = kAsset;
  terms.payer = PayerOf(slot);
  terms.pay_to = kPayTo;
  terms.amount = "10000";
  terms.valid_after = At(-600);
  terms.valid_before = At(600);
  terms.nonce = absl::StrFormat("0x%064x", slot);
  terms.payload_digest = std::string(64, 'a');
  return terms;
}

inline CallId MakeCall(int request, const std::string& session = "session") {
  return {session, absl::StrCat(request)};
}
inline Resource MakeTool(const std::string& tool = "square") {
  return {"https://tools.example/mcp", tool};
}

inline settlement::Event Challenged(const std::string& id, int challenge, int second,
                                    const std::string& session = "session",
                                    const std::string& tool = "square") {
  settlement::ChallengeIssued body;
  body.call = MakeCall(challenge * 10, session);
  body.resource = MakeTool(tool);
  body.arguments_sha256 = std::string(64, 'b');
  body.purchase_id = absl::StrCat("purchase-", challenge);
  body.offers = {MakeOffer()};
  return MakeEvent(id, Challenge(challenge), second, std::move(body));
}

// Payment `n`, in slot `slot`; `echo` is the number of the challenge it echoes, 0 for none.
inline settlement::Event Presented(const std::string& id, int n, int slot, int second, int echo = 0,
                                   const std::string& session = "session",
                                   const std::string& tool = "square") {
  settlement::PaymentPresented body;
  body.call = MakeCall(n * 10 + 1, session);
  body.resource = MakeTool(tool);
  body.arguments_sha256 = std::string(64, 'b');
  body.terms = MakeTerms(slot);
  body.accepted = MakeOffer();
  if (echo != 0) body.challenge_id = Challenge(echo).key;
  return MakeEvent(id, Payment(n), second, std::move(body));
}
inline settlement::Event Presented(const std::string& id, int n, int second) {
  return Presented(id, n, n, second);
}

inline settlement::Event Verified(const std::string& id, int n, int slot, int second) {
  settlement::VerificationCompleted body;
  body.session = "facilitator";
  body.exchange = "verify " + id;
  body.payload_digest = std::string(64, 'a');
  body.terms = MakeTerms(slot);
  body.outcome = settlement::VerificationOutcome::kValid;
  return MakeEvent(id, Payment(n), second, std::move(body));
}

inline settlement::Event Started(const std::string& id, int n, int second) {
  settlement::ExecutionStarted body;
  body.call = MakeCall(n * 10 + 1);
  body.execution_id = absl::StrCat("execution-", n);
  body.resource = MakeTool();
  return MakeEvent(id, Payment(n), second, std::move(body));
}

inline settlement::Event Settled(const std::string& id, int n, int slot, int second) {
  settlement::SettlementAnswered body;
  body.session = "facilitator";
  body.exchange = "settle " + id;
  body.payload_digest = std::string(64, 'a');
  body.terms = MakeTerms(slot);
  body.reading.outcome = settlement::SettleOutcome::kSettled;
  body.reading.chain_tx = absl::StrFormat("0x%064x", 1000 + n);
  body.reading.network = kNetwork;
  return MakeEvent(id, Payment(n), second, std::move(body));
}

// A chain fact that names the slot only.
inline settlement::Event SlotUsed(const std::string& id, int slot, int second) {
  settlement::ChainObserved body;
  body.fact = settlement::ChainFact::kUsed;
  body.finality = settlement::Finality::kFinalised;
  body.network = kNetwork;
  body.asset = kAsset;
  body.from = PayerOf(slot);
  body.nonce = absl::StrFormat("0x%064x", slot);
  body.slot = SlotText(slot);
  body.chain_tx = absl::StrFormat("0x%064x", 2000 + slot);
  body.block = 1;
  body.block_hash = absl::StrFormat("0x%064x", 1);
  body.block_time = At(second);
  return MakeEvent(id, settlement::SlotSubject(SlotText(slot)), second, std::move(body));
}

}  // namespace tally::support
