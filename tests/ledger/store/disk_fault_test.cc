// A disk that fails or is full costs answers, and never what was acknowledged. TALLY_DISK_FAULTS
// says how many faults of each kind are tried; `all` is one at every call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "tests/ledger/store/script.h"
#include "tests/support/budget.h"
#include "tests/support/events.h"
#include "tests/support/power_loss.h"

namespace tally::store {
namespace {

using support::CutPower;
using support::DiskCall;
using support::DiskFault;
using support::FaultyDisk;
using support::Loss;
using ::testing::AnyOf;
using ::testing::IsEmpty;

const Reference& TheReference() {
  static const Reference* const kReference = new Reference();
  return *kReference;
}

absl::Status Append(EventStore& store, const std::string& id, int n) {
  return AppendAndWait(store, kBook, {support::Presented(id, n, 0)}).status();
}

std::size_t CountEvents(EventStore& store) {
  const auto log = store.ReadEvents(kBook, 0, 100000);
  EXPECT_TRUE(log.ok()) << log.status();
  return log.ok() ? log->size() : 0;
}

class DiskFaultTest : public ::testing::Test {
 protected:
  std::unique_ptr<SqliteEventStore> Open(const FaultyDisk& disk) {
    auto store = script_.Open(disk);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }
  std::unique_ptr<SqliteEventStore> OpenNew(const FaultyDisk& disk) {
    auto store = Open(disk);
    EXPECT_TRUE(ScriptedStore::Run(*store, 0).ok());
    return store;
  }

  ScriptedStore script_;
};

TEST_F(DiskFaultTest, FailedSyncStopsTheWriterAndARestartRecovers) {
  FaultyDisk disk;
  {
    const auto store = OpenNew(disk);
    ASSERT_TRUE(Append(*store, "a", 1).ok());
    disk.FailAt(DiskCall::kSync, 0, DiskFault::kInputOutput, false);
    const absl::Status unknown = Append(*store, "b", 2);
    EXPECT_EQ(ReasonOf(unknown), Reason::kStoreStopped) << unknown;
    EXPECT_EQ(ReasonOf(store->Health()), Reason::kStoreStopped);
    // The disk is well again, but nobody knows what it did with the pages.
    EXPECT_EQ(ReasonOf(Append(*store, "c", 3)), Reason::kStoreStopped);
    EXPECT_EQ(CountEvents(*store), 1U);
  }
  const auto store = Open(disk);
  EXPECT_TRUE(store->Health().ok());
  for (const char* id : {"b", "c"}) EXPECT_TRUE(Append(*store, id, 2 + (*id == 'c')).ok());
  EXPECT_EQ(CountEvents(*store), 3U);
}

TEST_F(DiskFaultTest, FailedSyncOfACheckpointStopsTheWriterToo) {
  support::DiskImage left;
  std::size_t written = 0;
  {
    FaultyDisk disk;
    const auto store = OpenNew(disk);
    absl::Status status;
    while (status.ok() && written < 100) {
      // The first sync of an append is the log's; the next would be a checkpoint's.
      disk.Mend();
      disk.FailAt(DiskCall::kSync, 1, DiskFault::kInputOutput, true);
      status = Append(*store, absl::StrCat(written), static_cast<int>(written) + 1);
      if (status.ok()) ++written;
    }
    EXPECT_EQ(ReasonOf(status), Reason::kStoreStopped) << status;
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("checkpoint"));
    EXPECT_EQ(ReasonOf(store->Health()), Reason::kStoreStopped);
    EXPECT_EQ(CountEvents(*store), written);
    left = CutPower(disk.history(), Loss::kAll, 1);
  }
  // What was acknowledged is in the log for good.
  EXPECT_GT(written, 0U);
  const FaultyDisk disk(left);
  EXPECT_EQ(CountEvents(*Open(disk)), written);
}

TEST_F(DiskFaultTest, FullDiskRefusesWritesUntilThereIsRoomAgain) {
  FaultyDisk disk;
  const auto store = OpenNew(disk);
  int written = 0;
  int refused = 0;
  // Room comes and goes several times; nobody restarts anything.
  for (const std::size_t room : {20000U, 60000U, 1000U, 300000U}) {
    disk.SetCapacity(disk.used() + room);
    absl::Status status;
    while (status.ok()) {
      const int n = written + 1;
      status = Append(*store, absl::StrCat(n), n);
      if (status.ok()) ++written;
      ASSERT_LT(written, 1000);
    }
    ++refused;
    EXPECT_EQ(ReasonOf(status), Reason::kDatabaseFull) << status;
    EXPECT_TRUE(store->Health().ok());
    EXPECT_EQ(CountEvents(*store), static_cast<std::size_t>(written));
  }
  EXPECT_EQ(refused, 4);
  disk.SetCapacity(disk.used() + 10'000'000);
  EXPECT_TRUE(Append(*store, "room", 5000).ok());
  EXPECT_EQ(CountEvents(*store), static_cast<std::size_t>(written) + 1);
  EXPECT_THAT(store->Rebuild(false)->differences, IsEmpty());
}

TEST_F(DiskFaultTest, ReadThatFailsIsAnErrorAndTheNextOneIsNot) {
  FaultyDisk disk;
  {
    const auto store = OpenNew(disk);
    for (int n = 1; n < 30; ++n) ASSERT_TRUE(Append(*store, absl::StrCat(n), n).ok());
  }
  int failed = 0;
  for (std::size_t n = 0; n < 20; ++n) {
    const auto store = Open(disk);
    disk.FailAt(DiskCall::kRead, n, DiskFault::kInputOutput, false);
    const auto history = store->History(kBook, support::Payment(7));
    if (!history.ok()) {
      ++failed;
      EXPECT_EQ(ReasonOf(history.status()), Reason::kDatabaseUnusable) << history.status();
    } else {
      EXPECT_EQ(history->size(), 1U);
    }
    disk.Mend();
    EXPECT_EQ(store->History(kBook, support::Payment(7))->size(), 1U);
    EXPECT_TRUE(store->Health().ok());
  }
  EXPECT_GT(failed, 2);
}

struct Kind {
  DiskCall call;
  DiskFault fault;
  bool is_lasting;
};

// Runs the script into a fault at the n-th call. Whatever fails is asked again, after a restart
// where the store says that it takes one. Afterwards the power is cut, and all of it is there.
class FaultAnywhereTest : public DiskFaultTest, public ::testing::WithParamInterface<Kind> {
 protected:
  // How often the script makes this call, from the first byte of an empty disk.
  std::size_t CallsOf(DiskCall call) {
    const FaultyDisk disk;
    const auto store = Open(disk);
    for (std::size_t i = 0; i < ScriptedStore::step_count(); ++i) {
      EXPECT_TRUE(ScriptedStore::Run(*store, i).ok());
    }
    return disk.calls(call);
  }

