#include "tests/bench/raw_log_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "ledger/store/admission.h"

namespace tally::bench {
namespace {

absl::Status OnlyAppends() { return absl::UnimplementedError("a raw log is only appended to"); }

}  // namespace

absl::StatusOr<std::unique_ptr<RawLogStore>> RawLogStore::Open(const std::string& file) {
  const int opened = open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) return absl::InternalError("the raw log can't be opened");
  return std::unique_ptr<RawLogStore>(new RawLogStore(opened));
}

RawLogStore::RawLogStore(int file) : file_(file), thread_([this] { Run(); }) {}

RawLogStore::~RawLogStore() {
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
  close(file_);
}

void RawLogStore::Append(absl::string_view /*ledger*/, std::vector<settlement::Event> events,
                         store::Done done) {
  absl::StatusOr<std::vector<store::Prepared>> prepared = store::Prepare(std::move(events));
  if (!prepared.ok()) return done(prepared.status());
  Job job;
  for (store::Prepared& event : *prepared) job.envelopes.push_back(std::move(event.envelope));
  job.done = std::move(done);
  {
    const MutexLock lock(mutex_);
    queue_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void RawLogStore::Run() {
  while (true) {
    std::vector<Job> group;
    {
      MutexLock lock(mutex_);
      lock.Await(changed_,
                 [this]() TALLY_REQUIRES(mutex_) { return is_closing_ || !queue_.empty(); });
      group.swap(queue_);
    }
    if (group.empty()) return;
    const bool is_written = Write(group);
    for (Job& job : group) {
      if (!is_written) {
        job.done(absl::InternalError("the raw log can't be written"));
        continue;
      }
      std::vector<store::Receipt> receipts(job.envelopes.size());
      for (store::Receipt& receipt : receipts) receipt.position = ++position_;
      job.done(std::move(receipts));
    }
  }
}

bool RawLogStore::Write(const std::vector<Job>& group) {
  std::string bytes;
  for (const Job& job : group) {
    for (const std::string& envelope : job.envelopes) bytes += envelope;
  }
  const auto written = write(file_, bytes.data(), bytes.size());
  return written == static_cast<ssize_t>(bytes.size()) && fdatasync(file_) == 0;
}

absl::StatusOr<store::Ledger> RawLogStore::CreateLedger(const store::Ledger& ledger,
                                                        bool* is_created) {
  *is_created = ledger_.name.empty();
  ledger_ = ledger;
  return ledger_;
}

absl::StatusOr<store::Ledger> RawLogStore::GetLedger(absl::string_view /*name*/) { return ledger_; }
absl::StatusOr<std::vector<store::Ledger>> RawLogStore::ListLedgers() {
  return std::vector<store::Ledger>{ledger_};
}
void RawLogStore::Decide(absl::string_view /*ledger*/, store::Decider /*decider*/,
                         store::Done done) {
  done(OnlyAppends());
}
absl::StatusOr<std::unique_ptr<store::Reader>> RawLogStore::OpenReader(
    absl::string_view /*ledger*/) {
  return OnlyAppends();
}
std::unique_ptr<store::Listening> RawLogStore::Listen(store::Listener /*listener*/) {
  return std::make_unique<store::Listening>();
}
absl::StatusOr<store::RebuildReport> RawLogStore::Rebuild(bool /*replace*/) {
  return OnlyAppends();
}
absl::Status RawLogStore::Backup(absl::string_view /*path*/) { return OnlyAppends(); }
absl::Status RawLogStore::Health() { return absl::OkStatus(); }

}  // namespace tally::bench
