// An acknowledgement means on the disk, for good: the power is cut after every operation of the
// disk, with every kind of loss. TALLY_POWER_CUTS says how many cuts are looked at; `all` is every
// one.
#include "tests/support/power_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "ledger/store/sqlite/check.h"
#include "tests/ledger/store/script.h"
#include "tests/support/budget.h"

namespace tally::store {
namespace {

using support::CutPower;
using support::DiskHistory;
using support::DiskImage;
using support::FaultyDisk;
using support::Loss;
using ::testing::IsEmpty;

constexpr Loss kLosses[] = {Loss::kNothing, Loss::kAll, Loss::kTail, Loss::kAnything};

// A run of the script with nothing going wrong, as the disk saw it.
struct Recording {
  DiskHistory history;
  std::vector<std::size_t> acknowledged_at;  // of each step: how many operations there were
};

class PowerLossTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    reference_ = new Reference();
    script_ = new ScriptedStore();
    recording_ = new Recording();
    const FaultyDisk disk;
    {
      const auto store = script_->Open(disk);
      ASSERT_TRUE(store.ok()) << store.status();
      for (std::size_t step = 0; step < ScriptedStore::step_count(); ++step) {
        std::size_t at = 0;
        ASSERT_TRUE(ScriptedStore::Run(**store, step, [&] { at = disk.history_size(); }).ok());
        recording_->acknowledged_at.push_back(step == 0 ? disk.history_size() : at);
      }
    }
    recording_->history = disk.history();  // with the closing checkpoint
  }
  static void TearDownTestSuite() {
    delete reference_;
    delete script_;
    delete recording_;
  }

  static std::span<const support::DiskOperation> Until(std::size_t cut) {
    return std::span(recording_->history).first(cut);
  }
  // How many steps were acknowledged before the cut.
  static std::size_t AcknowledgedBy(std::size_t cut) {
    const std::vector<std::size_t>& at = recording_->acknowledged_at;
    return static_cast<std::size_t>(std::upper_bound(at.begin(), at.end(), cut) - at.begin());
  }

  // Everything acknowledged is there, and at most the step after it, whole.
  static void ExpectSteps(EventStore& store, std::size_t acknowledged) {
    const auto log = ScriptedStore::Log(store);
    ASSERT_TRUE(log.ok()) << log.status();
    const std::optional<std::size_t> steps = reference_->StepsOf(*log);
    ASSERT_TRUE(steps.has_value())
        << "half of a step, or none of the script: " << ::testing::PrintToString(*log);
    EXPECT_GE(*steps, acknowledged);
    EXPECT_LE(*steps, acknowledged + 1);
  }
  static void ExpectProjectionsTrue(EventStore& store) {
    const auto report = store.Rebuild(false);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(report->differences, IsEmpty());
  }
  // Whoever got no answer asks again, and goes on: in the end nothing shows that anything happened.
  static void ExpectSameEnd(EventStore& store, std::size_t acknowledged) {
    for (std::size_t step = acknowledged; step < ScriptedStore::step_count(); ++step) {
      const absl::Status done = ScriptedStore::Run(store, step);
      ASSERT_TRUE(done.ok()) << done;
    }
    EXPECT_EQ(*ScriptedStore::Log(store), reference_->LogAfter(ScriptedStore::step_count()));
    ExpectProjectionsTrue(store);
  }

  static Reference* reference_;
  static ScriptedStore* script_;
  static Recording* recording_;
};

Reference* PowerLossTest::reference_ = nullptr;
ScriptedStore* PowerLossTest::script_ = nullptr;
Recording* PowerLossTest::recording_ = nullptr;

TEST_F(PowerLossTest, RecordingHoldsCheckpointsBetweenSteps) {
  std::size_t database_syncs = 0;
  for (const support::DiskOperation& operation : recording_->history) {
    if (operation.call == support::DiskCall::kSync && operation.path == script_->path()) {
      ++database_syncs;
    }
  }
  EXPECT_GE(database_syncs, 5U);
  EXPECT_GE(recording_->history.size(), 250U);
}

