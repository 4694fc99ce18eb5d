#include "ledger/store/sqlite/book.h"

#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/rebuild.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {
namespace {

constexpr char kLastRecordedSql[] =
    "SELECT recorded_us FROM events WHERE ledger_no = ? AND position = ?";
constexpr char kInsertLedgerSql[] = "INSERT INTO ledgers (name, role, created_us) VALUES (?, ?, ?)";
constexpr char kInsertEndpointSql[] =
    "INSERT INTO endpoint_names (ledger_no, name, endpoint) VALUES (?, ?, ?)";

}  // namespace

Book::Book(Connection& connection, const Clock& clock)
    : connection_(connection), clock_(clock), cache_(connection) {}

absl::StatusOr<LedgerWriter*> Book::Open(const std::string& name) {
  const auto known = ledgers_.find(name);
  if (known != ledgers_.end()) return known->second.get();
  TALLY_ASSIGN_OR_RETURN(LedgerRow row, ReadLedger(connection_, name));
  absl::Time last_recorded = absl::InfinitePast();
  Query tail(connection_, kLastRecordedSql, row.ledger_no, row.ledger.last_position);
  if (tail.Next()) last_recorded = FromMicros(tail.Int(0));
  auto opened = std::make_unique<LedgerWriter>(connection_, cache_, std::move(row), last_recorded);
  return ledgers_.emplace(name, std::move(opened)).first->second.get();
}

absl::StatusOr<std::vector<Receipt>> Book::Append(const std::string& ledger,
                                                  std::vector<Prepared> events) {
  TALLY_ASSIGN_OR_RETURN(LedgerWriter * writer, Open(ledger));
  return writer->Append(std::move(events), writer->Now(clock_));
}

absl::StatusOr<std::vector<Receipt>> Book::Decide(const std::string& ledger,
                                                  const Decider& decider) {
  TALLY_ASSIGN_OR_RETURN(LedgerWriter * writer, Open(ledger));
  const absl::Time now = writer->Now(clock_);
  TALLY_ASSIGN_OR_RETURN(std::vector<settlement::Event> events, decider(*writer, now));
  TALLY_ASSIGN_OR_RETURN(std::vector<Prepared> prepared, Prepare(std::move(events)));
  return writer->Append(std::move(prepared), now);
}

absl::StatusOr<Ledger> Book::CreateLedger(const Ledger& ledger, bool* is_created) {
  const absl::StatusOr<LedgerRow> existing = ReadLedger(connection_, ledger.name);
  if (existing.ok()) {
    TALLY_RETURN_IF_ERROR(CheckSameLedger(existing->ledger, ledger));
    if (is_created != nullptr) *is_created = false;
    return existing->ledger;
  }
  if (ReasonOf(existing.status()) != Reason::kLedgerNotFound) return existing.status();
  ++written_;
  const std::string role(RoleText(ledger.role));
  Query(connection_, kInsertLedgerSql, ledger.name, role, ToMicros(clock_.Now())).Run();
  const std::int64_t ledger_no = connection_.database().getLastInsertRowid();
  for (const auto& [name, endpoint] : ledger.endpoint_names) {
    Query(connection_, kInsertEndpointSql, ledger_no, name, endpoint).Run();
  }
  if (is_created != nullptr) *is_created = true;
  TALLY_ASSIGN_OR_RETURN(LedgerRow created, ReadLedger(connection_, ledger.name));
  return std::move(created.ledger);
}

absl::Status Book::ReplaceProjections() {
  TALLY_RETURN_IF_ERROR(Flush());
  ++written_;
  TALLY_RETURN_IF_ERROR(sqlite::ReplaceProjections(connection_));
  Forget();
  return absl::OkStatus();
}

std::int64_t Book::written() const {
  std::int64_t written = written_;
  for (const auto& [name, ledger] : ledgers_) written += ledger->written();
  return written;
}

absl::Status Book::Flush() {
  for (const auto& [name, ledger] : ledgers_) TALLY_RETURN_IF_ERROR(ledger->Flush());
  return absl::OkStatus();
}

std::vector<std::shared_ptr<const Appended>> Book::Committed() {
  cache_.Trim();
  std::vector<std::shared_ptr<const Appended>> all;
  for (const auto& [name, ledger] : ledgers_) {
    std::vector<StoredEvent> events = ledger->TakeAppended();
    if (events.empty()) continue;
    all.push_back(std::make_shared<const Appended>(Appended{name, std::move(events)}));
  }
  return all;
}

void Book::Forget() {
  ledgers_.clear();
  cache_.Clear();
}

}  // namespace tally::store::sqlite
