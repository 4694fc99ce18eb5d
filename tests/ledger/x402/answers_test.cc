#include <gmock/gmock.h>

#include "ledger/base/encoding.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/fields.h"
#include "tests/ledger/x402/documents.h"

namespace tally::x402 {
namespace {

using ::testing::ElementsAreArray;

constexpr char kHash[] = "0x5e775e775e775e775e775e775e775e775e775e775e775e775e775e775e775e77";

absl::string_view NameOf(SettleOutcome outcome) {
  switch (outcome) {
    case SettleOutcome::kSettled:
      return "settled";
    case SettleOutcome::kFailed:
      return "failed";
    case SettleOutcome::kUnresolved:
      return "unresolved";
  }
  return "";
}

TEST(SettleAnswerTest, PublishedReadingsAgree) {
  const json::Value file = LoadJson("settlement-response-readings.json");
  for (const json::Value& row : Items(file)) {
    SCOPED_TRACE(TextAt(row, "name"));
    std::vector<std::string> expected_checks;
    for (const json::Value& check : Items(At(row, "expect_failed"))) {
      expected_checks.push_back(Seen(&check));
    }
    const SettleAnswer header = ReadSettleHeader(TextAt(row, "payment_response"));
    EXPECT_EQ(NameOf(header.outcome), TextAt(row, "expect_outcome"));
    EXPECT_THAT(header.failed_checks, ElementsAreArray(expected_checks));
    const json::Value decoded = At(row, "decoded");
    const SettleAnswer answer = ReadSettleAnswer(decoded.is_null() ? nullptr : &decoded);
    EXPECT_EQ(answer.outcome, header.outcome);
    EXPECT_THAT(answer.failed_checks, ElementsAreArray(expected_checks));
    for (const json::Value& word : Items(At(row, "must_not_conclude"))) {
      EXPECT_NE(NameOf(answer.outcome), Seen(&word));
    }
  }
}

struct Row {
  const char* body;  // HASH stands for a chain tx
  const char* outcome;
  std::vector<std::string> failed_checks;
};

TEST(SettleAnswerTest, OnlyDocumentsWithoutFaultConclude) {
  const Row kRows[] = {
      {R"({"success":true,"errorReason":null,"transaction":"HASH","network":"eip155:1"})",
       "settled",
       {}},
      {R"({"success":true,"errorReason":"","transaction":"HASH","network":"eip155:1","x":1})",
       "settled",
       {}},
      {R"({"success":true,"transaction":"HASH","network":""})", "unresolved", {"network-caip2"}},
      {R"({"success":true,"transaction":"HASH"})", "unresolved", {"network-caip2"}},
      {R"({"success":true,"transaction":"HASH","network":"base"})",
       "unresolved",
       {"network-caip2"}},
      {R"({"success":true,"transaction":"","network":"eip155:1"})",
       "unresolved",
       {"transaction-hash"}},
      {R"({"success":true,"transaction":"0x12","network":"eip155:1"})",
       "unresolved",
       {"transaction-hash"}},
      {R"({"success":true,"network":"eip155:1"})", "unresolved", {"transaction-string"}},
      {R"({"success":true,"transactionId":"HASH","network":"eip155:1"})",
       "unresolved",
       {"transaction-string"}},
      {R"({"success":true,"error":null,"txHash":"HASH","networkId":"base"})",
       "unresolved",
       {"transaction-string", "network-caip2"}},
      {R"({"success":"true","transaction":"HASH","network":"eip155:1"})",
       "unresolved",
       {"success-boolean"}},
      {R"({"success":true,"transaction":"HASH","network":"eip155:1","amount":1})",
       "unresolved",
       {"amount-decimal"}},
      {R"({"success":true,"errorReason":{},"transaction":"HASH","network":"eip155:1"})",
       "unresolved",
       {"error-reason-on-success"}},
      {R"({"error":"boom"})",
       "unresolved",
       {"success-boolean", "transaction-string", "network-caip2"}},
      {"[]", "unresolved", {"json"}},
      {"null", "unresolved", {"json"}},
      {R"({"success":false,"errorReason":"insufficient_funds","transaction":"",
           "network":"eip155:1"})",
       "failed",
       {}},
      {R"({"success":false,"transaction":"","network":"eip155:1"})", "failed", {}},
      {R"({"success":false,"errorReason":"some_vendor_word","transaction":"",
           "network":"eip155:1"})",
       "failed",
       {}},
      {R"({"success":false,"errorReason":7,"transaction":"","network":"eip155:1"})",
       "unresolved",
       {"error-reason-string"}},
      {R"({"success":false,"errorReason":"insufficient_funds","transaction":"HASH",
           "network":"eip155:1"})",
       "unresolved",
       {}},
      {R"({"success":false,"transaction":"HASH","network":"eip155:1"})", "unresolved", {}},
      {R"({"success":false,"errorReason":"invalid_exact_evm_transaction_failed",
           "transaction":"HASH","network":"eip155:1"})",
       "failed",
       {}},
      {R"({"success":false,"errorReason":"unexpected_settle_error","transaction":"",
           "network":"eip155:1"})",
       "unresolved",
       {}},
      {R"({"success":false,"errorReason":"invalid_exact_evm_nonce_already_used","transaction":"",
           "network":"eip155:1"})",
       "unresolved",
       {}},
      {R"({"success":false,"errorReason":"permit2_deadline_expired","transaction":"",
           "network":"eip155:1"})",
       "failed",
       {}},
      {R"({"success":false,"errorReason":"invalid_payload","transaction":"","network":""})",
       "unresolved",
       {"network-caip2"}},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.body);
    std::string body = row.body;
    if (body.find("HASH") != std::string::npos) body = Replaced(body, "HASH", kHash);
    const json::Value value = Json(body);
    const SettleAnswer answer = ReadSettleAnswer(&value);
    EXPECT_EQ(NameOf(answer.outcome), row.outcome);
    EXPECT_THAT(answer.failed_checks, ElementsAreArray(row.failed_checks));
  }
}