TEST_F(PowerLossTest, NothingAcknowledgedIsLost) {
  const std::size_t cuts = recording_->history.size() + 1;
  for (const std::size_t number : support::Sample("TALLY_POWER_CUTS", 150, cuts * 4, 1)) {
    const std::size_t cut = number / 4;
    SCOPED_TRACE(absl::StrCat("cut after ", cut, " operations, loss ", number % 4));
    const FaultyDisk disk(CutPower(Until(cut), kLosses[number % 4], number));
    const auto store = script_->Open(disk);
    ASSERT_TRUE(store.ok()) << store.status();
    ExpectSteps(**store, AcknowledgedBy(cut));
    ExpectProjectionsTrue(**store);
    ExpectSameEnd(**store, AcknowledgedBy(cut));
    if (HasFailure()) return;
  }
}

// A killed process leaves in the system's memory what it had not synced. Who asks again after the
// restart is told that it is there: then it must outlive the machine.
TEST_F(PowerLossTest, WhatIsReadBackAfterAKillIsOnTheDiskToo) {
  const std::size_t cuts = recording_->history.size() + 1;
  for (const std::size_t cut : support::Sample("TALLY_POWER_CUTS", 100, cuts, 2)) {
    SCOPED_TRACE(absl::StrCat("killed after ", cut, " operations"));
    const std::size_t acknowledged = AcknowledgedBy(cut);
    DiskImage left;
    std::size_t told = 0;
    {
      const std::span<const support::DiskOperation> before = Until(cut);
      const FaultyDisk disk(DiskHistory(before.begin(), before.end()));
      const auto store = script_->Open(disk);
      ASSERT_TRUE(store.ok()) << store.status();
      const auto log = ScriptedStore::Log(**store);
      ASSERT_TRUE(log.ok()) << log.status();
      told = *reference_->StepsOf(*log);
      if (told > acknowledged) {
        ASSERT_TRUE(ScriptedStore::Run(**store, acknowledged).ok());
      }
      left = CutPower(disk.history(), Loss::kAll, cut);
    }
    const FaultyDisk disk(left);
    const auto store = script_->Open(disk);
    ASSERT_TRUE(store.ok()) << store.status();
    EXPECT_EQ(*ScriptedStore::Log(**store), reference_->LogAfter(told));
    if (HasFailure()) return;
  }
}

// A disk that says it synced and did not takes acknowledged events with it: nobody can help that.
// But what is left is a state that once was, or it is said to be broken.
TEST_F(PowerLossTest, DiskThatLiesLeavesAnEarlierStateOrIsFoundOut) {
  constexpr Loss kLost[] = {Loss::kAll, Loss::kTail, Loss::kAnything};
  const std::size_t cuts = recording_->history.size() + 1;
  std::size_t found_out = 0;
  std::size_t earlier = 0;
  for (const std::size_t number : support::Sample("TALLY_POWER_CUTS", 120, cuts * 3, 6)) {
    SCOPED_TRACE(absl::StrCat("cut after ", number / 3, " operations, loss ", number % 3));
    const FaultyDisk disk(support::CutPowerOfLiar(Until(number / 3), kLost[number % 3], number));
    const auto report = sqlite::Check(script_->path(), disk.vfs(), nullptr);
    if (!report.ok() || report->findings.count() > 0) {
      ++found_out;
      continue;
    }
    const auto store = script_->Open(disk);
    ASSERT_TRUE(store.ok()) << store.status();
    const auto log = ScriptedStore::Log(**store);
    ASSERT_TRUE(log.ok()) << log.status();
    const std::optional<std::size_t> steps = reference_->StepsOf(*log);
    ASSERT_TRUE(steps.has_value()) << ::testing::PrintToString(*log);
    ExpectProjectionsTrue(**store);
    // The ledger itself may be gone.
    ExpectSameEnd(**store, log->empty() ? 0 : *steps);
    if (*steps < AcknowledgedBy(number / 3)) ++earlier;
    if (HasFailure()) return;
  }
  EXPECT_GT(found_out, 0U);
  EXPECT_GT(earlier, 0U);
}

}  // namespace
}  // namespace tally::store
