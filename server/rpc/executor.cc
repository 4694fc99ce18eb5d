#include "server/rpc/executor.h"

#include <utility>

namespace tally::server::rpc {

Executor::Executor(std::size_t threads, std::size_t queue_max) : queue_max_(queue_max) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

Executor::~Executor() {
  {
    const MutexLock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Executor::Submit(Task task) {
  {
    const MutexLock lock(mutex_);
    if (queue_.size() >= queue_max_) return false;
    queue_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

void Executor::Post(Task task) {
  {
    const MutexLock lock(mutex_);
    queue_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void Executor::Run() {
  while (true) {
    Task task;
    {
      MutexLock lock(mutex_);
      lock.Await(changed_,
                 [this]() TALLY_REQUIRES(mutex_) { return is_ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

}  // namespace tally::server::rpc
