#include "ledger/store/memory/memory_event_store.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/admission.h"
#include "ledger/store/memory_index.h"

namespace tally::store {

using settlement::RecordedEvent;
using settlement::Subject;

// One ledger: its events, where each is, and what is projected from them.
class MemoryEventStore::Book final : public OpenLedger, public View {
 public:
  explicit Book(Ledger ledger) : ledger_(std::move(ledger)), index_(ledger_.role) {}

  Ledger Describe() const {
    Ledger ledger = ledger_;
    ledger.last_position = static_cast<std::int64_t>(events_.size());
    return ledger;
  }

  absl::Time Now(const Clock& clock) const {
    return events_.empty() ? clock.Now() : std::max(clock.Now(), events_.back().recorded_time);
  }

  absl::StatusOr<std::vector<Receipt>> Append(std::vector<Prepared> events, absl::Time now) {
    TALLY_ASSIGN_OR_RETURN(std::vector<Receipt> receipts, FileAll(*this, std::move(events), now));
    TALLY_RETURN_IF_ERROR(Summarise(index_, stale_));
    return receipts;
  }

  absl::StatusOr<std::optional<RecordedEvent>> FindEvent(absl::string_view event_id) override {
    const auto place = places_.find(event_id);
    if (place == places_.end()) return std::nullopt;
    return events_[place->second];
  }

  absl::StatusOr<std::int64_t> VersionOf(const Subject& subject) override {
    TALLY_ASSIGN_OR_RETURN(const settlement::State* state, index_.Load(subject));
    return state->version;
  }

  absl::StatusOr<Receipt> File(Prepared event, absl::Time now) override {
    TALLY_ASSIGN_OR_RETURN(const std::int64_t version, VersionOf(event.event.subject));
    RecordedEvent recorded{std::move(event.event), static_cast<std::int64_t>(events_.size()) + 1,
                           version + 1, now};
    places_.emplace(recorded.event.event_id, events_.size());
    stored_.push_back({recorded.position, recorded.version, now, std::move(event.envelope)});
    index_.Evolve(recorded);
    TALLY_RETURN_IF_ERROR(Project(index_, recorded, stale_));
    events_.push_back(std::move(recorded));
    return Receipt{events_.back().position, version + 1, now, false};
  }

  absl::StatusOr<settlement::State> Load(const Subject& subject) override {
    TALLY_ASSIGN_OR_RETURN(const settlement::State* state, index_.Load(subject));
    return *state;
  }

  absl::StatusOr<std::vector<Subject>> Find(const settlement::Alias& alias,
                                            std::size_t limit) override {
    return index_.Find(alias, limit);
  }

  // What was filed since the last call; nullptr when nothing was.
  std::shared_ptr<const Appended> TakeAppended() {
    if (told_ == stored_.size()) return nullptr;
    auto appended = std::make_shared<Appended>();
    appended->ledger = ledger_.name;
    appended->events.assign(stored_.begin() + static_cast<std::ptrdiff_t>(told_), stored_.end());
    told_ = stored_.size();
    return appended;
  }

  const Ledger& ledger() const { return ledger_; }
  const std::vector<RecordedEvent>& events() const { return events_; }
  const std::vector<StoredEvent>& stored() const { return stored_; }
  const MemoryIndex& index() const { return index_; }

