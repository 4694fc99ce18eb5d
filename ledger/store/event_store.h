// Where events live. The events are the truth; aliases and summaries are projections that can be
// made again from them. Implementations: memory/ (tests), sqlite/ (default).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ledger/base/clock.h"
#include "ledger/settlement/answer.h"
#include "ledger/settlement/event.h"
#include "ledger/settlement/index.h"
#include "ledger/store/feed.h"

namespace tally::store {

struct Ledger {
  std::string name;  // [a-z0-9][a-z0-9_-]{0,62}
  settlement::LedgerRole role = settlement::LedgerRole::kSeller;
  std::map<std::string, std::string> endpoint_names;  // name → the endpoint it stands for
  absl::Time created_time;
  std::int64_t last_position = 0;  // filled by GetLedger() and ListLedgers()
};

struct Receipt {
  std::int64_t position = 0;
  std::int64_t version = 0;
  absl::Time recorded_time;
  bool is_replayed =
      false;  // recorded before with the same content; the numbers are the first ones
};

// What a decider sees: the state as of everything committed or queued before it.
class View {
 public:
  virtual ~View() = default;
  // An empty state when nothing is recorded.
  virtual absl::StatusOr<settlement::State> Load(const settlement::Subject& subject) = 0;
  virtual absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                                std::size_t limit) = 0;
};

// Runs on the writer's thread, just before its events are written. Must be quick and must not
// block. Returns what to append (none is fine), or why not.
using Decider =
    std::function<absl::StatusOr<std::vector<settlement::Event>>(View& view, absl::Time now)>;
// Runs once, on the writer's thread after the commit or refusal, or on the caller's when the
// request is refused before it is queued. Must not block.
using Done = std::function<void(absl::StatusOr<std::vector<Receipt>>)>;

// A row of a list: what is needed to choose rows before their events are read.
struct Summary {
  settlement::Subject subject;
  absl::Time first_time;                                  // earliest occurred
  absl::Time last_time;                                   // latest occurred
  settlement::Label label = settlement::Label::kInDoubt;  // as of the last write
  absl::Time fresh_until;  // after this the label may have changed by the clock alone
  std::string payer;
  std::string tool;
  bool is_listed = true;  // not so for an answered challenge, or a call without a payment
};

struct ListQuery {
  std::vector<settlement::Label> labels;  // empty: all. Rows whose label may be stale are returned
                                          // too: the caller evaluates and filters again.
  std::string payer;                      // empty: any
  std::string tool;                       // empty: any
  std::optional<absl::Time> from;         // last_time >= from
  std::optional<absl::Time> before;       // first_time < before
  absl::Time now;                         // for fresh_until
  // Rows come by (first_time, subject); start after this one.
  std::optional<std::pair<absl::Time, settlement::Subject>> after;
  std::size_t limit = 100;
};

// Of one ledger, whether listed or not.
struct Totals {
  std::int64_t events = 0;
  std::int64_t challenges = 0;
};

// A stretch of a ledger's log.
struct LogRange {
  std::int64_t after = 0;          // positions beyond this one
  std::size_t events_max = 1000;   // at most
  std::size_t bytes_max = 262144;  // of envelopes; a single event is returned whatever it weighs
};

struct RebuildReport {
  std::int64_t events = 0;
  std::int64_t subjects = 0;
  std::int64_t aliases = 0;
  std::vector<std::string>
      differences;  // empty: the projections are what the events say. At most 100.
};

// Reads of one ledger. To be used by one thread at a time and not for long: it holds a connection
// and, in SQLite, one moment of the file, so that all its reads agree with each other.
class Reader {
 public:
  virtual ~Reader() = default;