  // Opens until it works: the fault may lie in opening.
  std::unique_ptr<SqliteEventStore> OpenAtLast(FaultyDisk& disk) {
    auto store = script_.Open(disk);
    if (!store.ok()) {
      EXPECT_THAT(ReasonOf(store.status()), AnyOf(Reason::kDatabaseUnusable, Reason::kDatabaseFull))
          << store.status();
      disk.Mend();
      return Open(disk);
    }
    return *std::move(store);
  }

  void RunIntoFault(FaultyDisk& disk) {
    std::unique_ptr<SqliteEventStore> store = OpenAtLast(disk);
    for (std::size_t step = 0; step < ScriptedStore::step_count(); ++step) {
      ASSERT_NE(store, nullptr);
      absl::Status done = ScriptedStore::Run(*store, step);
      if (!done.ok()) {
        EXPECT_TRUE(disk.HasFailed());
        EXPECT_THAT(ReasonOf(done),
                    AnyOf(Reason::kDatabaseUnusable, Reason::kDatabaseFull, Reason::kStoreStopped))
            << done;
        disk.Mend();
        ExpectReads(*store, step);
        if (!store->Health().ok()) {
          store.reset();
          store = OpenAtLast(disk);
          ASSERT_NE(store, nullptr);
        }
        done = ScriptedStore::Run(*store, step);
      }
      ASSERT_TRUE(done.ok()) << done;
    }
    disk.Mend();
    ExpectReads(*store, ScriptedStore::step_count());
    left_ = CutPower(disk.history(), Loss::kAll, 1);
  }

  void ExpectReads(EventStore& store, std::size_t acknowledged) {
    const auto log = ScriptedStore::Log(store);
    ASSERT_TRUE(log.ok()) << log.status();
    const auto steps = TheReference().StepsOf(*log);
    ASSERT_TRUE(steps.has_value());
    EXPECT_GE(*steps, acknowledged);
  }

  support::DiskImage left_;
};

TEST_P(FaultAnywhereTest, CostsNothingThatWasAcknowledged) {
  const Kind kind = GetParam();
  const std::size_t calls = CallsOf(kind.call);
  ASSERT_GT(calls, 0U);
  std::size_t failed = 0;
  for (const std::size_t n : support::Sample("TALLY_DISK_FAULTS", 12, calls, 3)) {
    SCOPED_TRACE(absl::StrCat("fault at call ", n, " of ", calls));
    FaultyDisk disk;
    disk.FailAt(kind.call, n, kind.fault, kind.is_lasting);
    RunIntoFault(disk);
    if (HasFailure()) return;
    failed += disk.HasFailed() ? 1U : 0U;
    const FaultyDisk after(left_);
    const auto store = Open(after);
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(*ScriptedStore::Log(*store), TheReference().LogAfter(ScriptedStore::step_count()));
    EXPECT_THAT(store->Rebuild(false)->differences, IsEmpty());
  }
  EXPECT_GT(failed, 0U);
}

std::string NameOfKind(const ::testing::TestParamInfo<Kind>& info) {
  static const char* const kNames[] = {"Open", "Read",   "Write",    "Truncate",
                                       "Sync", "Delete", "MapShared"};
  return absl::StrCat(kNames[static_cast<std::size_t>(info.param.call)],
                      info.param.fault == DiskFault::kNoSpace ? "NoSpace" : "InputOutput",
                      info.param.is_lasting ? "Lasting" : "Once");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, FaultAnywhereTest,
    ::testing::Values(Kind{DiskCall::kOpen, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kRead, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kRead, DiskFault::kInputOutput, true},
                      Kind{DiskCall::kWrite, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kWrite, DiskFault::kInputOutput, true},
                      Kind{DiskCall::kWrite, DiskFault::kNoSpace, false},
                      Kind{DiskCall::kWrite, DiskFault::kNoSpace, true},
                      Kind{DiskCall::kTruncate, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kSync, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kSync, DiskFault::kInputOutput, true},
                      Kind{DiskCall::kSync, DiskFault::kNoSpace, false},
                      Kind{DiskCall::kDelete, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kMapShared, DiskFault::kInputOutput, false},
                      Kind{DiskCall::kMapShared, DiskFault::kNoSpace, true}),
    NameOfKind);

}  // namespace
}  // namespace tally::store