 private:
  Ledger ledger_;
  std::vector<RecordedEvent> events_;
  std::vector<StoredEvent> stored_;                         // the same
  std::size_t told_ = 0;                                    // of stored_
  std::map<std::string, std::size_t, std::less<>> places_;  // event id → where in events_
  MemoryIndex index_;
  StaleSummaries stale_;
};

namespace {

bool Selects(const ListQuery& query, const Summary& row) {
  if (!row.is_listed) return false;
  const bool has_label =
      query.labels.empty() || row.fresh_until <= query.now ||
      std::find(query.labels.begin(), query.labels.end(), row.label) != query.labels.end();
  return has_label && (query.payer.empty() || query.payer == row.payer) &&
         (query.tool.empty() || query.tool == row.tool) &&
         (!query.from.has_value() || row.last_time >= *query.from) &&
         (!query.before.has_value() || row.first_time < *query.before) &&
         (!query.after.has_value() || std::tie(row.first_time, row.subject) >
                                          std::tie(query.after->first, query.after->second));
}

void Compare(const MemoryIndex& kept, const MemoryIndex& made, absl::string_view ledger,
             RebuildReport& report) {
  if (kept.aliases() != made.aliases()) {
    report.differences.push_back(std::string(ledger) + ": aliases differ");
  }
  const auto row = [](const Summary& s) {
    return std::tie(s.subject, s.first_time, s.last_time, s.label, s.fresh_until, s.payer, s.tool,
                    s.is_listed);
  };
  for (const auto& [subject, summary] : made.summaries()) {
    const auto old = kept.summaries().find(subject);
    if (old == kept.summaries().end() || row(old->second) != row(summary)) {
      report.differences.push_back(std::string(ledger) + ": summary of " + subject.key);
    }
  }
}

}  // namespace

MemoryEventStore::MemoryEventStore(const Clock& clock) : clock_(clock) {}
MemoryEventStore::~MemoryEventStore() = default;

absl::StatusOr<MemoryEventStore::Book*> MemoryEventStore::Open(absl::string_view name) {
  const auto book = books_.find(name);
  if (book == books_.end()) return LedgerNotFound(name);
  return book->second.get();
}

absl::StatusOr<Ledger> MemoryEventStore::CreateLedger(const Ledger& ledger, bool* is_created) {
  TALLY_RETURN_IF_ERROR(CheckLedgerName(ledger.name));
  const MutexLock lock(mutex_);
  auto& book = books_[ledger.name];
  if (is_created != nullptr) *is_created = book == nullptr;
  if (book != nullptr) {
    TALLY_RETURN_IF_ERROR(CheckSameLedger(book->ledger(), ledger));
    return book->Describe();
  }
  Ledger created = ledger;
  created.created_time = clock_.Now();
  book = std::make_unique<Book>(std::move(created));
  return book->Describe();
}

absl::StatusOr<Ledger> MemoryEventStore::GetLedger(absl::string_view name) {
  const MutexLock lock(mutex_);
  TALLY_ASSIGN_OR_RETURN(const Book* book, Open(name));
  return book->Describe();
}

absl::StatusOr<std::vector<Ledger>> MemoryEventStore::ListLedgers() {
  const MutexLock lock(mutex_);
  std::vector<Ledger> ledgers;
  for (const auto& [name, book] : books_) ledgers.push_back(book->Describe());
  return ledgers;
}

void MemoryEventStore::Append(absl::string_view ledger, std::vector<settlement::Event> events,
                              Done done) {
  Decide(
      ledger, [&events](View&, absl::Time) { return std::move(events); }, std::move(done));
}

void MemoryEventStore::Decide(absl::string_view ledger, Decider decider, Done done) {
  const auto write = [&]() -> absl::StatusOr<std::vector<Receipt>> {
    const MutexLock lock(mutex_);
    TALLY_ASSIGN_OR_RETURN(Book * book, Open(ledger));
    const absl::Time now = book->Now(clock_);
    TALLY_ASSIGN_OR_RETURN(std::vector<settlement::Event> events, decider(*book, now));
    TALLY_ASSIGN_OR_RETURN(std::vector<Prepared> prepared, Prepare(std::move(events)));
    auto receipts = book->Append(std::move(prepared), now);
    // Inside the lock, so that what is told first was appended first.
    if (const auto appended = book->TakeAppended()) feed_.Tell(appended);
    return receipts;
  };
  done(write());
}

// Books are never taken away, so that a reader can hold on to its own.
class MemoryEventStore::BookReader final : public Reader {
 public:
  BookReader(Mutex& mutex, Book& book) : mutex_(mutex), book_(book) {}

  const Ledger& ledger() const override { return book_.ledger(); }

  absl::StatusOr<std::vector<RecordedEvent>> History(const Subject& subject) override {
    const MutexLock lock(mutex_);
    std::vector<RecordedEvent> history;
    for (const RecordedEvent& event : book_.events()) {
      if (event.event.subject == subject) history.push_back(event);
    }
    return history;
  }