  virtual const Ledger& ledger() const = 0;
  // Events of a subject by version; empty when nothing is recorded.
  virtual absl::StatusOr<std::vector<settlement::RecordedEvent>> History(
      const settlement::Subject& subject) = 0;
  // Distinct subjects, those first seen last; empty for a key nothing was filed under. A link
  // between a challenge and a settlement is found from both ends: kAnsweredChallenge with the
  // challenge's key gives settlements, with a settlement's key gives challenges.
  virtual absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                                std::size_t limit) = 0;
  // Events with position > after, by position.
  virtual absl::StatusOr<std::vector<settlement::RecordedEvent>> ReadEvents(std::int64_t after,
                                                                            std::size_t limit) = 0;
  // The same events as they are kept, for handing on: checked against their checksums, not read.
  virtual absl::StatusOr<std::vector<StoredEvent>> ReadStored(const LogRange& range) = 0;
  // Settlements, calls with unreadable payments, and challenges that no presentation answers.
  virtual absl::StatusOr<std::vector<Summary>> List(const ListQuery& query) = 0;
  virtual absl::StatusOr<Totals> Count() = 0;
};

// Thread-safe. Every read after an acknowledged write sees it.
class EventStore {
 public:
  virtual ~EventStore() = default;

  // LEDGER_EXISTS when the name is taken by another role or other endpoint names; the same again is
  // OK. `is_created` says which.
  virtual absl::StatusOr<Ledger> CreateLedger(const Ledger& ledger, bool* is_created) = 0;
  virtual absl::StatusOr<Ledger> GetLedger(absl::string_view name) = 0;  // LEDGER_NOT_FOUND
  virtual absl::StatusOr<std::vector<Ledger>> ListLedgers() = 0;         // by name

  // Appends all events or none, durably, in order; `done` is called exactly once. A repeat of an
  // event_id with the same content (recorder left aside) is replayed; with other content
  // EVENT_ID_REUSED with both digests, and nothing of the batch is stored. Within one batch the
  // same holds. DATABASE_FULL, STORE_STOPPED, OVERLOADED, LEDGER_NOT_FOUND, LIMIT_EXCEEDED.
  virtual void Append(absl::string_view ledger, std::vector<settlement::Event> events,
                      Done done) = 0;
  virtual void Decide(absl::string_view ledger, Decider decider, Done done) = 0;

  // Sees every write acknowledged before. LEDGER_NOT_FOUND. It must go before the store does.
  virtual absl::StatusOr<std::unique_ptr<Reader>> OpenReader(absl::string_view ledger) = 0;
  // One read by a reader of its own.
  absl::StatusOr<std::vector<settlement::RecordedEvent>> History(
      absl::string_view ledger, const settlement::Subject& subject);
  absl::StatusOr<std::vector<settlement::Subject>> Find(absl::string_view ledger,
                                                        const settlement::Alias& alias,
                                                        std::size_t limit);
  absl::StatusOr<std::vector<settlement::RecordedEvent>> ReadEvents(absl::string_view ledger,
                                                                    std::int64_t after,
                                                                    std::size_t limit);
  absl::StatusOr<std::vector<StoredEvent>> ReadStored(absl::string_view ledger,
                                                      const LogRange& range);
  absl::StatusOr<std::vector<Summary>> List(absl::string_view ledger, const ListQuery& query);

  // Tells of everything that this store appends from now on. Whoever listens first and reads then
  // misses nothing.
  virtual std::unique_ptr<Listening> Listen(Listener listener) = 0;

  // Makes the projections again from the events, beside the old ones, and compares. With `replace`
  // the new ones take their place.
  virtual absl::StatusOr<RebuildReport> Rebuild(bool replace) = 0;
  // A consistent copy into a new file while the store is in use; verified by reading it back.
  virtual absl::Status Backup(absl::string_view path) = 0;
  // OK while writes are accepted; why not otherwise.
  virtual absl::Status Health() = 0;
};

// Blocking forms for those who may block.
absl::StatusOr<std::vector<Receipt>> AppendAndWait(EventStore& store, absl::string_view ledger,
                                                   std::vector<settlement::Event> events);
absl::StatusOr<std::vector<Receipt>> DecideAndWait(EventStore& store, absl::string_view ledger,
                                                   Decider decider);

}  // namespace tally::store
