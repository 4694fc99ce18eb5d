#include "tools/tally/settlement_text.h"

#include <cstdio>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/tally/event_json.h"
#include "tools/tally/message_json.h"
#include "tools/tally/settlement_json.h"
#include "tools/tally/table.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

namespace {

// Names and values in two columns; empty values are left out.
class Facts {
 public:
  void Add(const std::string& name, std::string value, Color color = Color::kNone) {
    if (!value.empty()) table_.Add({name, Cell(std::move(value), color)});
  }
  void Print() const {
    if (table_.is_empty()) return;
    std::fputs("\n", stdout);
    table_.Print(2);
  }

 private:
  Table table_{{"", ""}};
};

void PrintAnswer(const v1::Settlement& settlement) {
  std::printf("%s  %s\n", Paint(ColorOf(settlement.label()), WordOf(settlement.label())).c_str(),
              Printable(KeyText(settlement)).c_str());
  if (!settlement.reason().empty()) std::printf("%s\n", Printable(settlement.reason()).c_str());
  Facts facts;
  facts.Add("seller should", WordOf(settlement.seller_advice()), Color::kBold);
  facts.Add("buyer should", WordOf(settlement.buyer_advice()), Color::kBold);
  facts.Add("may pay again", settlement.may_pay_again() ? "yes" : "no");
  facts.Add("may call again", settlement.may_call_again() ? "yes" : "no");
  facts.Add("ask again at", TimeText(settlement.has_retry_after(), settlement.retry_after()));
  facts.Add("decidable from", TimeText(settlement.has_decidable_at(), settlement.decidable_at()));
  facts.Add("can move money until",
            TimeText(settlement.has_exposed_until(), settlement.exposed_until()));
  facts.Add("does not fit", AnomalyWords(settlement, ", "), Color::kOpen);
  facts.Print();
}

void AddAxis(Table& table, const std::string& name, const std::string& value,
             const v1::Anchor& anchor) {
  table.Add({name, value.empty() ? "–" : value, WordOf(anchor.word()),
             anchor.position() == 0 ? "" : absl::StrCat("#", anchor.position()),
             TimeText(anchor.has_time(), anchor.time())});
}

void PrintAxes(const v1::Settlement& settlement) {
  const v1::Axes& axes = settlement.axes();
  Table table({"AXIS", "VALUE", "WHOSE WORD", "EVENT", "TIME"});
  AddAxis(table, "presentation", WordOf(axes.presentation().value()), axes.presentation().anchor());
  AddAxis(table, "execution", WordOf(axes.execution().value()), axes.execution().anchor());
  AddAxis(table, "settlement", WordOf(axes.settlement().value()), axes.settlement().anchor());
  AddAxis(table, "liveness", LivenessWord(settlement), axes.liveness().anchor());
  AddAxis(table, "delivery", WordOf(axes.delivery().value()), axes.delivery().anchor());
  std::fputs("\n", stdout);
  table.Print(2);
}

void PrintTerms(const v1::Settlement& settlement, std::optional<int> decimals) {
  Facts facts;
  facts.Add("tool", settlement.resource().tool());
  facts.Add("endpoint", settlement.resource().endpoint());
  facts.Add("amount",
            MoneyText(settlement.amount(), settlement.network(), settlement.asset(), decimals));
  facts.Add("asset", settlement.asset());
  facts.Add("network", settlement.network());
  facts.Add("scheme", settlement.scheme());
  facts.Add("payer", settlement.payer());
  facts.Add("pay to", settlement.pay_to());
  facts.Add("chain tx", settlement.chain_tx());
  facts.Add("challenge id", settlement.challenge_id());
  facts.Add("purchase id", settlement.purchase_id());
  facts.Print();
}

void PrintLookup(const v1::Settlement& settlement) {
  if (!settlement.has_chain_lookup()) return;
  const v1::ChainLookup& lookup = settlement.chain_lookup();
  std::fputs("\nThe chain would decide:\n", stdout);
  Facts facts;
  facts.Add("network", lookup.network());
  facts.Add("contract", lookup.contract());
  facts.Add("call", absl::StrCat(lookup.method(), lookup.arguments().empty() ? "" : " with ",
                                 absl::StrJoin(lookup.arguments(), ", ")));
  if (lookup.has_bit()) facts.Add("used when", absl::StrCat("bit ", lookup.bit(), " of it is 1"));
  facts.Add("or the logs", absl::StrJoin(lookup.logs().events(), " or "));
  facts.Add("of contract", lookup.logs().contract());
  for (int i = 0; i < lookup.logs().topics_size(); ++i) {
    facts.Add(absl::StrCat("topic ", i), absl::StrJoin(lookup.logs().topics(i).any_of(), " or "));
  }
  facts.Add("not before", TimeText(lookup.has_after(), lookup.after()));
  facts.Print();
}

void PrintTimeline(const v1::Settlement& settlement) {
  if (settlement.timeline().empty()) return;
  Table table({"EVENT", "VERSION", "TIME", "TYPE", "WHAT IT SAYS"});
  const std::string own = SubjectText(settlement.subject());
  for (const v1::RecordedEvent& recorded : settlement.timeline()) {
    const v1::Event& event = recorded.event();
    // Facts of its slot count versions of their own, which no resolution closes.
    const bool is_own = SubjectText(event.subject()) == own;
    table.Add({absl::StrCat("#", recorded.position()),
               is_own ? absl::StrCat(recorded.version()) : "",
               TimeText(event.has_occurred_time(), event.occurred_time()), EventType(event),
               EventWords(event)});
  }
  std::fputs("\n", stdout);
  table.Print(2);
}

}  // namespace

void PrintSettlement(const v1::Settlement& settlement, std::optional<int> decimals) {
  PrintAnswer(settlement);
  PrintAxes(settlement);
  PrintTerms(settlement, decimals);
  PrintLookup(settlement);
  PrintTimeline(settlement);
}

}  // namespace tally::cli
