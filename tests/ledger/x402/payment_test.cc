#include "ledger/base/error.h"
#include "ledger/x402/documents.h"
#include "tests/ledger/x402/documents.h"

namespace tally::x402 {
namespace {

constexpr char kKnownId[] =
    "sha256:4dadfba6c0fb8089fd38c5246d5d16d52121bc92cfbe84075dfd8a3d59de0aa5";

Requirements Matched() { return ReadRequirements(At(Json(kV2Payment), "accepted")); }

TEST(PaymentTest, SpecificationExampleHasTheKnownIdInBothVersions) {
  const auto v2 = ReadPayment(Json(kV2Payment));
  ASSERT_TRUE(v2.ok()) << v2.status().message();
  const auto v1 = ReadPayment(Json(kV1Payment), Matched());
  ASSERT_TRUE(v1.ok()) << v1.status().message();
  EXPECT_EQ(v2->id.text(), kKnownId);
  EXPECT_EQ(v1->id, v2->id);
  EXPECT_EQ(v1->slot.text, v2->slot.text);
  EXPECT_EQ(v1->version, 1);
  EXPECT_EQ(v2->slot.text,
            "eip3009|eip155:84532|0x036cbd53842c5426634e7929541ec2318f3dcf7e|"
            "0x857b06519e91e3a54538791bdbb0e22373e36b66|"
            "0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480");
}

TEST(PaymentTest, TermsAreReadFromWhatWasSigned) {
  const auto payment = ReadPayment(Json(kV2Payment));
  ASSERT_TRUE(payment.ok());
  EXPECT_EQ(payment->recipe, Recipe::kEip3009);
  EXPECT_EQ(NameOf(payment->recipe), "x402-payment-fingerprint/0");
  EXPECT_FALSE(payment->is_weak);
  EXPECT_EQ(payment->network, "eip155:84532");
  EXPECT_EQ(payment->payer, "0x857b06519e91e3a54538791bdbb0e22373e36b66");
  EXPECT_EQ(payment->pay_to, "0x209693bc6afc0c5328ba36faf03c514ef312287c");
  EXPECT_EQ(payment->amount, Uint256(10000));
  EXPECT_EQ(payment->valid_after, 1740672089);
  EXPECT_EQ(payment->valid_before, 1740672154);
  EXPECT_EQ(payment->resource_url, "https://api.example.com/premium-data");
  EXPECT_EQ(payment->payment_identifier, "pay_7d5d747be160e280504c");
  EXPECT_EQ(payment->challenge_id, "chl_abcdefghijklmnopqrstuvwxyz");
  ASSERT_TRUE(payment->accepted.has_value());
  EXPECT_EQ(payment->accepted->max_timeout_seconds, 60);
}

TEST(PaymentTest, SignatureAndWindowChangeThePayloadDigestAndNotTheId) {
  const auto before = ReadPayment(Json(kV2Payment));
  const auto other_signature = ReadPayment(Json(Replaced(kV2Payment, "0xaa", "0xbb")));
  const auto other_window =
      ReadPayment(Json(Replaced(kV2Payment, "\"1740672154\"", "\"99999999999999999999999\"")));
  ASSERT_TRUE(before.ok() && other_signature.ok() && other_window.ok());
  EXPECT_EQ(other_signature->id, before->id);
  EXPECT_NE(other_signature->payload_digest, before->payload_digest);
  EXPECT_EQ(other_window->id, before->id);
  EXPECT_EQ(other_window->valid_before, std::nullopt);
}

TEST(PaymentTest, PublishedVectorsAgree) {
  const json::Value file = LoadJson("fingerprint-v0-vectors.json");
  for (const json::Value& row : Items(At(file, "vectors"))) {
    SCOPED_TRACE(TextAt(row, "name"));
    const auto payment = ReadPayment(At(row, "held"));
    const json::Value expect = At(row, "expect");
    if (TextAt(expect, "outcome") == "ok") {
      ASSERT_TRUE(payment.ok()) << payment.status().message();
      EXPECT_EQ(payment->id.text(), TextAt(expect, "fingerprint"));
    } else {
      ASSERT_FALSE(payment.ok());
      EXPECT_EQ(ReasonOf(payment.status()), Reason::kDocumentMalformed);
      EXPECT_EQ(MetadataAt(payment.status(), "condition"), TextAt(expect, "condition"));
      EXPECT_NE(MetadataAt(payment.status(), "field"), "");
    }
  }
}

// Known answers of the recipes that are ours, computed apart from this code.
TEST(PaymentTest, OwnRecipesHaveTheirKnownAnswers) {
  const auto permit2 = ReadPayment(Json(kUptoPayment));
  ASSERT_TRUE(permit2.ok()) << permit2.status().message();
  EXPECT_EQ(permit2->id.text(),
            "sha256:ed2410234f5226730db907da312df90c28c7a56e204d7a6bf8672d3dcd03f1df");
  EXPECT_EQ(permit2->slot.text,
            "permit2|eip155:84532|0x000000000022d473030f116ddee9f6b43ac78ba3|"
            "0x857b06519e91e3a54538791bdbb0e22373e36b66|42");
  EXPECT_EQ(permit2->amount, Uint256(5000000));
  EXPECT_EQ(permit2->valid_before, 1740672154);
  EXPECT_FALSE(permit2->is_weak);

  const auto delegated = ReadPayment(Json(kErc7710Payment));
  ASSERT_TRUE(delegated.ok()) << delegated.status().message();
  EXPECT_EQ(delegated->id.text(),
            "sha256:e3c402fd42f4cc2e8d2793b5ead5f7020ee7a30012017f66121c4bdf8db100fa");
  EXPECT_TRUE(delegated->is_weak);
  EXPECT_EQ(delegated->slot.text, "");
  EXPECT_EQ(delegated->payer, "0x857b06519e91e3a54538791bdbb0e22373e36b66");

  const auto deferred = ReadPayment(Json(kDeferredPayment));
  ASSERT_TRUE(deferred.ok()) << deferred.status().message();
  EXPECT_EQ(deferred->id.text(),
            "sha256:5dbfaacb948e5819c4bbc05fbac4b40e6a083690634a91bb9cd0549edc2cc632");
  EXPECT_TRUE(deferred->is_weak);
}

TEST(PaymentTest, UnknownSchemeThatSignsATransferHasTheTransfersId) {
  const auto payment =
      ReadPayment(Json(Replaced(kV2Payment, R"("scheme":"exact")", R"("scheme":"escrow")")));
  ASSERT_TRUE(payment.ok());
  EXPECT_EQ(payment->id.text(), kKnownId);
}

TEST(PaymentTest, FacilitatorRequestIsReadAsThePaymentInside) {
  const std::string request = absl::StrCat(R"({"x402Version":1,"paymentPayload":)", kV1Payment,
                                           R"(,"paymentRequirements":{"network":"base-sepolia",
      "asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e"}})");
  const auto payment = ReadPayment(Json(request));
  ASSERT_TRUE(payment.ok()) << payment.status().message();
  EXPECT_EQ(payment->id.text(), kKnownId);
}

