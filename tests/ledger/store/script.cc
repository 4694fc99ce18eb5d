#include "tests/ledger/store/script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/protocol/envelope_codec.h"
#include "tests/support/events.h"

namespace tally::store {
namespace {

using settlement::Event;
using support::Challenged;
using support::Payment;
using support::Presented;

// More than a page, so that it goes on in others.
Event WithDocument(Event event, char fill) {
  settlement::RawDocument document;
  document.bytes = std::string(9000, fill);
  event.document = std::move(document);
  return event;
}

Event ClaimOf(int n, const std::string& execution_id) {
  settlement::ExecutionClaimed body;
  body.execution_id = execution_id;
  body.request_id = "request";
  body.resource = support::MakeTool();
  body.arguments_sha256 = std::string(64, 'b');
  return support::MakeEvent("claim-" + execution_id, Payment(n), 20, std::move(body));
}

// Grants the run of a payment once.
Decider Claim(int n) {
  return [n](View& view, absl::Time) -> absl::StatusOr<std::vector<Event>> {
    const absl::StatusOr<settlement::State> state = view.Load(Payment(n));
    if (!state.ok()) return state.status();
    if (!state->claims.empty()) return std::vector<Event>();
    return std::vector<Event>{ClaimOf(n, absl::StrCat("execution-", n))};
  };
}

std::vector<std::vector<Event>> Batches() {
  return {
      {Challenged("c1", 1, 0), Presented("p1", 1, 1, 1, 1), Challenged("c2", 2, 2)},
      {support::Verified("v1", 1, 1, 3), WithDocument(Presented("p2", 2, 1, 4), 'x')},
      {},  // claims payment 1
      {support::Started("s1", 1, 5), Presented("p3", 3, 3, 5, 0, "other", "cube"),
       support::Verified("v2", 2, 1, 6)},
      {WithDocument(support::Settled("x1", 1, 1, 7), 'y'), Challenged("c3", 3, 1)},
      {},  // claims payment 2
      {support::SlotUsed("u1", 1, 9), Presented("p4", 4, 4, 2, 3), support::Started("s2", 2, 9)},
      {support::Settled("x3", 3, 3, 10), support::Verified("v4", 4, 4, 11)},
      {WithDocument(support::Settled("x4", 4, 4, 12), 'z')},
  };
}

}  // namespace

std::size_t ScriptedStore::step_count() { return Batches().size() + 1; }

absl::StatusOr<std::unique_ptr<SqliteEventStore>> ScriptedStore::Open(
    const support::FaultyDisk& disk, SqliteEventStore::Mode mode) {
  SqliteEventStore::Options options;
  options.path = path();
  options.mode = mode;
  options.vfs = disk.vfs();
  options.checkpoint_pages = checkpoint_pages_;
  return SqliteEventStore::Open(options, clock_);
}

absl::Status ScriptedStore::Run(EventStore& store, std::size_t number,
                                std::function<void()> acknowledged) {
  if (number == 0) {
    Ledger ledger;
    ledger.name = kBook;
    return store.CreateLedger(ledger, nullptr).status();
  }
  const std::vector<Event> batch = Batches()[number - 1];
  const auto promise = std::make_shared<std::promise<absl::Status>>();
  const Done done = [promise, acknowledged = std::move(acknowledged)](const auto& receipts) {
    if (receipts.ok() && acknowledged) acknowledged();
    promise->set_value(receipts.status());
  };
  if (batch.empty()) {
    store.Decide(kBook, Claim(number == 3 ? 1 : 2), done);
  } else {
    store.Append(kBook, batch, done);
  }
  return promise->get_future().get();
}

absl::StatusOr<std::vector<std::string>> ScriptedStore::Log(EventStore& store) {
  const auto events = store.ReadEvents(kBook, 0, 1000);
  if (ReasonOf(events.status()) == Reason::kLedgerNotFound) return std::vector<std::string>();
  if (!events.ok()) return events.status();
  std::vector<std::string> log;
  for (const settlement::RecordedEvent& event : *events) {
    log.push_back(absl::StrCat(event.position, " ", event.version, " ", event.event.event_id, " ",
                               absl::BytesToHexString(protocol::EncodeEnvelope(event.event))));
  }
  return log;
}

Reference::Reference() {
  ScriptedStore script;
  const support::FaultyDisk disk;
  const auto store = script.Open(disk);
  EXPECT_TRUE(store.ok()) << store.status();
  logs_.emplace_back();
  for (std::size_t step = 0; store.ok() && step < ScriptedStore::step_count(); ++step) {
    const absl::Status done = ScriptedStore::Run(**store, step);
    EXPECT_TRUE(done.ok()) << done;
    logs_.push_back(*ScriptedStore::Log(**store));
  }
}

std::vector<std::string> Reference::LogAfter(std::size_t steps) const { return logs_.at(steps); }

std::optional<std::size_t> Reference::StepsOf(const std::vector<std::string>& log) const {
  const auto found = std::find(logs_.rbegin(), logs_.rend(), log);
  if (found == logs_.rend()) return std::nullopt;
  return static_cast<std::size_t>(logs_.rend() - found) - 1;
}

}  // namespace tally::store
