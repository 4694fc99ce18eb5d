// Looking up, listing, reading events, and what operators do.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/error.h"
#include "ledger/json/value.h"
#include "ledger/protocol/time_codec.h"
#include "tests/ledger/service/fixture.h"

namespace tally::service {
namespace {

constexpr const char* kNames[] = {"settled",        "refused",          "settle-false",
                                  "pending",        "pending-http-500", "facilitator-500",
                                  "socket-dropped", "recorder-throws",  "tool-error"};

class AskTest : public testing::Test {
 protected:
  AskTest() {
    services_.Create("seller", v1::LEDGER_ROLE_SELLER);
    for (const char* name : kNames) {
      const auto imported = services_.Import("seller", LinesOf(name));
      services_.clock.now = std::max(services_.clock.now, imported.last_time);
    }
    services_.clock.now = TimeOf("2026-11-30T17:20:00Z");
  }
  static std::vector<std::string> LinesOf(const std::string& name) {
    return ReadTestLines(absl::StrCat("transcripts/", name, ".seller.jsonl"));
  }
  v1::Settlement Find(v1::Label label) {
    v1::ListSettlementsRequest request;
    request.add_labels(label);
    const auto rows = services_.List(request);
    EXPECT_FALSE(rows.empty());
    return rows.empty() ? v1::Settlement() : rows.front();
  }
  absl::StatusOr<v1::Settlement> Get(const v1::SettlementKey& key) {
    v1::GetSettlementRequest request;
    *request.mutable_key() = key;
    const auto response = services_.settlements.GetSettlement(request);
    if (!response.ok()) return response.status();
    return response->settlement();
  }

  Services services_;
};

TEST_F(AskTest, EveryKeyFindsThePayment) {
  const v1::Settlement paid = Find(v1::LABEL_PAID);
  const std::string id = paid.settlement_id();
  for (const std::string& any : {id, paid.challenge_id(), paid.chain_tx(), paid.purchase_id(),
                                 absl::StrReplaceAll(paid.chain_tx(), {{"a", "A"}})}) {
    ASSERT_FALSE(any.empty());
    const auto found = services_.Get("seller", any);
    ASSERT_TRUE(found.ok()) << any << " " << found.status();
    EXPECT_EQ(found->settlement_id(), id);
  }
  v1::SettlementKey key;
  key.mutable_call()->set_session("x402-mcp-settled");
  key.mutable_call()->set_request_id("2");
  EXPECT_EQ(Get(key)->settlement_id(), id);
  // The unpaid call that was answered with the challenge it answers.
  key.mutable_call()->set_request_id("1");
  EXPECT_EQ(Get(key)->settlement_id(), id);
  const std::string line = LinesOf("settled")[4];
  const std::size_t begin = line.find("\"body\":") + 7;
  key.set_payment_document(line.substr(begin, line.size() - 1 - begin));
  EXPECT_EQ(Get(key)->settlement_id(), id);
}

TEST_F(AskTest, WhatIsNotThereIsNotRecorded) {
  EXPECT_EQ(ReasonOf(services_.Get("seller", "sha256:" + std::string(64, '0')).status()),
            Reason::kNotRecorded);
  EXPECT_EQ(ReasonOf(services_.Get("seller", "whatever").status()), Reason::kNotRecorded);
  EXPECT_EQ(ReasonOf(services_.Get("seller", "sha256:12").status()), Reason::kFieldMalformed);
  EXPECT_EQ(ReasonOf(Get({}).status()), Reason::kFieldMissing);
  v1::SettlementKey key;
  key.set_payment_document(R"({"x402Version":2})");
  const auto bad = Get(key);
  EXPECT_EQ(ReasonOf(bad.status()), Reason::kDocumentMalformed);
  EXPECT_EQ(MetadataOf(bad.status())["field"], "key.payment_document.payload");
}

TEST_F(AskTest, AmbiguousAliasListsItsHits) {
  // One hash that holds two payments.
  std::vector<std::string> lines = LinesOf("settle-false");
  const v1::Settlement paid = Find(v1::LABEL_PAID);
  for (std::string& line : lines) {
    line = absl::StrReplaceAll(
        line, {{"x402-mcp-settle-false", "again"},
               {R"("success":false)", R"("success":true)"},
               {R"("errorReason":"insufficient_funds",)", ""},
               {R"("transaction":"")", absl::StrCat(R"("transaction":")", paid.chain_tx(), "\"")}});
  }
  services_.Import("seller", lines);
  const auto found = services_.Get("seller", paid.chain_tx());
  ASSERT_EQ(ReasonOf(found.status()), Reason::kAliasAmbiguous) << found.status();
  const auto hits = json::Parse(MetadataOf(found.status())["hits"]);
  ASSERT_TRUE(hits.ok()) << MetadataOf(found.status())["hits"];
  ASSERT_EQ(hits->value.array()->size(), 2U);
  std::set<std::string> ids;
  for (const json::Value& hit : *hits->value.array()) ids.insert(*hit.string());
  EXPECT_EQ(ids.count(paid.settlement_id()), 1U);
  EXPECT_EQ(MetadataOf(found.status())["count"], "2");
}

// Keys of calls can hold blanks.
TEST_F(AskTest, AmbiguousTaskOfUnreadablePaymentsListsItsCalls) {
  std::vector<std::string> lines;
  for (const char* id : {R"("a b")", R"("c d")"}) {
    lines.push_back(absl::StrCat(
        R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"h","kind":"mcp",)",
        R"("dir":"client-to-server","message":{"id":)", id,
        R"(,"method":"tools/call","params":{"name":"t","_meta":{"x402/payment":7}}}})"));
    lines.push_back(absl::StrCat(
        R"({"v":1,"time":"2026-12-01T00:00:01Z","session":"h","kind":"task","task_id":"t1",)",
        R"("request_id":)", id, R"(,"status":"working"})"));
  }
  services_.Import("seller", lines);
  const auto found = services_.Get("seller", "t1");
  ASSERT_EQ(ReasonOf(found.status()), Reason::kAliasAmbiguous) << found.status();
  EXPECT_EQ(MetadataOf(found.status())["hits"], R"(["h \"a b\"","h \"c d\""])");
}

