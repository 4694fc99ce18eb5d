#include "ledger/store/sqlite/writer.h"

#include <sqlite3.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"

namespace tally::store::sqlite {

Writer::Writer(std::unique_ptr<Connection> connection, const Clock& clock, Feed& feed,
               const Limits& limits)
    : connection_(std::move(connection)),
      limits_(limits),
      feed_(feed),
      book_(*connection_, clock),
      thread_([this] { Run(); }) {}

Writer::~Writer() {
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

absl::Status Writer::Health() {
  const MutexLock lock(mutex_);
  return health_;
}

absl::Status Writer::Admit(const Job& job) {
  TALLY_RETURN_IF_ERROR(health_);
  if (is_closing_) return Error(Reason::kStoreStopped, "the store is shutting down");
  if (queue_.size() >= limits_.queue_jobs_max ||
      queued_bytes_ + job.bytes > limits_.queue_bytes_max) {
    return Error(Reason::kOverloaded, absl::StrCat(queue_.size(), " writes are queued"));
  }
  return absl::OkStatus();
}

void Writer::Submit(Job job) {
  absl::Status admitted;
  {
    const MutexLock lock(mutex_);
    admitted = Admit(job);
    if (admitted.ok()) {
      queued_bytes_ += job.bytes;
      queue_.push_back(std::move(job));
    }
  }
  if (admitted.ok()) {
    changed_.notify_one();
  } else {
    job.done(std::move(admitted));
  }
}

std::vector<Job> Writer::TakeGroup() {
  std::vector<Job> group;
  MutexLock lock(mutex_);
  lock.Await(changed_, [this] { return is_closing_ || !queue_.empty(); });
  for (std::size_t events = 0; !queue_.empty() && events < limits_.group_events_max;) {
    events += queue_.front().events;
    queued_bytes_ -= queue_.front().bytes;
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return group;
}

void Writer::Run() {
  while (true) {
    std::vector<Job> group = TakeGroup();
    if (group.empty()) return;
    Process(std::move(group));
  }
}

void Writer::Process(std::vector<Job> group) {
  std::vector<Result> results;
  results.reserve(group.size());
  absl::Status status = Health();
  if (status.ok()) status = Write(group, results);
  for (std::size_t i = 0; i < group.size(); ++i) {
    // What one job saw of another is undone with it, so a failed group fails its refusals too.
    group[i].done(status.ok() ? std::move(results[i]) : Result(status));
  }
  if (status.ok()) CheckpointIfDue();
}

// After the answers: nobody of this group waits for it.
void Writer::CheckpointIfDue() {
  if (connection_->log_pages() < limits_.checkpoint_pages) return;
  const absl::Status status = connection_->Checkpoint();
  if (!status.ok()) Stop(absl::StrCat("a checkpoint failed: ", status.message()));
}

absl::Status Writer::Write(std::vector<Job>& group, std::vector<Result>& results) {
  absl::Status written = Guard("write", [&] { return RunJobs(group, results); });
  if (!written.ok()) return RollBack(std::move(written));
  return Commit();
}

absl::Status Writer::RunJobs(std::vector<Job>& group, std::vector<Result>& results) {
  connection_->Execute("BEGIN IMMEDIATE");
  for (Job& job : group) {
    const std::int64_t before = book_.written();
    results.push_back(job.run(book_));
    if (!results.back().ok() && book_.written() != before) return results.back().status();
  }
  return book_.Flush();
}

absl::Status Writer::Commit() {
  try {
    connection_->Execute("COMMIT");
  } catch (const SQLite::Exception& e) {
    // Out of space is certain: the commit's own page did not get its place in the log.
    if (e.getErrorCode() == SQLITE_FULL) return RollBack(ToStatus("commit", e));
    Stop(absl::StrCat("a commit failed with an unknown outcome: ", e.what()));
    return Health();
  }
  for (const auto& appended : book_.Committed()) feed_.Tell(appended);
  return absl::OkStatus();
}

absl::Status Writer::RollBack(absl::Status cause) {
  if (ReasonOf(cause) == Reason::kDatabaseUnusable && connection_->IsOutOfSpace()) {
    cause = Error(Reason::kDatabaseFull, cause.message());
  }
  book_.Forget();
  const absl::Status rolled_back = Guard("roll back", [&]() -> absl::Status {
    if (connection_->IsInTransaction()) connection_->Execute("ROLLBACK");
    return absl::OkStatus();
  });
  if (rolled_back.ok()) return cause;
  Stop(rolled_back.message());
  return Health();
}

void Writer::Stop(absl::string_view why) {
  const MutexLock lock(mutex_);
  health_ = Error(Reason::kStoreStopped,
                  absl::StrCat(why,
                               "; writing stopped. After a restart the ledger knows what was "
                               "stored: repeat the write with the same event ids"));
}

}  // namespace tally::store::sqlite
