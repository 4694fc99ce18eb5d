#include "tools/tally/interrupt.h"

#include <utility>

namespace tally::cli {
namespace {

// Wakes the thread that waits for signals, and is nothing that anybody else sends.
constexpr int kEnding = SIGUSR2;

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  sigset_t all = signals_;
  sigaddset(&all, kEnding);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
  thread_ = std::thread([this] { Run(); });
}

Interrupt::~Interrupt() {
  {
    const MutexLock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  pthread_kill(thread_.native_handle(), kEnding);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupt::OnRaised(std::function<void()> stop) {
  {
    const MutexLock lock(mutex_);
    stop_ = std::move(stop);
  }
  changed_.notify_all();
}

void Interrupt::Run() {
  sigset_t all = signals_;
  sigaddset(&all, kEnding);
  int signal = 0;
  sigwait(&all, &signal);
  MutexLock lock(mutex_);
  if (is_ending_) return;
  is_raised_ = true;
  // The next one is not waited for by anybody.
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  lock.Await(changed_, [this]() TALLY_REQUIRES(mutex_) { return is_ending_ || stop_ != nullptr; });
  if (is_ending_) return;
  stop_();
  lock.Await(changed_, [this]() TALLY_REQUIRES(mutex_) { return is_ending_; });
}

}  // namespace tally::cli