TEST_F(AskTest, TimelineStandsInOrderOfTime) {
  const auto paid = services_.Get("seller", Find(v1::LABEL_PAID).settlement_id());
  ASSERT_GE(paid->timeline_size(), 6);
  EXPECT_EQ(paid->timeline(0).event().body().body_case(), v1::EventBody::kPaymentPresented);
  EXPECT_EQ(paid->version(), paid->timeline_size());
}

TEST_F(AskTest, AsOfJudgesThen) {
  const v1::Settlement paid = Find(v1::LABEL_PAID);
  const auto then =
      services_.Get("seller", paid.settlement_id(), *protocol::FromProto("", paid.first_time()));
  ASSERT_TRUE(then.ok()) << then.status();
  EXPECT_EQ(LabelOf(*then), "PRESENTED");
  v1::GetSettlementRequest request;
  request.mutable_key()->set_settlement_id(paid.settlement_id());
  protocol::ToProto(absl::FromUnixSeconds(1), request.mutable_known_at());
  EXPECT_EQ(ReasonOf(services_.settlements.GetSettlement(request).status()), Reason::kNotRecorded);
}

TEST_F(AskTest, BatchTellsWhatIsMissing) {
  v1::BatchGetSettlementsRequest request;
  request.add_settlement_ids("sha256:" + std::string(64, '0'));
  request.add_settlement_ids(Find(v1::LABEL_PAID).settlement_id());
  const auto response = services_.settlements.BatchGetSettlements(request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->settlements_size(), 1);
  EXPECT_EQ(response->missing_settlement_ids_size(), 1);
  request.add_settlement_ids("x");
  const auto bad = services_.settlements.BatchGetSettlements(request);
  EXPECT_EQ(MetadataOf(bad.status())["field"], "settlement_ids[2]");
}

TEST_F(AskTest, PagesHoldEveryRowOnce) {
  v1::ListSettlementsRequest request;
  request.set_page_size(2);
  std::set<std::string> ids;
  const std::vector<v1::Settlement> rows = services_.List(request);
  for (const v1::Settlement& row : rows) ids.insert(row.settlement_id());
  EXPECT_EQ(rows.size(), std::size(kNames));
  EXPECT_EQ(ids.size(), std::size(kNames));
}