TEST(SettleAnswerTest, WhatIsSaidIsKept) {
  const json::Value value = Json(kSettled);
  const SettleAnswer answer = ReadSettleAnswer(&value);
  EXPECT_EQ(answer.outcome, SettleOutcome::kSettled);
  EXPECT_EQ(answer.chain_tx, "0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef");
  EXPECT_EQ(answer.payer, "0x857b06519e91e3a54538791bdbb0e22373e36b66");
  const json::Value legacy =
      Json(absl::StrCat(R"({"success":true,"txHash":")", kHash, R"(","networkId":"base"})"));
  const SettleAnswer old = ReadSettleAnswer(&legacy);
  EXPECT_EQ(old.chain_tx, kHash);
  EXPECT_EQ(old.network, "eip155:8453");
}

TEST(SettleAnswerTest, SolanaSignaturesKeepTheirCase) {
  const std::string signature(87, 'A');
  const json::Value value =
      Json(absl::StrCat(R"({"success":true,"network":"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",)",
                        R"("transaction":")", signature, "\"}"));
  const SettleAnswer answer = ReadSettleAnswer(&value);
  EXPECT_EQ(answer.outcome, SettleOutcome::kSettled);
  EXPECT_EQ(answer.chain_tx, signature);
}

TEST(ReasonsTest, TheSameWordMeansDifferentThingsByPhase) {
  struct Case {
    const char* word;
    ReasonClass at_verify, at_settle, at_settle_with_chain_tx;
  };
  constexpr Case kCases[] = {
      {"", ReasonClass::kNone, ReasonClass::kNone, ReasonClass::kOpen},
      {"insufficient_funds", ReasonClass::kRefused, ReasonClass::kRefused, ReasonClass::kOpen},
      {"invalid_exact_evm_payload_authorization_valid_after", ReasonClass::kRefused,
       ReasonClass::kRefused, ReasonClass::kOpen},
      {"invalid_exact_evm_payload_authorization_valid_before", ReasonClass::kExpired,
       ReasonClass::kExpired, ReasonClass::kOpen},
      {"settle_exact_svm_block_height_exceeded", ReasonClass::kExpired, ReasonClass::kExpired,
       ReasonClass::kOpen},
      {"permit2_invalid_nonce", ReasonClass::kNonceConsumed, ReasonClass::kNonceConsumed,
       ReasonClass::kNonceConsumed},
      {"invalid_transaction_state", ReasonClass::kNonceConsumed, ReasonClass::kNonceConsumed,
       ReasonClass::kNonceConsumed},
      {"duplicate_settlement", ReasonClass::kNonceConsumed, ReasonClass::kNonceConsumed,
       ReasonClass::kNonceConsumed},
      {"settlement_pending", ReasonClass::kOpen, ReasonClass::kOpen, ReasonClass::kOpen},
      {"settle_exact_svm_transaction_confirmation_timed_out", ReasonClass::kOpen,
       ReasonClass::kOpen, ReasonClass::kOpen},
      {"invalid_exact_evm_transaction_failed", ReasonClass::kRefused, ReasonClass::kUnknown,
       ReasonClass::kFailedAfterBroadcast},
      {"invalid_exact_evm_transaction_simulation_failed", ReasonClass::kRefused,
       ReasonClass::kRefused, ReasonClass::kOpen},
      {"Some_Vendor_Word", ReasonClass::kUnknown, ReasonClass::kUnknown, ReasonClass::kOpen},
  };
  for (const Case& row : kCases) {
    SCOPED_TRACE(row.word);
    EXPECT_EQ(ClassifyVerifyReason(row.word), row.at_verify);
    EXPECT_EQ(ClassifySettleReason(row.word, false), row.at_settle);
    EXPECT_EQ(ClassifySettleReason(row.word, true), row.at_settle_with_chain_tx);
  }
}

TEST(VerifyAnswerTest, OnlyABooleanIsAnAnswer) {
  struct Case {
    const char* body;
    std::optional<bool> is_valid;
    const char* reason;
  };
  const Case kCases[] = {
      {R"({"isValid":true,"invalidReason":null})", true, ""},
      {R"({"isValid":false,"invalidReason":"insufficient_funds"})", false, "insufficient_funds"},
      {R"({"isValid":false})", false, ""},
      {R"({"isValid":"true"})", std::nullopt, ""},
      {R"({"isValid":true,"invalidReason":"invalid_payload"})", std::nullopt, "invalid_payload"},
      {R"({"error":"boom"})", std::nullopt, ""},
      {"[]", std::nullopt, ""},
  };
  for (const Case& row : kCases) {
    SCOPED_TRACE(row.body);
    const json::Value value = Json(row.body);
    const VerifyAnswer answer = ReadVerifyAnswer(&value);
    EXPECT_EQ(answer.is_valid, row.is_valid);
    EXPECT_EQ(answer.reason, row.reason);
  }
  EXPECT_EQ(ReadVerifyAnswer(nullptr).is_valid, std::nullopt);
}

}  // namespace
}  // namespace tally::x402
