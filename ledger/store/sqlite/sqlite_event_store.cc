#include "ledger/store/sqlite/sqlite_event_store.h"

#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/mutex.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/admission.h"
#include "ledger/store/sqlite/backup.h"
#include "ledger/store/sqlite/file_lock.h"
#include "ledger/store/sqlite/files.h"
#include "ledger/store/sqlite/log_check.h"
#include "ledger/store/sqlite/reader_pool.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/rebuild.h"
#include "ledger/store/sqlite/schema.h"
#include "ledger/store/sqlite/snapshot_reader.h"
#include "ledger/store/sqlite/writer.h"

namespace tally::store {

using sqlite::Connection;

// From last to first in time: readers go before the writer, whose closing checkpoints, and the lock
// goes after it.
struct SqliteEventStore::Parts {
  std::string path;
  std::string vfs;
  std::unique_ptr<sqlite::FileLock> lock;  // none in a reading store
  Feed feed;
  std::unique_ptr<sqlite::Writer> writer;  // the same
  std::unique_ptr<sqlite::ReaderPool> readers;

  // Name, role and endpoint names of a ledger never change, so that each is read once.
  absl::StatusOr<std::shared_ptr<const sqlite::LedgerRow>> FindLedger(absl::string_view name) {
    {
      const MutexLock guard(mutex);
      const auto known = ledgers.find(name);
      if (known != ledgers.end()) return known->second;
    }
    TALLY_ASSIGN_OR_RETURN(sqlite::LedgerRow row, readers->Read("read ledger", [&](Connection& c) {
      return sqlite::ReadLedger(c, name);
    }));
    auto read = std::make_shared<const sqlite::LedgerRow>(std::move(row));
    const MutexLock guard(mutex);
    return ledgers.emplace(std::string(name), std::move(read)).first->second;
  }

  Mutex mutex;
  std::map<std::string, std::shared_ptr<const sqlite::LedgerRow>, std::less<>> ledgers
      TALLY_GUARDED_BY(mutex);
};

namespace {

// One name for one file, whatever links lead to it, so that there is one lock.
std::string Canonical(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, ignored);
  return ignored || canonical.empty() ? path : canonical.string();
}

// What a killed process wrote and did not sync was read back as committed, and a repeat of it is
// answered without another write. So it has to reach the disk before anybody asks: the log is
// synced, and copied too, for a sync that failed once may not have been heeded the second time. The
// same goes for names: the rollback journal that a new file has until its log begins would undo
// everything, if it came back.
absl::Status Settle(Connection& connection) {
  TALLY_RETURN_IF_ERROR(connection.SyncLog());
  TALLY_RETURN_IF_ERROR(connection.Checkpoint());
  return connection.SyncFolder();
}

absl::StatusOr<std::unique_ptr<sqlite::Writer>> OpenWriter(const SqliteEventStore::Options& options,
                                                           const std::string& path,
                                                           const Clock& clock, Feed& feed) {
  TALLY_RETURN_IF_ERROR(sqlite::CreatePrivateFile(path, false));
  TALLY_RETURN_IF_ERROR(sqlite::CheckLog(path, options.vfs));
  TALLY_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                         Connection::Open(path, sqlite::Access::kWrite, options.vfs));
  TALLY_RETURN_IF_ERROR(sqlite::Migrate(*connection, sqlite::Migrations(), clock.Now()));
  TALLY_RETURN_IF_ERROR(Settle(*connection));
  if (options.writer_hook) options.writer_hook(connection->database());
  sqlite::Writer::Limits limits;
  limits.queue_jobs_max = options.queue_jobs_max;
  limits.queue_bytes_max = options.queue_bytes_max;
  limits.checkpoint_pages = options.checkpoint_pages;
  return std::make_unique<sqlite::Writer>(std::move(connection), clock, feed, limits);
}