struct Refusal {
  const char* document;
  std::string from;
  std::string to;
  const char* field;
  const char* condition;
};

TEST(PaymentTest, NothingMalformedIsCoerced) {
  const std::string nonce =
      R"("0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480")";
  const std::string from = R"("from":"0x857b06519E91e3A54538791bDbb0E22373e36b66")";
  const std::string asset = R"("asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",)";
  const std::string network = R"("network":"eip155:84532")";
  const std::string nonce_field = "payload.authorization.nonce";
  const Refusal kRefusals[] = {
      {kV2Payment, R"("value":"10000")", R"("value":10000)", "payload.authorization.value",
       "value_not_canonical_decimal_string"},
      {kV2Payment, R"("value":"10000",)", "", "payload.authorization.value",
       "value_not_canonical_decimal_string"},
      {kV2Payment, R"("value":"10000")", R"("value":"0x2710")", "payload.authorization.value",
       "value_not_canonical_decimal_string"},
      {kV2Payment, nonce, "7", nonce_field.c_str(), "nonce_not_bytes32_hex"},
      {kV2Payment, nonce, "null", nonce_field.c_str(), "nonce_not_bytes32_hex"},
      {kV2Payment, from, R"("from":" 0x857b06519E91e3A54538791bDbb0E22373e36b66")",
       "payload.authorization.from", "from_not_address"},
      {kV2Payment, from, R"("from":"0X857b06519E91e3A54538791bDbb0E22373e36b66")",
       "payload.authorization.from", "from_not_address"},
      {kV2Payment, R"("to":"0x2)", R"("to":"2)", "payload.authorization.to", "to_not_address"},
      {kV2Payment, asset, R"("asset":"USDC",)", "accepted.asset", "asset_not_address"},
      {kV2Payment, asset, "", "accepted.asset", "asset_missing"},
      {kV1Payment, "x402Version", "x402Version", "asset", "asset_missing"},
      {kV2Payment, network, R"("network":"eip155:084532")", "accepted.network",
       "network_not_caip2"},
      {kV2Payment, network, R"("network":"nowhere")", "accepted.network", "network_unknown_alias"},
      {kV2Payment, network, R"("network":8453)", "accepted.network", "network_not_caip2"},
      {kV2Payment, network, R"("network":"tron:mainnet")", "accepted.network",
       "network_not_eip155"},
      {kV2Payment, R"("x402Version":2)", R"("x402Version":"2")", "x402Version", "version_unknown"},
      {kV2Payment, R"("accepted")", R"("offered")", "accepted", "accepted_not_object"},
      {kV2Payment, R"("payload")", R"("load")", "payload", "payload_not_object"},
      {kV2Payment, R"("authorization")", R"("authorisation")", "payload", "payload_shape_unknown"},
      {kV2Payment, R"("signature":"0xaa")", R"("permit2Authorization":{})", "payload",
       "payload_ambiguous"},
      // The example of the upto scheme has a nonce in hex.
      {kUptoPayment, R"("nonce":"42")", absl::StrCat(R"("nonce":)", nonce),
       "payload.permit2Authorization.nonce", "nonce_not_canonical_decimal_string"},
      {kUptoPayment, R"("amount":"5000000"},)", R"("amount":5000000},)",
       "payload.permit2Authorization.permitted.amount", "amount_not_canonical_decimal_string"},
      {kUptoPayment, R"("witness")", R"("w")", "payload.permit2Authorization.witness.to",
       "to_not_address"},
      {kErc7710Payment, R"("permissionContext":"0xABCD",)", "", "payload.permissionContext",
       "delegation_member_not_string"},
      {kDeferredPayment, R"("nonce":7)", R"("nonce":9007199254740993)", "payload",
       "payload_number_not_exact"},
      {kDeferredPayment, R"("voucher":{"nonce":7,"id":"v1"})", R"("signature":"0xbb")", "payload",
       "payload_empty"},
      {kDeferredPayment, R"("scheme":"deferred",)", "", "accepted.scheme", "scheme_missing"},
  };
  for (const Refusal& row : kRefusals) {
    SCOPED_TRACE(absl::StrCat(row.from, " -> ", row.to));
    const auto payment = ReadPayment(Json(Replaced(row.document, row.from, row.to)));
    ASSERT_FALSE(payment.ok());
    EXPECT_EQ(ReasonOf(payment.status()), Reason::kDocumentMalformed);
    EXPECT_EQ(MetadataAt(payment.status(), "field"), row.field);
    EXPECT_EQ(MetadataAt(payment.status(), "condition"), row.condition);
    EXPECT_NE(MetadataAt(payment.status(), "seen"), "");
    EXPECT_NE(MetadataAt(payment.status(), "wanted"), "");
  }
}

