#include "tools/tally/crash_cycles.h"

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/mutex.h"
#include "ledger/base/status_macros.h"
#include "ledger/client/client.h"
#include "ledger/store/sqlite/check.h"
#include "tools/tally/child_process.h"
#include "tools/tally/crash_load.h"
#include "tools/tally/crash_log.h"

namespace tally::cli {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);
constexpr std::int64_t kCheckEvery = 10;  // cycles

// Counts what happens in the writers' threads. Thread-safe.
class Counter {
 public:
  void Add() {
    {
      const MutexLock lock(mutex_);
      ++count_;
    }
    changed_.notify_all();
  }
  // False when there were not so many in a minute.
  bool Await(std::int64_t count) {
    MutexLock lock(mutex_);
    return lock.AwaitFor(changed_, std::chrono::minutes(1), [&] { return count_ >= count; });
  }

 private:
  Mutex mutex_;
  std::condition_variable changed_;
  std::int64_t count_ TALLY_GUARDED_BY(mutex_) = 0;
};

class CrashCycles {
 public:
  explicit CrashCycles(const CrashOptions& options)
      : options_(options),
        database_(options.folder + "/selftest.db"),
        random_(options.seed),
        log_(options.seed) {
    for (int i = 0; i < options.writers; ++i) writers_.emplace_back(options.seed, i);
  }

  absl::StatusOr<CrashReport> Run(const OnCrashProgress& on_progress) {
    TALLY_RETURN_IF_ERROR(StartServer());
    TALLY_RETURN_IF_ERROR(CreateLedger());
    while (report_.cycles < options_.cycles && report_.wrong.empty()) {
      TALLY_RETURN_IF_ERROR(KillUnderLoad());
      KillStarting();
      TALLY_RETURN_IF_ERROR(StartServer());
      TALLY_RETURN_IF_ERROR(LookBack());
      ++report_.cycles;
      const bool is_last = report_.cycles == options_.cycles;
      if (is_last || report_.cycles % kCheckEvery == 0) TALLY_RETURN_IF_ERROR(CheckAll());
      if (on_progress) on_progress(report_);
    }
    server_->Signal(SIGTERM);
    const int code = server_->AwaitEnd();
    if (code != 0) report_.wrong.push_back(absl::StrCat("the last server ended with ", code));
    return report_;
  }

 private:
  absl::StatusOr<std::unique_ptr<ChildProcess>> Spawn() {
    return ChildProcess::Start(
        options_.server_program,
        {"--database", database_, "--listen", "127.0.0.1:0", "--log-level", "warning"},
        options_.folder + "/tallyd.log");
  }

  absl::Status StartServer() {
    TALLY_ASSIGN_OR_RETURN(server_, Spawn());
    const std::string line = server_->ReadLine();
    constexpr absl::string_view kReady = "tallyd listening on ";
    if (absl::StartsWith(line, kReady)) {
      address_ = line.substr(kReady.size());
      return absl::OkStatus();
    }
    const int code = server_->AwaitEnd();
    // The server's own word for a database that is broken.
    if (code == 5) {
      report_.wrong.push_back("the server finds its database broken: see tallyd.log");
    }
    return Error(code == 5 ? Reason::kDataLoss : Reason::kServerUnreachable,
                 absl::StrCat("the server did not start: exit ", code, ", see ", options_.folder,
                              "/tallyd.log"));
  }

  absl::Status CreateLedger() {
    client::Client client(address_);
    v1::CreateLedgerRequest request;
    request.set_name(kCrashLedger);
    request.set_role(v1::LEDGER_ROLE_SELLER);
    return client.CreateLedger(request, kPatience).status();
  }

  void SleepUpTo(int microseconds) {
    const std::uint64_t some = random_() % static_cast<std::uint64_t>(microseconds);
    std::this_thread::sleep_for(std::chrono::microseconds(some));
  }

