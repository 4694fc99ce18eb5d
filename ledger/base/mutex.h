// std::mutex with Clang's thread-safety annotations (absl::Mutex from the package is invisible to
// TSan).
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define TALLY_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define TALLY_THREAD_ANNOTATION(x)
#endif
#define TALLY_GUARDED_BY(x) TALLY_THREAD_ANNOTATION(guarded_by(x))
#define TALLY_REQUIRES(...) TALLY_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))

namespace tally {

class TALLY_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() TALLY_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() TALLY_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }
  std::mutex& native() { return mutex_; }

 private:
  std::mutex mutex_;
};

class TALLY_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TALLY_THREAD_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.native()) {}
  ~MutexLock() TALLY_THREAD_ANNOTATION(release_capability()) = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  template <typename Predicate>
  void Await(std::condition_variable& changed, Predicate predicate) {
    changed.wait(lock_, predicate);
  }
  // Returns the predicate's value when it came true or the time was over.
  template <typename Duration, typename Predicate>
  bool AwaitFor(std::condition_variable& changed, Duration timeout, Predicate predicate) {
    return changed.wait_for(lock_, timeout, predicate);
  }
  void Unlock() TALLY_THREAD_ANNOTATION(release_capability()) { lock_.unlock(); }
  void Relock() TALLY_THREAD_ANNOTATION(acquire_capability()) { lock_.lock(); }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace tally