TEST_F(AskTest, PageTokenBelongsToItsQuery) {
  v1::ListSettlementsRequest request;
  request.set_page_size(2);
  request.set_page_token(services_.settlements.ListSettlements(request)->next_page_token());
  request.set_tool("square");
  EXPECT_EQ(ReasonOf(services_.settlements.ListSettlements(request).status()),
            Reason::kPageTokenInvalid);
  request.set_page_token("nonsense");
  EXPECT_EQ(ReasonOf(services_.settlements.ListSettlements(request).status()),
            Reason::kPageTokenInvalid);
}

TEST_F(AskTest, FiltersNarrow) {
  v1::ListSettlementsRequest request;
  request.set_payer("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A");
  EXPECT_GE(services_.List(request).size(), 1U);
  request.set_payer("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2");
  EXPECT_EQ(MetadataOf(services_.settlements.ListSettlements(request).status())["field"], "payer");
  request.clear_payer();
  request.set_tool("cube");
  EXPECT_TRUE(services_.List(request).empty());
  request.clear_tool();
  protocol::ToProto(TimeOf("2026-11-30T17:19:50.430Z"), request.mutable_before());
  EXPECT_EQ(services_.List(request).size(), 0U);
  request.add_labels(v1::LABEL_UNSPECIFIED);
  EXPECT_EQ(ReasonOf(services_.settlements.ListSettlements(request).status()),
            Reason::kEnumUnspecified);
  request.clear_labels();
  request.set_page_size(1001);
  EXPECT_EQ(ReasonOf(services_.settlements.ListSettlements(request).status()),
            Reason::kLimitExceeded);
}

TEST_F(AskTest, RanNotKnownPaidIsSummed) {
  v1::ListSettlementsRequest request;
  request.set_view(v1::LIST_VIEW_RAN_NOT_KNOWN_PAID);
  request.set_page_size(1);
  const auto first = services_.settlements.ListSettlements(request);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->settlements_size(), 1);
  ASSERT_EQ(first->sums_size(), 2);
  EXPECT_EQ(first->sums(0).bucket(), v1::EXPOSURE_BUCKET_UNPAID);
  EXPECT_EQ(first->sums(0).count(), 1);
  EXPECT_EQ(first->sums(0).amount(), "10000");
  EXPECT_EQ(first->sums(1).bucket(), v1::EXPOSURE_BUCKET_OPEN);
  EXPECT_EQ(first->sums(1).count(), 4);
  EXPECT_EQ(first->sums(1).amount(), "40000");
  EXPECT_EQ(services_.List(request).size(), 5U);
}

TEST_F(AskTest, EventsAreReadByPosition) {
  v1::ReadEventsRequest request;
  request.set_page_size(7);
  std::int64_t position = 0;
  for (;;) {
    const auto response = services_.settlements.ReadEvents(request);
    ASSERT_TRUE(response.ok()) << response.status();
    for (const v1::RecordedEvent& event : response->events()) {
      EXPECT_EQ(event.position(), ++position);
      EXPECT_EQ(event.event().recorder(), "tester");
    }
    if (response->events().empty()) break;
    request.set_after_position(response->next_after_position());
  }
  EXPECT_EQ(position, services_.LastPosition("seller"));
}

TEST_F(AskTest, StatisticsCountEachExchangeOnce) {
  // Twice is once, and so is a payment that was refused again.
  services_.Import("seller", LinesOf("refused"));
  const auto counted = services_.settlements.GetStatistics({});
  ASSERT_TRUE(counted.ok()) << counted.status();
  EXPECT_EQ(counted->events(), services_.LastPosition("seller"));
  EXPECT_EQ(counted->challenges(), 9);
  EXPECT_EQ(counted->challenges_unanswered(), 0);
  EXPECT_EQ(counted->payments(), 9);
  EXPECT_EQ(counted->payments_unreadable(), 0);
  EXPECT_EQ(counted->refusals(), 1);
  EXPECT_EQ(counted->tool_failures(), 1);

  std::map<v1::Label, std::int64_t> labels;
  for (const v1::Settlement& row : services_.List({})) ++labels[row.label()];
  std::map<v1::Label, std::int64_t> said;
  for (const v1::LabelCount& one : counted->labels()) said[one.label()] = one.count();
  EXPECT_EQ(said, labels);
}

