#include "ledger/store/sqlite/replay.h"

#include <sqlite3.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/projector.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/rows.h"
#include "ledger/store/sqlite/sqlite_index.h"
#include "ledger/store/sqlite/subject_cache.h"

namespace tally::store::sqlite {
namespace {

// As many as a group of the writer may well hold.
constexpr std::int64_t kGroupEvents = 256;

constexpr char kEventsSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM main.events WHERE ledger_no = ? ORDER BY position";

// While it is there, this connection's `events` end at a position: a state that is read again in
// the middle of a replay must not know what came later.
class EventsUpTo {
 public:
  explicit EventsUpTo(Connection& connection) : connection_(connection) {
    const auto answer = [](sqlite3_context* context, int, sqlite3_value**) {
      sqlite3_result_int64(context, static_cast<EventsUpTo*>(sqlite3_user_data(context))->position);
    };
    connection_.database().createFunction("replayed_position", 0, false, this, answer);
    connection_.Execute(
        "CREATE TEMP VIEW events AS"
        " SELECT * FROM main.events WHERE position <= replayed_position()");
  }
  ~EventsUpTo() {
    // A transaction that failed takes the view with it.
    connection_.database().tryExec("DROP VIEW IF EXISTS temp.events");
    sqlite3_create_function_v2(connection_.database().getHandle(), "replayed_position", 0,
                               SQLITE_UTF8, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  EventsUpTo(const EventsUpTo&) = delete;
  EventsUpTo& operator=(const EventsUpTo&) = delete;

  std::int64_t position = 0;

 private:
  Connection& connection_;
};

class LedgerReplay {
 public:
  LedgerReplay(Connection& connection, const LedgerRow& ledger, EventsUpTo& events)
      : connection_(connection),
        ledger_(ledger),
        events_(events),
        cache_(connection),
        index_(connection, cache_, ledger.ledger_no, ledger.ledger.role) {}

  absl::Status Run(const std::function<void(std::int64_t)>& on_group) {
    events_.position = 0;
    Query rows(connection_, kEventsSql, ledger_.ledger_no);
    while (rows.Next()) {
      TALLY_RETURN_IF_ERROR(Take(ReadEventRow(rows)));
      if (events_.position % kGroupEvents != 0) continue;
      TALLY_RETURN_IF_ERROR(EndGroup());
      on_group(events_.position);
    }
    TALLY_RETURN_IF_ERROR(EndGroup());
    on_group(events_.position);
    return absl::OkStatus();
  }

 private:
  absl::Status Take(const EventRow& row) {
    TALLY_ASSIGN_OR_RETURN(const settlement::RecordedEvent event, Decode(row));
    const settlement::Subject& subject = event.event.subject;
    TALLY_ASSIGN_OR_RETURN(SubjectCache::Entry * entry, cache_.Load(ledger_.ledger_no, subject));
    if (entry->subject_no == 0) {
      entry->subject_no = SubjectNoOf(row.event_no);
      WriteSubject(connection_, entry->subject_no, ledger_.ledger_no, subject);
    }
    // The order of the log, and of each subject in it, is part of the truth.
    if (row.position != events_.position + 1 || event.version != entry->state.version + 1 ||
        SubjectNoOf(row.event_no) != entry->subject_no) {
      return Error(Reason::kDataLoss,
                   absl::StrCat("ledger ", ledger_.ledger.name, ": position ", events_.position + 1,
                                " does not follow the events before it"))
          .With("position", absl::StrCat(events_.position + 1));
    }
    events_.position = row.position;
    settlement::Evolve(entry->state, event);
    return Project(index_, event, stale_);
  }

  absl::Status EndGroup() {
    TALLY_RETURN_IF_ERROR(Summarise(index_, stale_));
    cache_.Trim();
    return absl::OkStatus();
  }

  Connection& connection_;
  const LedgerRow& ledger_;
  EventsUpTo& events_;
  SubjectCache cache_;
  SqliteIndex index_;
  StaleSummaries stale_;
};

}  // namespace

absl::Status Replay(Connection& connection, const OnReplayed& on_replayed) {
  return Guard("replay", [&]() -> absl::Status {
    TALLY_ASSIGN_OR_RETURN(const std::vector<LedgerRow> ledgers, ReadLedgers(connection));
    EventsUpTo events(connection);
    std::int64_t before = 0;
    for (const LedgerRow& ledger : ledgers) {
      LedgerReplay replay(connection, ledger, events);
      TALLY_RETURN_IF_ERROR(replay.Run([&](std::int64_t done) {
        if (on_replayed) on_replayed(before + done);
      }));
      before += events.position;
    }
    return absl::OkStatus();
  });
}

}  // namespace tally::store::sqlite
