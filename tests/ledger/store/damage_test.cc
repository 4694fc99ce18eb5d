// A byte of the file turns into another. Then a read gives the right answer or none, and a check
// finds it, unless nothing in use lies there. TALLY_FLIPS says how many bytes are tried; `all` is
// every one, each in turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/settlement/index.h"
#include "ledger/settlement/names.h"
#include "ledger/store/sqlite/check.h"
#include "tests/ledger/store/script.h"
#include "tests/support/budget.h"
#include "tests/support/events.h"

namespace tally::store {
namespace {

using settlement::AliasKind;
using settlement::Subject;
using support::DiskImage;
using support::FaultyDisk;
using ::testing::AnyOf;

// Every read there is, by name; the value is its answer in words.
using Reads = std::map<std::string, std::function<absl::StatusOr<std::string>(EventStore&)>>;

absl::StatusOr<std::string> TextOf(const absl::StatusOr<std::vector<Subject>>& subjects) {
  if (!subjects.ok()) return subjects.status();
  std::string text;
  for (const Subject& subject : *subjects) absl::StrAppend(&text, subject.key, "\n");
  return text;
}

absl::StatusOr<std::string> TextOf(const absl::StatusOr<std::vector<Summary>>& rows) {
  if (!rows.ok()) return rows.status();
  std::string text;
  for (const Summary& row : *rows) {
    absl::StrAppend(&text, row.subject.key, " ", absl::ToUnixMicros(row.first_time), " ",
                    absl::ToUnixMicros(row.last_time), " ", settlement::NameOf(row.label), " ",
                    absl::ToUnixMicros(row.fresh_until), " ", row.payer, " ", row.tool, "\n");
  }
  return text;
}

absl::StatusOr<std::string> LedgersText(EventStore& store) {
  const auto ledgers = store.ListLedgers();
  if (!ledgers.ok()) return ledgers.status();
  std::string text;
  for (const Ledger& ledger : *ledgers) {
    absl::StrAppend(&text, ledger.name, " ", static_cast<int>(ledger.role), " ",
                    ledger.last_position, " ", absl::ToUnixMicros(ledger.created_time), "\n");
  }
  return text;
}

absl::StatusOr<std::string> HistoryText(EventStore& store, const Subject& subject) {
  const auto events = store.History(kBook, subject);
  if (!events.ok()) return events.status();
  std::string text;
  for (const auto& event : *events) {
    absl::StrAppend(&text, event.position, " ", event.version, " ", event.event.event_id, "\n");
  }
  return text;
}

Reads AllReads() {
  Reads reads;
  reads["ledgers"] = LedgersText;
  reads["log"] = [](EventStore& store) -> absl::StatusOr<std::string> {
    const auto log = ScriptedStore::Log(store);
    if (!log.ok()) return log.status();
    return absl::StrCat(::testing::PrintToString(*log));
  };
  std::vector<Subject> subjects = {settlement::SlotSubject(support::SlotText(1))};
  for (int n = 1; n <= 4; ++n) {
    subjects.push_back(support::Payment(n));
    subjects.push_back(support::Challenge(n));
  }
  for (const Subject& subject : subjects) {
    reads["history of " + subject.key] = [subject](EventStore& store) {
      return HistoryText(store, subject);
    };
    reads["answered " + subject.key] = [subject](EventStore& store) {
      return TextOf(store.Find(kBook, {AliasKind::kAnsweredChallenge, subject.key}, 10));
    };
  }
  for (int n = 1; n <= 4; ++n) {
    const std::vector<settlement::Alias> aliases = {
        {AliasKind::kSlot, support::SlotText(n)},
        {AliasKind::kPurchase, absl::StrCat("purchase-", n)},
        {AliasKind::kExecution, absl::StrCat("execution-", n)},
        {AliasKind::kChainTx, absl::StrFormat("0x%064x", 1000 + n)}};
    for (const settlement::Alias& alias : aliases) {
      reads[absl::StrCat("find ", static_cast<int>(alias.kind), " ", alias.value)] =
          [alias](EventStore& store) { return TextOf(store.Find(kBook, alias, 10)); };
    }
    reads["list by payer " + support::PayerOf(n)] = [n](EventStore& store) {
      ListQuery query;
      query.payer = support::PayerOf(n);
      query.now = support::At(0);
      return TextOf(store.List(kBook, query));
    };
  }
  reads["list"] = [](EventStore& store) {
    ListQuery query;
    query.now = support::At(0);
    return TextOf(store.List(kBook, query));
  };
  return reads;
}

class DamageTest : public ::testing::Test {
 protected:
  DamageTest() : DamageTest(30) {}
  explicit DamageTest(std::size_t checkpoint_pages)
      : reads_(AllReads()), script_(checkpoint_pages) {
    const FaultyDisk disk;
    {
      const auto store = script_.Open(disk);
      EXPECT_TRUE(store.ok()) << store.status();
      for (std::size_t step = 0; step < ScriptedStore::step_count(); ++step) {
        EXPECT_TRUE(ScriptedStore::Run(**store, step).ok());
      }
      for (const auto& [name, read] : reads_) wanted_[name] = *read(**store);
      killed_ = disk.image();
    }
    closed_ = disk.image();
  }