absl::Status CheckReadable(sqlite::ReaderPool& readers, const std::string& path) {
  return readers.Read("open " + path, [&](Connection& connection) -> absl::Status {
    TALLY_ASSIGN_OR_RETURN(const std::size_t applied,
                           sqlite::CheckSchema(connection, sqlite::Migrations()));
    if (applied == sqlite::Migrations().size()) return absl::OkStatus();
    return Error(Reason::kDatabaseUnusable,
                 absl::StrCat(path, " has schema ", applied, ", older than this binary's ",
                              sqlite::Migrations().size(), ": open it for writing once"));
  });
}

// Whoever has several files needs to know which one is meant.
absl::Status NamingFile(const std::string& path, const absl::Status& status) {
  const std::optional<Reason> reason = ReasonOf(status);
  if (!reason.has_value() || absl::StrContains(status.message(), path)) return status;
  Error error(*reason, absl::StrCat(path, ": ", status.message()));
  for (const auto& [key, value] : MetadataOf(status)) error.With(key, value);
  return error;
}

// What a write to a reading store says.
absl::Status Refusal(const std::string& path) {
  TALLY_RETURN_IF_ERROR(sqlite::FileLock::Probe(path));
  return Error(Reason::kDatabaseUnusable, absl::StrCat(path, " was opened for reading only"));
}

// Runs `body` on the writer's thread, and waits for the commit.
absl::Status RunOnWriter(sqlite::Writer& writer,
                         const std::function<absl::Status(sqlite::Book&)>& body) {
  const auto promise = std::make_shared<std::promise<absl::Status>>();
  std::future<absl::Status> committed = promise->get_future();
  sqlite::Job job;
  job.events = 1;
  job.run = [body](sqlite::Book& book) -> absl::StatusOr<std::vector<Receipt>> {
    TALLY_RETURN_IF_ERROR(body(book));
    return std::vector<Receipt>();
  };
  job.done = [promise](const absl::StatusOr<std::vector<Receipt>>& receipts) {
    promise->set_value(receipts.status());
  };
  writer.Submit(std::move(job));
  return committed.get();
}

}  // namespace

