// A bounded queue with a few threads behind it, for what may block.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "ledger/base/mutex.h"

namespace tally::server::rpc {

// Thread-safe.
class Executor {
 public:
  using Task = std::function<void()>;

  Executor(std::size_t threads, std::size_t queue_max);
  // Runs what is queued, then ends.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // False when the queue is full; the task is not run then.
  bool Submit(Task task);
  // Runs it however full the queue is: for those whose number has a bound of its own.
  void Post(Task task);

 private:
  void Run();

  const std::size_t queue_max_;
  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> queue_ TALLY_GUARDED_BY(mutex_);
  bool is_ending_ TALLY_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace tally::server::rpc