  absl::StatusOr<std::unique_ptr<SqliteEventStore>> OpenToRead(const FaultyDisk& disk) {
    return script_.Open(disk, SqliteEventStore::Mode::kReadOnly);
  }

  // True when everything is as it was. A read never gives another answer.
  bool ReadsAreRight(EventStore& store) {
    bool are_right = true;
    for (const auto& [name, read] : reads_) {
      const absl::StatusOr<std::string> answer = read(store);
      if (answer.ok()) {
        EXPECT_EQ(*answer, wanted_.at(name)) << name;
      } else {
        are_right = false;
        EXPECT_THAT(ReasonOf(answer.status()), AnyOf(Reason::kDataLoss, Reason::kDatabaseUnusable))
            << name << ": " << answer.status();
      }
    }
    return are_right;
  }

  bool IsFoundWhole(const FaultyDisk& disk) {
    const auto report = sqlite::Check(script_.path(), disk.vfs(), nullptr);
    if (report.ok()) return report->findings.count() == 0 && report->are_projections_compared;
    EXPECT_EQ(ReasonOf(report.status()), Reason::kDatabaseUnusable) << report.status();
    return false;
  }

  const Reads reads_;
  ScriptedStore script_;
  std::map<std::string, std::string> wanted_;
  DiskImage closed_;  // one file
  DiskImage killed_;  // and a log
};

TEST_F(DamageTest, WholeFilesAreFoundWhole) {
  for (const DiskImage& image : {closed_, killed_}) {
    const FaultyDisk disk(image);
    EXPECT_TRUE(IsFoundWhole(disk));
    const auto store = OpenToRead(disk);
    ASSERT_TRUE(store.ok()) << store.status();
    EXPECT_TRUE(ReadsAreRight(**store));
  }
}

TEST_F(DamageTest, FlippedByteShowsOrDoesNotMatter) {
  const std::size_t size = closed_.at(script_.path()).size();
  std::size_t found = 0;
  for (const std::size_t at : support::Sample("TALLY_FLIPS", 150, size, 4)) {
    SCOPED_TRACE(absl::StrCat("byte ", at, " of page ", at / 4096 + 1));
    DiskImage image = closed_;
    char& byte = image.at(script_.path())[at];
    byte = static_cast<char>(byte ^ (1 << at % 8));
    const FaultyDisk disk(image);
    const bool is_whole = IsFoundWhole(disk);
    const auto store = OpenToRead(disk);
    const bool are_right = store.ok() && ReadsAreRight(**store);
    if (!store.ok()) {
      EXPECT_THAT(ReasonOf(store.status()), AnyOf(Reason::kDataLoss, Reason::kDatabaseUnusable))
          << store.status();
    }
    EXPECT_TRUE(are_right || !is_whole) << "a read failed, and the check says nothing";
    found += is_whole ? 0U : 1U;
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 0U);
}

// Nothing of the log is in the file yet.
class LogDamageTest : public DamageTest {
 protected:
  LogDamageTest() : DamageTest(100'000) {}
};

// The log: a commit that is lost with the last two can't be told from one that was cut short.
TEST_F(LogDamageTest, FlippedByteOfTheLogShowsOrTakesTheLastCommits) {
  const Reference reference;
  const std::string log_path = script_.path() + "-wal";
  const std::size_t size = killed_.at(log_path).size();
  ASSERT_GT(size, 10U * 4096);
  std::size_t refused = 0;
  for (const std::size_t at : support::Sample("TALLY_FLIPS", 100, size, 5)) {
    SCOPED_TRACE(absl::StrCat("byte ", at, " of the log"));
    DiskImage image = killed_;
    char& byte = image.at(log_path)[at];
    byte = static_cast<char>(byte ^ (1 << at % 8));
    const FaultyDisk disk(image);
    const auto store = OpenToRead(disk);
    if (!store.ok()) {
      ++refused;
      EXPECT_EQ(ReasonOf(store.status()), Reason::kDataLoss) << store.status();
      EXPECT_FALSE(IsFoundWhole(disk));
      continue;
    }
    const auto log = ScriptedStore::Log(**store);
    ASSERT_TRUE(log.ok()) << log.status();
    const auto steps = reference.StepsOf(*log);
    ASSERT_TRUE(steps.has_value());
    EXPECT_GE(*steps + 2, ScriptedStore::step_count());
    if (*steps == ScriptedStore::step_count()) {
      EXPECT_TRUE(ReadsAreRight(**store));
    }
    EXPECT_TRUE(IsFoundWhole(disk));
    if (HasFailure()) return;
  }
  EXPECT_GT(refused, 0U);
}

// While a process has the log open, a page that turns bad in it is found when it is read.
TEST_F(LogDamageTest, PageOfTheLogThatTurnsBadIsNotRead) {
  const FaultyDisk disk(killed_);
  const std::string log_path = script_.path() + "-wal";
  const auto store = OpenToRead(disk);
  ASSERT_TRUE(store.ok()) << store.status();
  constexpr std::size_t kHeader = 32;
  constexpr std::size_t kFrame = 24 + 4096;
  const std::size_t size = disk.image().at(log_path).size();
  for (std::size_t at = kHeader; at < size; at += kFrame) disk.Flip(log_path, at + kFrame / 2);
  EXPECT_FALSE(ReadsAreRight(**store));
}

}  // namespace
}  // namespace tally::store