SqliteEventStore::SqliteEventStore(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SqliteEventStore::~SqliteEventStore() = default;

absl::Status SqliteEventStore::OpenParts(const Options& options, const Clock& clock, Parts& parts) {
  if (options.mode == Mode::kReadWrite) {
    TALLY_ASSIGN_OR_RETURN(parts.lock, sqlite::FileLock::Acquire(parts.path, options.address));
    TALLY_ASSIGN_OR_RETURN(parts.writer, OpenWriter(options, parts.path, clock, parts.feed));
  } else {
    TALLY_RETURN_IF_ERROR(sqlite::CheckIdleLog(parts.path, options.vfs));
  }
  parts.readers =
      std::make_unique<sqlite::ReaderPool>(parts.path, options.vfs, options.readers_max);
  return CheckReadable(*parts.readers, parts.path);
}

absl::StatusOr<std::unique_ptr<SqliteEventStore>> SqliteEventStore::Open(const Options& options,
                                                                         const Clock& clock) {
  auto parts = std::make_unique<Parts>();
  parts->path = Canonical(options.path);
  parts->vfs = options.vfs;
  const absl::Status status = OpenParts(options, clock, *parts);
  if (!status.ok()) return NamingFile(parts->path, status);
  return std::unique_ptr<SqliteEventStore>(new SqliteEventStore(std::move(parts)));
}

absl::StatusOr<Ledger> SqliteEventStore::CreateLedger(const Ledger& ledger, bool* is_created) {
  TALLY_RETURN_IF_ERROR(CheckLedgerName(ledger.name));
  if (parts_->writer == nullptr) return Refusal(parts_->path);
  Ledger created;
  TALLY_RETURN_IF_ERROR(RunOnWriter(*parts_->writer, [&](sqlite::Book& book) -> absl::Status {
    TALLY_ASSIGN_OR_RETURN(created, book.CreateLedger(ledger, is_created));
    return absl::OkStatus();
  }));
  return created;
}

absl::StatusOr<Ledger> SqliteEventStore::GetLedger(absl::string_view name) {
  return parts_->readers->Read("get ledger", [&](Connection& c) -> absl::StatusOr<Ledger> {
    TALLY_ASSIGN_OR_RETURN(sqlite::LedgerRow row, sqlite::ReadLedger(c, name));
    return std::move(row.ledger);
  });
}

absl::StatusOr<std::vector<Ledger>> SqliteEventStore::ListLedgers() {
  return parts_->readers->Read(
      "list ledgers", [&](Connection& c) -> absl::StatusOr<std::vector<Ledger>> {
        TALLY_ASSIGN_OR_RETURN(std::vector<sqlite::LedgerRow> rows, sqlite::ReadLedgers(c));
        std::vector<Ledger> ledgers;
        for (sqlite::LedgerRow& row : rows) ledgers.push_back(std::move(row.ledger));
        return ledgers;
      });
}

void SqliteEventStore::Append(absl::string_view ledger, std::vector<settlement::Event> events,
                              Done done) {
  if (parts_->writer == nullptr) return done(Refusal(parts_->path));
  absl::StatusOr<std::vector<Prepared>> prepared = Prepare(std::move(events));
  if (!prepared.ok()) return done(prepared.status());
  sqlite::Job job;
  job.events = prepared->size() + 1;
  job.bytes = BytesOf(*prepared);
  job.run = [name = std::string(ledger), batch = *std::move(prepared)](sqlite::Book& book) mutable {
    return book.Append(name, std::move(batch));
  };
  job.done = std::move(done);
  parts_->writer->Submit(std::move(job));
}

void SqliteEventStore::Decide(absl::string_view ledger, Decider decider, Done done) {
  if (parts_->writer == nullptr) return done(Refusal(parts_->path));
  sqlite::Job job;
  job.events = 1;
  job.run = [name = std::string(ledger), decider = std::move(decider)](sqlite::Book& book) {
    return book.Decide(name, decider);
  };
  job.done = std::move(done);
  parts_->writer->Submit(std::move(job));
}

absl::StatusOr<std::unique_ptr<Reader>> SqliteEventStore::OpenReader(absl::string_view ledger) {
  TALLY_ASSIGN_OR_RETURN(std::shared_ptr<const sqlite::LedgerRow> row, parts_->FindLedger(ledger));
  return sqlite::SnapshotReader::Open(*parts_->readers, std::move(row));
}

std::unique_ptr<Listening> SqliteEventStore::Listen(Listener listener) {
  return parts_->feed.Add(std::move(listener));
}

absl::StatusOr<RebuildReport> SqliteEventStore::Rebuild(bool replace) {
  if (replace && parts_->writer == nullptr) return Refusal(parts_->path);
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Connection> connection,
                         Connection::Open(parts_->path, sqlite::Access::kCompare, parts_->vfs));
  TALLY_ASSIGN_OR_RETURN(RebuildReport report, sqlite::CompareProjections(*connection));
  if (!replace) return report;
  TALLY_RETURN_IF_ERROR(
      RunOnWriter(*parts_->writer, [](sqlite::Book& book) { return book.ReplaceProjections(); }));
  return report;
}

absl::Status SqliteEventStore::Announce(const std::string& address) {
  return parts_->lock == nullptr ? absl::OkStatus() : parts_->lock->Announce(address);
}

absl::Status SqliteEventStore::Backup(absl::string_view path) {
  return parts_->readers->ReadSnapshot(
      "back up", [&](Connection& c) { return sqlite::CopyTo(c, std::string(path), parts_->vfs); });
}

absl::Status SqliteEventStore::Health() {
  if (parts_->writer == nullptr) return Refusal(parts_->path);
  return parts_->writer->Health();
}

}  // namespace tally::store
