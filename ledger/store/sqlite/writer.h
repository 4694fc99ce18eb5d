// The writer: one thread, one connection, and group commit without a timer. What queued up while
// the last group was being written is the next group.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "ledger/base/clock.h"
#include "ledger/base/mutex.h"
#include "ledger/store/event_store.h"
#include "ledger/store/sqlite/book.h"

namespace tally::store::sqlite {

struct Job {
  std::size_t events = 0;  // what it adds to the bounds of queue and group
  std::size_t bytes = 0;
  // Inside the group's SQL transaction. An error before anything was written is a refusal of this
  // job; afterwards it fails the group.
  std::function<absl::StatusOr<std::vector<Receipt>>(Book&)> run;
  Done done;
};

// Thread-safe.
class Writer {
 public:
  struct Limits {
    std::size_t queue_jobs_max = 8192;
    std::size_t queue_bytes_max = 64 * 1024 * 1024;
    std::size_t group_events_max = 4096;
    std::size_t checkpoint_pages = 4096;
  };

  // `clock` and `feed` must outlive the writer. The feed is told of each group before its jobs are.
  Writer(std::unique_ptr<Connection> connection, const Clock& clock, Feed& feed,
         const Limits& limits);
  // Commits what is queued.
  ~Writer();

  // `job.done` is called once: on the writer's thread, or at once with OVERLOADED or STORE_STOPPED.
  void Submit(Job job);
  // STORE_STOPPED after a commit whose outcome is unknown, or a checkpoint that failed.
  absl::Status Health();

 private:
  using Result = absl::StatusOr<std::vector<Receipt>>;

  void Run();
  std::vector<Job> TakeGroup();
  absl::Status Admit(const Job& job) TALLY_REQUIRES(mutex_);
  void Process(std::vector<Job> group);
  absl::Status Write(std::vector<Job>& group, std::vector<Result>& results);
  absl::Status RunJobs(std::vector<Job>& group, std::vector<Result>& results);
  absl::Status Commit();
  absl::Status RollBack(absl::Status cause);
  void CheckpointIfDue();
  void Stop(absl::string_view why);

  const std::unique_ptr<Connection> connection_;
  const Limits limits_;
  Feed& feed_;
  Book book_;

  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> queue_ TALLY_GUARDED_BY(mutex_);
  std::size_t queued_bytes_ TALLY_GUARDED_BY(mutex_) = 0;
  bool is_closing_ TALLY_GUARDED_BY(mutex_) = false;
  absl::Status health_ TALLY_GUARDED_BY(mutex_);

  std::thread thread_;  // last: it uses all the others
};

}  // namespace tally::store::sqlite
