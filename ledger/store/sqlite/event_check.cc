#include "ledger/store/sqlite/event_check.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {
namespace {

using settlement::RecordedEvent;

constexpr std::int64_t kTellEvery = 1000;
constexpr absl::string_view kReadable = "rows that can be read";

constexpr char kByPositionSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE ledger_no = ? AND position > ? ORDER BY position";
constexpr char kByNumberSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE event_no > ? ORDER BY event_no";
constexpr char kSharedKeysSql[] =
    "SELECT event_key FROM events GROUP BY event_key HAVING count(*) > 1";
constexpr char kByKeySql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE event_key = ?";

class EventCheck {
 public:
  EventCheck(Connection& connection, Findings& findings, const OnEventsChecked& on_checked)
      : connection_(connection), findings_(findings), on_checked_(on_checked) {}

  std::int64_t Run() {
    std::vector<LedgerRow> ledgers;
    Read("ledgers", "", [&]() -> absl::Status {
      TALLY_ASSIGN_OR_RETURN(ledgers, ReadLedgers(connection_));
      return absl::OkStatus();
    });
    for (const LedgerRow& ledger : ledgers) {
      names_[ledger.ledger_no] = ledger.ledger.name;
      CheckByPosition(ledger);
    }
    const std::int64_t events = looked_at_;
    CheckByNumber();
    CheckIds();
    return events;
  }

 private:
  // The event before, in order of number.
  struct Before {
    EventRow row;
    settlement::Subject subject;
  };

  void Add(const std::string& ledger, std::int64_t position, absl::string_view what,
           absl::string_view seen, absl::string_view wanted) {
    findings_.Add({ledger, position, std::string(what), std::string(seen), std::string(wanted)});
  }
  std::string NameOf(std::int64_t ledger_no) const {
    const auto found = names_.find(ledger_no);
    return found == names_.end() ? absl::StrCat("number ", ledger_no) : found->second;
  }
  void Tell() {
    if (++looked_at_ % kTellEvery == 0 && on_checked_) on_checked_(looked_at_);
  }

  // False, and a finding, when `body` fails.
  template <typename Body>
  bool Read(absl::string_view what, const std::string& ledger, Body body) {
    const absl::Status status = Guard("read", body);
    if (!status.ok()) Add(ledger, 0, what, status.message(), kReadable);
    return status.ok();
  }

  // What can't be read is stepped over. A file that is broken all over is given up on.
  void CheckByPosition(const LedgerRow& ledger) {
    const std::string& name = ledger.ledger.name;
    std::int64_t position = 0;
    std::int64_t recorded_us = ToMicros(absl::InfinitePast());
    const auto read_on = [&]() -> absl::Status {
      Query rows(connection_, kByPositionSql, ledger.ledger_no, position);
      while (rows.Next()) {
        const EventRow row = ReadEventRow(rows);
        if (row.position != position + 1) {
          Add(name, position + 1, "position", absl::StrCat("position ", row.position),
              absl::StrCat("position ", position + 1));
        }
        position = row.position;
        CheckRow(name, row);
        if (row.recorded_us < recorded_us) {
          Add(name, position, "recorded time", absl::StrCat(row.recorded_us, " µs"),
              absl::StrCat("not before ", recorded_us, " µs"));
        }
        recorded_us = row.recorded_us;
        Tell();
      }
      return absl::OkStatus();
    };
    for (std::size_t broken = 0; broken < Findings::kKeptMax; ++broken) {
      if (Read(absl::StrCat("events from position ", position + 1, " on"), name, read_on)) return;
      ++position;
    }
  }

  // By itself.
  void CheckRow(const std::string& ledger, const EventRow& row) {
    if (row.checksum != ChecksumOf(row)) {
      Add(ledger, row.position, "checksum of the event", absl::StrCat(row.checksum),
          absl::StrCat(ChecksumOf(row)));
      return;
    }
    const absl::StatusOr<RecordedEvent> event = Decode(row);
    if (!event.ok()) {
      Add(ledger, row.position, "envelope", event.status().message(), "one that can be read");
      return;
    }
    const std::int64_t key = EventKey(ledger, event->event.event_id);
    if (row.event_key != key) {
      Add(ledger, row.position, absl::StrCat("key of event ", event->event.event_id),
          absl::StrCat(row.event_key), absl::StrCat(key));
    }
  }

  void CheckByNumber() {
    std::int64_t number = 0;
    std::optional<Before> before;
    const auto read_on = [&]() -> absl::Status {
      Query rows(connection_, kByNumberSql, number);
      while (rows.Next()) {
        EventRow row = ReadEventRow(rows);
        number = row.event_no;
        const absl::StatusOr<RecordedEvent> event = Decode(row);
        if (event.ok()) {
          CheckPlace(before, row, event->event.subject);
          before = Before{std::move(row), event->event.subject};
        }
        Tell();
      }
      return absl::OkStatus();
    };
    for (std::size_t broken = 0; broken < Findings::kKeptMax; ++broken) {
      const std::string what = absl::StrCat("events of subject number ", SubjectNoOf(number));
      if (Read(what, "", read_on)) return;
      number |= kVersionMax;  // on with the next subject
      before.reset();
    }
  }

  void CheckPlace(const std::optional<Before>& before, const EventRow& row,
                  const settlement::Subject& subject) {
    const std::string ledger = NameOf(row.ledger_no);
    const std::int64_t version = VersionOf(row.event_no);
    const bool goes_on =
        before.has_value() && SubjectNoOf(before->row.event_no) == SubjectNoOf(row.event_no);
    const std::int64_t wanted = goes_on ? VersionOf(before->row.event_no) + 1 : 1;
    if (version != wanted) {
      Add(ledger, row.position, absl::StrCat("version in ", subject.key), absl::StrCat(version),
          absl::StrCat(wanted));
    }
    if (!goes_on) return;
    if (subject != before->subject || row.ledger_no != before->row.ledger_no) {
      Add(ledger, row.position, absl::StrCat("subject of number ", SubjectNoOf(row.event_no)),
          subject.key, before->subject.key);
    }
    if (row.position <= before->row.position) {
      Add(ledger, row.position, absl::StrCat("order in ", subject.key),
          absl::StrCat("position ", row.position),
          absl::StrCat("a position after ", before->row.position));
    }
  }

  // Keys are short, so several ids may share one; no id comes twice in a ledger.
  void CheckIds() {
    Read("event ids", "", [&]() -> absl::Status {
      Query keys(connection_, kSharedKeysSql);
      while (keys.Next()) {
        std::set<std::pair<std::int64_t, std::string>> seen;
        Query rows(connection_, kByKeySql, keys.Int(0));
        while (rows.Next()) {
          const EventRow row = ReadEventRow(rows);
          const absl::StatusOr<RecordedEvent> event = Decode(row);
          if (!event.ok() || seen.emplace(row.ledger_no, event->event.event_id).second) continue;
          Add(NameOf(row.ledger_no), row.position, "event id", event->event.event_id,
              "an id of its own");
        }
      }
      return absl::OkStatus();
    });
  }

  Connection& connection_;
  Findings& findings_;
  const OnEventsChecked& on_checked_;
  std::map<std::int64_t, std::string> names_;
  std::int64_t looked_at_ = 0;
};

}  // namespace

std::int64_t CheckEvents(Connection& connection, Findings& findings,
                         const OnEventsChecked& on_checked) {
  return EventCheck(connection, findings, on_checked).Run();
}

}  // namespace tally::store::sqlite
