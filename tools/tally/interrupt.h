// Ctrl-C for verbs that go on until they are told to stop.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <thread>

#include "ledger/base/mutex.h"

namespace tally::cli {

// While it lives, SIGINT and SIGTERM are taken: the first one stops what is under way, a second one
// ends the program as it does any other. To be made before other threads are, which would take the
// signal instead.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Runs once, on another thread, as soon as the signal comes; at once when it came before.
  void OnRaised(std::function<void()> stop);
  bool is_raised() const { return is_raised_; }

 private:
  void Run();

  sigset_t signals_;
  sigset_t before_;
  std::atomic<bool> is_raised_ = false;
  Mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> stop_ TALLY_GUARDED_BY(mutex_);
  bool is_ending_ TALLY_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace tally::cli
