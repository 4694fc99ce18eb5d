#include "ledger/settlement/label.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ledger/settlement/dossier.h"
#include "ledger/settlement/names.h"

namespace tally::settlement {
namespace {

template <typename E>
std::vector<E> All(int count) {
  std::vector<E> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<E>(i));
  return values;
}
const auto kPresentations = All<Presentation>(5);
const auto kExecutions = All<Execution>(6);
const auto kSettlements = All<Settlement>(6);
const auto kLivenesses = All<Liveness>(7);
const auto kDeliveries = All<Delivery>(4);

template <typename Visit>
void ForEveryCombination(Situation situation, Visit visit) {
  for (auto presentation : kPresentations) {
    for (auto execution : kExecutions) {
      for (auto settlement : kSettlements) {
        for (auto delivery : kDeliveries) {
          for (auto liveness : kLivenesses) {
            situation.presentation = presentation;
            situation.execution = execution;
            situation.settlement = settlement;
            situation.delivery = delivery;
            situation.liveness = liveness;
            visit(situation);
          }
        }
      }
    }
  }
}

struct Context {
  absl::string_view name;
  Situation flags;
};

std::vector<Context> Contexts() {
  std::vector<Context> contexts = {{"in time", {}}};
  const auto add = [&](absl::string_view name, auto set) {
    Context context{name, {}};
    set(context.flags);
    contexts.push_back(context);
  };
  add("time over", [](Situation& s) { s.is_time_over = true; });
  add("answer seen", [](Situation& s) { s.is_answer_seen = true; });
  add("upfront, run awaited",
      [](Situation& s) { s.is_upfront = s.is_run_awaited = s.is_time_left = true; });
  add("nonce consumed", [](Situation& s) { s.is_nonce_consumed = true; });
  add("idempotent tool", [](Situation& s) { s.is_tool_idempotent = true; });
  add("purchase blocked", [](Situation& s) { s.is_purchase_blocked = true; });
  add("same slot free", [](Situation& s) { s.is_same_slot_free = true; });
  return contexts;
}

std::string CellOf(const Situation& s) {
  const Label label = LabelOf(s);
  const Advices advices = AdviceFor(label, s);
  return absl::StrCat(std::string(NameOf(label)), " seller:", std::string(NameOf(advices.seller)),
                      " buyer:", std::string(NameOf(advices.buyer)),
                      MayPayAgain(label, s) ? " pay" : "", MayCallAgain(label, s) ? " call" : "");
}

// One line a combination of four axes; livenesses that read the same share a cell.
std::map<std::string, std::string> LinesOf(const Situation& flags) {
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> cells;
  ForEveryCombination(flags, [&](const Situation& s) {
    const std::string key =
        absl::StrCat(std::string(NameOf(s.presentation)), " ", std::string(NameOf(s.execution)),
                     " ", std::string(NameOf(s.settlement)), " ", std::string(NameOf(s.delivery)));
    auto& row = cells[key];
    const std::string cell = CellOf(s);
    const std::string liveness(NameOf(s.liveness));
    for (auto& [text, livenesses] : row) {
      if (text == cell) {
        livenesses += "," + liveness;
        return;
      }
    }
    row.emplace_back(cell, liveness);
  });
  std::map<std::string, std::string> lines;
  for (const auto& [key, row] : cells) {
    for (const auto& [text, livenesses] : row) {
      absl::StrAppend(&lines[key], lines[key].empty() ? "" : " | ", livenesses, " = ", text);
    }
  }
  return lines;
}

std::string WholeTable() {
  std::string table =
      "# Every combination of presentation, execution, settlement and delivery; then, by "
      "liveness,\n"
      "# label, advice, may_pay_again (pay), may_call_again (call). Contexts after the first list\n"
      "# only what differs from it.\n";
  std::map<std::string, std::string> base;
  for (const Context& context : Contexts()) {
    const std::map<std::string, std::string> lines = LinesOf(context.flags);
    absl::StrAppend(&table, "\n[", std::string(context.name), "]\n");
    for (const auto& [key, line] : lines) {
      if (!base.empty() && base[key] == line) continue;
      absl::StrAppend(&table, key, ": ", line, "\n");
    }
    if (base.empty()) base = lines;
  }
  return table;
}

TEST(LabelTest, TheWholeTableIsAsItWasAgreed) {
  const std::string path = std::string(TALLY_SOURCE_DIR) + "/tests/testdata/label_table.golden";
  const std::string table = WholeTable();
  if (std::getenv("UPDATE_GOLDENS") != nullptr) std::ofstream(path) << table;
  std::ifstream file(path);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(table, golden.str()) << "UPDATE_GOLDENS=1 writes it anew; read the difference first";
}

template <typename Visit>
void ForEverySituation(Visit visit) {
  for (unsigned bits = 0; bits < 1024; ++bits) {
    Situation s;
    s.is_upfront = bits & 1;
    s.is_run_awaited = bits & 2;
    s.is_time_left = bits & 4;
    s.is_nonce_consumed = bits & 8;
    s.is_answer_seen = bits & 16;
    s.is_time_over = bits & 32;
    s.is_tool_idempotent = bits & 64;
    s.is_same_slot_free = bits & 128;
    s.is_purchase_blocked = bits & 256;
    s.is_conflict = bits & 512;
    ForEveryCombination(s, visit);
  }
}

bool CanStillMoveMoney(const Situation& s) {
  return s.liveness == Liveness::kLive || s.liveness == Liveness::kLapsed ||
         s.liveness == Liveness::kNotProvable;
}

TEST(LabelTest, NobodyIsToldToPayWhileAnotherPaymentCouldStillMove) {
  ForEverySituation([](const Situation& s) {
    const Label label = LabelOf(s);
    const Advices advices = AdviceFor(label, s);
    const bool is_own_open = label != Label::kChallenged && CanStillMoveMoney(s);
    if (!is_own_open && !s.is_purchase_blocked) return;
    ASSERT_NE(advices.buyer, Advice::kPay) << CellOf(s);
    ASSERT_NE(advices.seller, Advice::kPay) << CellOf(s);
    ASSERT_FALSE(MayPayAgain(label, s)) << CellOf(s);
  });
}

TEST(LabelTest, PaidIsNeverSaidWithoutASettlementNorUnpaidWithOne) {
  const std::set<Label> paid = {
      Label::kPaid,       Label::kPaidUndelivered, Label::kPaidDeliveryUnknown,
      Label::kPaidRunDue, Label::kPaidNotRun,      Label::kPaidRunOpen};
  ForEverySituation([&](const Situation& s) {
    const Label label = LabelOf(s);
    if (s.is_conflict) return;
    ASSERT_EQ(paid.count(label) > 0, s.settlement == Settlement::kSettled) << CellOf(s);
  });
}

TEST(LabelTest, SigningAgainIsAdvisedOnlyWhereTheSlotIsFree) {
  ForEverySituation([](const Situation& s) {
    if (s.is_same_slot_free) return;
    ASSERT_NE(AdviceFor(LabelOf(s), s).buyer, Advice::kResignSameSlot) << CellOf(s);
  });
}

TEST(LabelTest, EveryLabelIsReached) {
  std::set<Label> reached;
  Situation closed;
  closed.is_closed = true;
  reached.insert(LabelOf(closed));
  ForEverySituation([&](const Situation& s) { reached.insert(LabelOf(s)); });
  EXPECT_EQ(reached.size(), static_cast<std::size_t>(kLabelCount));
}

TEST(LabelTest, NamesRoundTrip) {
  for (int i = 0; i < kLabelCount; ++i) {
    const Label label = static_cast<Label>(i);
    EXPECT_EQ(LabelFromName(NameOf(label)), label);
  }
  EXPECT_EQ(LabelFromName("LABEL_PAID"), std::nullopt);
}

}  // namespace
}  // namespace tally::settlement