  absl::StatusOr<std::vector<Subject>> Find(const settlement::Alias& alias,
                                            std::size_t limit) override {
    const MutexLock lock(mutex_);
    return book_.Find(alias, limit);
  }

  absl::StatusOr<std::vector<RecordedEvent>> ReadEvents(std::int64_t after,
                                                        std::size_t limit) override {
    const MutexLock lock(mutex_);
    const std::vector<RecordedEvent>& all = book_.events();
    const std::size_t from =
        std::min(static_cast<std::size_t>(std::max<std::int64_t>(after, 0)), all.size());
    const std::size_t count = std::min(limit, all.size() - from);
    return std::vector<RecordedEvent>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                      all.begin() + static_cast<std::ptrdiff_t>(from + count));
  }

  absl::StatusOr<std::vector<StoredEvent>> ReadStored(const LogRange& range) override {
    const MutexLock lock(mutex_);
    std::vector<StoredEvent> events;
    std::size_t bytes = 0;
    for (auto at = static_cast<std::size_t>(std::max<std::int64_t>(range.after, 0));
         at < book_.stored().size() && events.size() < range.events_max; ++at) {
      bytes += book_.stored()[at].envelope.size();
      if (bytes > range.bytes_max && !events.empty()) break;
      events.push_back(book_.stored()[at]);
    }
    return events;
  }

  absl::StatusOr<std::vector<Summary>> List(const ListQuery& query) override {
    const MutexLock lock(mutex_);
    std::vector<Summary> rows;
    for (const auto& [subject, summary] : book_.index().summaries()) {
      if (Selects(query, summary)) rows.push_back(summary);
    }
    std::sort(rows.begin(), rows.end(), [](const Summary& a, const Summary& b) {
      return std::tie(a.first_time, a.subject) < std::tie(b.first_time, b.subject);
    });
    if (rows.size() > query.limit) rows.resize(query.limit);
    return rows;
  }

  absl::StatusOr<Totals> Count() override {
    const MutexLock lock(mutex_);
    Totals totals;
    totals.events = static_cast<std::int64_t>(book_.events().size());
    for (const auto& [subject, summary] : book_.index().summaries()) {
      if (subject.kind == settlement::SubjectKind::kChallenge) ++totals.challenges;
    }
    return totals;
  }

 private:
  Mutex& mutex_;
  Book& book_;
};

absl::StatusOr<std::unique_ptr<Reader>> MemoryEventStore::OpenReader(absl::string_view ledger) {
  const MutexLock lock(mutex_);
  TALLY_ASSIGN_OR_RETURN(Book * book, Open(ledger));
  return std::make_unique<BookReader>(mutex_, *book);
}

std::unique_ptr<Listening> MemoryEventStore::Listen(Listener listener) {
  return feed_.Add(std::move(listener));
}

absl::StatusOr<RebuildReport> MemoryEventStore::Rebuild(bool replace) {
  const MutexLock lock(mutex_);
  RebuildReport report;
  for (auto& [name, book] : books_) {
    auto made = std::make_unique<Book>(book->ledger());
    for (std::size_t i = 0; i < book->events().size(); ++i) {
      const RecordedEvent& event = book->events()[i];
      std::vector<Prepared> one;
      one.push_back({event.event, book->stored()[i].envelope});
      TALLY_RETURN_IF_ERROR(made->Append(std::move(one), event.recorded_time).status());
    }
    made->TakeAppended();  // was told before
    Compare(book->index(), made->index(), name, report);
    report.events += static_cast<std::int64_t>(book->events().size());
    report.subjects += static_cast<std::int64_t>(made->index().subject_count());
    report.aliases += static_cast<std::int64_t>(made->index().alias_count());
    if (replace) *book = std::move(*made);
  }
  return report;
}

absl::Status MemoryEventStore::Backup(absl::string_view /*path*/) {
  return Error(Reason::kDatabaseUnusable, "a store in memory has no file to copy");
}

absl::Status MemoryEventStore::Health() { return absl::OkStatus(); }

}  // namespace tally::store