TEST(PaymentTest, SolanaTransactionsHaveNoIdYet) {
  for (const char* network : {"solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"}) {
    const auto payment =
        ReadPayment(Json(absl::StrCat(R"({"x402Version":1,"scheme":"exact","network":")", network,
                                      R"(","payload":{"transaction":"AQID"}})")));
    ASSERT_FALSE(payment.ok());
    EXPECT_EQ(MetadataAt(payment.status(), "condition"), "scheme_not_supported");
  }
}

TEST(PaymentTest, RequirementsOfAnotherChainGiveNoAsset) {
  Requirements other = Matched();
  other.network = "eip155:1";
  const auto payment = ReadPayment(Json(kV1Payment), other);
  ASSERT_FALSE(payment.ok());
  EXPECT_EQ(MetadataAt(payment.status(), "condition"), "asset_missing");
}

TEST(PaymentTest, IdsInExtensionsCountOnlyInTheirForm) {
  for (const char* id : {"short", "pay_7d5d747be160e280 504c", "pay_7d5d747be160e280é504c"}) {
    const auto payment = ReadPayment(Json(Replaced(kV2Payment, "pay_7d5d747be160e280504c", id)));
    ASSERT_TRUE(payment.ok());
    EXPECT_EQ(payment->payment_identifier, "") << id;
  }
  const auto payment = ReadPayment(Json(Replaced(kV2Payment, "chl_abc", "chl_ABC")));
  ASSERT_TRUE(payment.ok());
  EXPECT_EQ(payment->challenge_id, "");
}

TEST(RequirementsTest, BothVersionsAreReadLeniently) {
  const Requirements v1 = ReadRequirements(
      Json(R"({"scheme":"exact","network":"base","maxAmountRequired":"1","payTo":"merchant",
               "maxTimeoutSeconds":60.0,"extra":{"paymentFlow":"escrow"}})"));
  EXPECT_EQ(v1.network, "eip155:8453");
  EXPECT_EQ(v1.amount, "1");
  EXPECT_EQ(v1.pay_to, "merchant");
  EXPECT_EQ(v1.max_timeout_seconds, 60);
  EXPECT_EQ(v1.flow, PaymentFlow::kEscrow);
  const Requirements odd = ReadRequirements(Json(R"({"amount":1,"maxTimeoutSeconds":-1})"));
  EXPECT_EQ(odd.amount, "");
  EXPECT_EQ(odd.max_timeout_seconds, 0);
  EXPECT_EQ(ReadRequirements(Json(R"({"a":1,"b":2})")).digest,
            ReadRequirements(Json(R"({"b":2.0,"a":1})")).digest);
  EXPECT_EQ(ReadRequirements(Json("[]")).scheme, "");
}

}  // namespace
}  // namespace tally::x402
