// Bad input and bad circumstances: each error names the field, what was seen and what was wanted,
// and nothing is stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/error.h"
#include "ledger/client/client.h"
#include "ledger/store/sqlite/connection.h"
#include "tests/acceptance/embedded_book.h"
#include "tests/server/tallyd_process.h"

namespace tally::acceptance {
namespace {

using support::Ended;
using support::RunTally;
using support::TestData;
using ::testing::HasSubstr;

// One line on stderr that holds all of these and ends in reason and exit code, and nothing on
// stdout.
void ExpectRefusal(const Ended& ended, int code, const std::vector<std::string>& words) {
  static const std::map<int, std::string> kMeanings = {
      {2, "usage"}, {3, "could not tell"}, {4, "refused or unreachable"}, {5, "evidence broken"}};
  EXPECT_EQ(ended.code, code) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err.rfind("tally: ", 0), 0U) << ended.err;
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  EXPECT_THAT(ended.err, ::testing::ContainsRegex(absl::StrCat("\\[[A-Z_]+, exit ", code, ": ",
                                                               kMeanings.at(code), "\\]\n$")));
  for (const std::string& word : words) EXPECT_THAT(ended.err, HasSubstr(word));
}

TEST(RefusalsTest, TheCommandLineItself) {
  const EmbeddedBook book;
  ExpectRefusal(RunTally({"list"}), 2, {"--server", "--database", "TALLY_SERVER", "neither"});
  ExpectRefusal(RunTally({"list", "--server", "a", "--database", "b"}), 2, {"both"});
  ExpectRefusal(RunTally({"frobnicate"}), 2, {"frobnicate"});
  ExpectRefusal(book.Run({"list", "--label", "HAPPY"}), 2, {"--label", "HAPPY", "RAN_UNPAID"});
  ExpectRefusal(book.Run({"list", "--view", "x"}), 2, {"--view", "ran-not-known-paid"});
  ExpectRefusal(book.Run({"list", "--as-of", "noon"}), 2, {"--as-of", "noon", "RFC 3339"});
  ExpectRefusal(book.Run({"list", "--output", "xml"}), 2, {"--output", "xml", "json"});
  ExpectRefusal(book.Run({"list", "--deadline", "soon"}), 2, {"--deadline", "soon"});
  ExpectRefusal(book.Run({"show"}), 2, {"exactly one"});
  ExpectRefusal(book.Run({"show", "--call", "nocolon"}), 2, {"--call", "SESSION:ID"});
  ExpectRefusal(book.Run({"ledger", "create", "x", "--role", "king"}), 2, {"--role", "king"});
  ExpectRefusal(book.Run({"ledger", "create", "Not A Name", "--role", "buyer"}), 2,
                {"NAME: saw", "Not A Name", "FIELD_MALFORMED"});
  ExpectRefusal(book.Run({"import", book.folder() + "/missing.jsonl"}), 2, {"missing.jsonl"});
  ExpectRefusal(book.Run({"import", book.folder()}), 2, {"a file that can be read"});
}

TEST(RefusalsTest, NumbersAreWholeAndFromTheLeast) {
  const EmbeddedBook book;
  for (const char* limit : {"0", "-1", "x", "1.5", "99999999999999999999"}) {
    ExpectRefusal(book.Run({"list", "--limit", limit}), 2,
                  {absl::StrCat("--limit: saw \"", limit, "\", wanted a whole number from 1")});
  }
  const Ended events = book.Run({"events", "--after", "-1"});
  ExpectRefusal(events, 2, {"--after: saw \"-1\", wanted a whole number from 0"});
  EXPECT_LT(events.err.size(), 160U) << events.err;
  ExpectRefusal(book.Run({"events", "--limit", "0"}), 2, {"--limit: saw \"0\""});
}

TEST(RefusalsTest, ErrorsNameTheReasonWhereverTheyComeFrom) {
  const EmbeddedBook book;
  ExpectRefusal(RunTally({"frobnicate"}), 2, {"FIELD_MALFORMED", "see `tally --help`"});
  ExpectRefusal(book.Run({"import"}), 2, {"FIELD_MISSING", "see `tally import --help`"});
  ExpectRefusal(book.Run({"ledger", "create"}), 2, {"see `tally ledger create --help`"});
  ExpectRefusal(book.Run({"list", "--ledger", "nobody"}), 2, {"[LEDGER_NOT_FOUND, exit 2"});
  ExpectRefusal(book.Run({"show", "pay_0123456789abcdef"}), 3, {"[NOT_RECORDED, exit 3"});
  EXPECT_THAT(book.Import("nope\n").err, HasSubstr("[DOCUMENT_MALFORMED]\n"));
}

TEST(RefusalsTest, RebuildNeedsTheFile) {
  ExpectRefusal(RunTally({"rebuild"}, "", {"TALLY_SERVER=127.0.0.1:1"}), 2,
                {"--database", "FIELD_MISSING"});
  ExpectRefusal(RunTally({"rebuild", "--server", "127.0.0.1:1"}), 2, {"--server"});
}

TEST(RefusalsTest, BackupOntoAFileThatIsThere) {
  const EmbeddedBook book;
  const std::string copy = book.folder() + "/copy.db";
  support::WriteFile(copy, "mine");
  ExpectRefusal(book.Run({"backup", copy}), 2, {"FILE: saw ", "copy.db", "new file"});
  const server::Tallyd server(book.database());
  ExpectRefusal(RunTally({"backup", copy, "--server", server.address()}), 2,
                {"FILE: saw ", "copy.db", "new file"});
  EXPECT_EQ(support::ReadFile(copy), "mine");
}

TEST(RefusalsTest, FlagWinsOverEnvironment) {
  const EmbeddedBook book;
  const Ended ended = RunTally({"ledger", "list", "--database", book.database()}, "",
                               {"TALLY_SERVER=127.0.0.1:1", "TALLY_DATABASE=/nowhere"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(RunTally({"ledger", "list"}, "", {"TALLY_DATABASE=" + book.database()}).code, 0);
}

TEST(RefusalsTest, UnknownLedger) {
  const EmbeddedBook book;
  ExpectRefusal(book.Run({"list", "--ledger", "nobody"}), 2, {"nobody"});
  ExpectRefusal(
      book.Run({"import", "--ledger", "nobody", TestData("transcripts/settled.seller.jsonl")}), 2,
      {"nobody"});
}

TEST(RefusalsTest, MissingDatabaseIsNotMade) {
  const std::string path = support::NewFolder() + "/slip.db";
  ExpectRefusal(
      RunTally({"import", "--database", path, TestData("transcripts/settled.seller.jsonl")}), 2,
      {"slip.db", "tally ledger create"});
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST(RefusalsTest, MalformedPaymentToShow) {
  const EmbeddedBook book;
  const std::string good = support::ReadFile(TestData("demo-payment.json"));
  const std::string bad =
      absl::StrReplaceAll(good, {{"\"value\": \"10000\"", "\"value\": \"1e6\""}});
  ASSERT_NE(good, bad);
  ExpectRefusal(book.Run({"show", "--payment", "-"}, bad), 2, {"value", "1e6", "wanted"});
  ExpectRefusal(book.Run({"show", "--payment", "-"}, bad), 2,
                {"--payment: payload.authorization.value: saw"});
  ExpectRefusal(book.Run({"show", "--payment", "-"}, "nope"), 2, {"--payment: saw"});
  ExpectRefusal(book.Run({"show", "sha256:12"}), 2, {"ID: saw \"sha256:12\"", "64"});
  ExpectRefusal(book.Run({"list", "--payer", "0x12"}), 2, {"--payer: saw \"0x12\""});
  ExpectRefusal(book.Run({"list", "--sums"}), 2, {"--sums", "--view"});
}

TEST(RefusalsTest, PageTokenOfAnotherQuery) {
  const EmbeddedBook book;
  ASSERT_EQ(book.Run({"import", TestData("transcripts/settled.seller.jsonl"),
                      TestData("transcripts/refused.seller.jsonl")})
                .code,
            0);
  const server::Tallyd server(book.database());
  ASSERT_FALSE(server.address().empty());
  client::Client client(server.address());
  tallystick::v1::ListSettlementsRequest request;
  request.set_page_size(1);
  const auto page = client.ListSettlements(request, absl::Seconds(10));
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_FALSE(page->next_page_token().empty());
  request.set_page_token(page->next_page_token());
  request.set_tool("another");
  const auto refused = client.ListSettlements(request, absl::Seconds(10));
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kPageTokenInvalid) << refused.status();
}

TEST(RefusalsTest, EventIdReusedAndUnspecifiedEnumsThroughTheServer) {
  const EmbeddedBook book;
  const server::Tallyd server(book.database());
  client::Client client(server.address());
  tallystick::v1::RecordEventsRequest request;
  auto* event = request.add_events();
  event->set_event_id("once");
  event->mutable_subject()->set_settlement_id("sha256:" + std::string(64, 'a'));
  event->mutable_occurred_time()->set_seconds(1'800'000'000);
  event->mutable_body()->mutable_payment_released()->set_reason("first");
  const auto unspecified = client.RecordEvents(request, absl::Seconds(10));
  EXPECT_EQ(ReasonOf(unspecified.status()), Reason::kEnumUnspecified) << unspecified.status();
  EXPECT_THAT(MetadataOf(unspecified.status())["field"], HasSubstr("source"));
  event->set_source(tallystick::v1::SOURCE_KIND_API);
  ASSERT_TRUE(client.RecordEvents(request, absl::Seconds(10)).ok());
  event->mutable_body()->mutable_payment_released()->set_reason("second");
  const auto reused = client.RecordEvents(request, absl::Seconds(10));
  EXPECT_EQ(ReasonOf(reused.status()), Reason::kEventIdReused) << reused.status();
  EXPECT_EQ(book.EventCount(), 1U);
}

TEST(RefusalsTest, WritingBesideAServerNamesItAndReadingWorks) {
  const EmbeddedBook book;
  const server::Tallyd server(book.database());
  ASSERT_FALSE(server.address().empty());
  const Ended ended = book.Run({"import", TestData("transcripts/settled.seller.jsonl")});
  ExpectRefusal(ended, 4, {"book.db", "process ", " at 127.0.0.1:", "--server"});
  EXPECT_EQ(book.Run({"list"}).code, 0);
  EXPECT_EQ(book.Run({"rebuild"}).code, 0);
  EXPECT_EQ(book.Run({"backup", book.folder() + "/beside.db"}).code, 0);
  EXPECT_EQ(RunTally({"import", TestData("transcripts/settled.seller.jsonl"), "--server",
                      server.address()})
                .code,
            0);
  EXPECT_GT(book.EventCount(), 0U);
}

TEST(RefusalsTest, AddressInUse) {
  const EmbeddedBook book;
  const EmbeddedBook other;
  const server::Tallyd server(book.database());
  const server::Ended ended =
      server::RunTallyd({"--database", other.database(), "--listen", server.address()});
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(server.address()));
}

TEST(RefusalsTest, NobodyListens) {
  const std::string nobody = "unix:" + support::NewFolder() + "/nobody.sock";
  ExpectRefusal(RunTally({"list", "--server", nobody, "--deadline", "2s"}), 4, {"nobody.sock"});
}

TEST(RefusalsTest, ReadOnlyFolder) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const std::string folder = support::NewFolder();
  ::chmod(folder.c_str(), 0500);
  ExpectRefusal(
      RunTally({"ledger", "create", "x", "--role", "buyer", "--database", folder + "/new.db"}), 4,
      {"new.db"});
}

TEST(RefusalsTest, FolderThatIsNotThere) {
  ExpectRefusal(
      RunTally({"ledger", "create", "x", "--role", "buyer", "--database", "/proc/nowhere/new.db"}),
      4, {"new.db"});
}

TEST(RefusalsTest, DatabaseOfANewerSchema) {
  const EmbeddedBook book;
  {
    const auto file =
        store::sqlite::Connection::Open(book.database(), store::sqlite::Access::kWrite);
    ASSERT_TRUE(file.ok()) << file.status();
    (*file)->Execute(
        "INSERT INTO schema SELECT version + 1, 'later', checksum, applied_us FROM schema "
        "ORDER BY version DESC LIMIT 1");
  }
  ExpectRefusal(book.Run({"list"}), 4, {"book.db", "schema", "newer"});
  ExpectRefusal(book.Run({"import", TestData("transcripts/settled.seller.jsonl")}), 4,
                {"book.db", "schema", "newer"});
  const server::Ended served = server::RunTallyd({"--database", book.database()});
  EXPECT_EQ(served.code, 4);
  EXPECT_THAT(served.err, HasSubstr("book.db"));
}

TEST(RefusalsTest, FileThatIsNoDatabase) {
  const std::string path = support::NewFolder() + "/text.db";
  support::WriteFile(path, std::string(4096, 'x'));
  const Ended ended = RunTally({"list", "--database", path});
  ExpectRefusal(ended, 4, {"text.db", "DATABASE_UNUSABLE"});
  const server::Ended served = server::RunTallyd({"--database", path});
  EXPECT_EQ(served.code, 4);
  EXPECT_THAT(served.err, HasSubstr("text.db"));
  EXPECT_EQ(support::ReadFile(path), std::string(4096, 'x'));
}

}  // namespace
}  // namespace tally::acceptance