TEST_F(AskTest, StatisticsHoldTheViewOfRunsNotKnownPaid) {
  v1::ListSettlementsRequest request;
  request.set_view(v1::LIST_VIEW_RAN_NOT_KNOWN_PAID);
  const auto view = services_.settlements.ListSettlements(request);
  const auto counted = services_.settlements.GetStatistics({});
  ASSERT_TRUE(view.ok() && counted.ok());
  EXPECT_EQ(counted->ran_not_known_paid(), view->settlements_size());
  ASSERT_EQ(counted->ran_not_known_paid_sums_size(), view->sums_size());
  for (int i = 0; i < view->sums_size(); ++i) {
    EXPECT_EQ(counted->ran_not_known_paid_sums(i).SerializeAsString(),
              view->sums(i).SerializeAsString());
  }
  // What the clock alone changed counts as it is now.
  services_.clock.now += absl::Hours(24 * 365);
  const auto later = services_.settlements.GetStatistics({});
  std::map<v1::Label, std::int64_t> labels;
  for (const v1::Settlement& row : services_.List({})) ++labels[row.label()];
  for (const v1::LabelCount& one : later->labels()) {
    EXPECT_EQ(one.count(), labels[one.label()]) << v1::Label_Name(one.label());
  }
}

TEST_F(AskTest, ChallengesThatNothingAnswersAreCountedApart) {
  Services services;
  services.Create("seller", v1::LEDGER_ROLE_SELLER);
  std::vector<std::string> lines = LinesOf("settled");
  lines.resize(3);  // the terms were given, and that was all
  services.Import("seller", lines);
  const auto counted = services.settlements.GetStatistics({});
  ASSERT_TRUE(counted.ok()) << counted.status();
  EXPECT_EQ(counted->challenges(), 1);
  EXPECT_EQ(counted->challenges_unanswered(), 1);
  EXPECT_EQ(counted->payments(), 0);
}

TEST(AdminTest, LedgersAreCreatedOnce) {
  Services services;
  v1::CreateLedgerRequest request;
  request.set_name("shop");
  EXPECT_EQ(ReasonOf(services.admin.CreateLedger(request).status()), Reason::kEnumUnspecified);
  request.set_role(v1::LEDGER_ROLE_SELLER);
  (*request.mutable_endpoint_names())["stdio:shop"] = "https://Shop.example/mcp/";
  EXPECT_TRUE(services.admin.CreateLedger(request)->is_created());
  EXPECT_FALSE(services.admin.CreateLedger(request)->is_created());
  request.set_role(v1::LEDGER_ROLE_BUYER);
  EXPECT_EQ(ReasonOf(services.admin.CreateLedger(request).status()), Reason::kLedgerExists);
  for (const char* name : {"Shop", "-x", "a b", "", "a/b"}) {
    request.set_name(name);
    EXPECT_EQ(MetadataOf(services.admin.CreateLedger(request).status())["field"], "name") << name;
  }
  EXPECT_EQ(services.admin.GetLedger({})->ledger().endpoint_names().at("stdio:shop"),
            "https://shop.example/mcp");
  v1::BackupRequest backup;
  backup.set_path("relative");
  EXPECT_EQ(ReasonOf(services.admin.Backup(backup).status()), Reason::kFieldMalformed);
}

TEST(AdminTest, NamesOfOneEndpointAreOneResource) {
  Services services;
  v1::CreateLedgerRequest create;
  create.set_name("shop");
  create.set_role(v1::LEDGER_ROLE_SELLER);
  (*create.mutable_endpoint_names())["stdio:shop"] = "https://tools.example/mcp";
  ASSERT_TRUE(services.admin.CreateLedger(create).ok());
  std::vector<std::string> lines = ReadTestLines("transcripts/settled.seller.jsonl");
  lines[1] = absl::StrReplaceAll(lines[1], {{"https://tools.example/mcp", "stdio:shop"}});
  services.Import("shop", lines);
  EXPECT_EQ(services.List({}).size(), 1U);
  EXPECT_EQ(services.List({}).front().resource().endpoint(), "https://tools.example/mcp");
}

}  // namespace
}  // namespace tally::service