  absl::Status KillUnderLoad() {
    Counter batches;
    std::vector<absl::Status> ends(writers_.size());
    std::vector<std::thread> threads;
    threads.reserve(writers_.size());
    for (std::size_t i = 0; i < writers_.size(); ++i) {
      threads.emplace_back(
          [&, i] { ends[i] = writers_[i].WriteUntilGone(address_, [&] { batches.Add(); }); });
    }
    const bool is_moving = batches.Await(1 + static_cast<std::int64_t>(random_() % 100));
    SleepUpTo(5'000);
    server_->Signal(SIGKILL);
    ++report_.kills;
    for (std::thread& thread : threads) thread.join();
    server_->AwaitEnd();
    for (absl::Status& end : ends) TALLY_RETURN_IF_ERROR(std::move(end));
    if (is_moving) return absl::OkStatus();
    return Error(Reason::kServerUnreachable, "the server acknowledged nothing for a minute");
  }

  // Now and then also while it reads back what the last one left.
  void KillStarting() {
    while (random_() % 4 == 0) {
      const auto server = Spawn();
      if (!server.ok()) return;
      SleepUpTo(40'000);
      (*server)->Signal(SIGKILL);
      (*server)->AwaitEnd();
      ++report_.kills;
    }
  }

  // Everything acknowledged is there; what got no answer is asked for again, and then is there
  // once.
  absl::Status LookBack() {
    client::Client client(address_);
    TALLY_RETURN_IF_ERROR(log_.ReadOn(client));
    HoldAgainstAll();
    for (CrashWriter& writer : writers_) TALLY_RETURN_IF_ERROR(writer.AskAgain(client));
    TALLY_RETURN_IF_ERROR(log_.ReadOn(client));
    HoldAgainstAll();
    report_.events = log_.events();
    report_.claims = log_.claims();
    report_.batches = report_.asked_again = report_.replayed = 0;
    for (const CrashWriter& writer : writers_) {
      report_.batches += writer.next();
      report_.asked_again += writer.asked_again();
      report_.replayed += writer.replayed();
    }
    report_.wrong = log_.wrong();
    return absl::OkStatus();
  }

  void HoldAgainstAll() {
    for (CrashWriter& writer : writers_) {
      log_.HoldAgainst(writer.number(), writer.next(), writer.TakePositions(),
                       writer.TakeExecutions());
    }
  }

  // The whole file, beside the running server; and all of it through the server once more.
  absl::Status CheckAll() {
    TALLY_ASSIGN_OR_RETURN(const store::sqlite::CheckReport report,
                           store::sqlite::Check(database_, "", nullptr));
    for (const store::sqlite::Finding& finding : report.findings.kept()) {
      report_.wrong.push_back(absl::StrCat("check: ", finding.what, ": saw ", finding.seen,
                                           ", wanted ", finding.wanted));
    }
    client::Client client(address_);
    CrashLog log(options_.seed);
    TALLY_RETURN_IF_ERROR(log.ReadOn(client));
    for (const CrashWriter& writer : writers_) {
      log.HoldAgainst(writer.number(), writer.next(), {}, {});
    }
    report_.wrong.insert(report_.wrong.end(), log.wrong().begin(), log.wrong().end());
    if (report.events != log.events()) {
      report_.wrong.push_back(
          absl::StrCat("the file holds ", report.events, " events, the server ", log.events()));
    }
    return absl::OkStatus();
  }

  const CrashOptions& options_;
  const std::string database_;
  std::mt19937_64 random_;
  std::vector<CrashWriter> writers_;
  CrashLog log_;
  std::unique_ptr<ChildProcess> server_;
  std::string address_;
  CrashReport report_;
};

}  // namespace

absl::StatusOr<CrashReport> RunCrashCycles(const CrashOptions& options,
                                           const OnCrashProgress& on_progress) {
  return CrashCycles(options).Run(on_progress);
}

}  // namespace tally::cli
