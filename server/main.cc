// The only place that wires: configuration, store, use cases, adapter, signals.
#include <grpc/support/log.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ledger/base/clock.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/service/admin_service.h"
#include "ledger/service/ledger_service.h"
#include "ledger/service/random_ids.h"
#include "ledger/service/settlement_service.h"
#include "ledger/service/settlement_streams.h"
#include "ledger/store/sqlite/sqlite_event_store.h"
#include "server/config.h"
#include "server/health.h"
#include "server/listen_address.h"
#include "server/log.h"
#include "server/methods.h"
#include "server/rpc/executor.h"
#include "server/rpc/server.h"

namespace tally::server {
namespace {

constexpr std::size_t kExecutorThreads = 2;
constexpr std::size_t kExecutorQueueMax = 4096;

// Blocked before any thread starts, so that only main takes them.
sigset_t EndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

int AwaitSignal(const sigset_t& signals) {
  int signal = 0;
  sigwait(&signals, &signal);
  // The next one does what it does to any program: ends it at once.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  return signal;
}

absl::StatusOr<std::vector<ListenAddress>> ParseAll(const std::vector<std::string>& texts) {
  std::vector<ListenAddress> addresses;
  for (const std::string& text : texts) {
    TALLY_ASSIGN_OR_RETURN(ListenAddress address, ListenAddress::Parse(text));
    addresses.push_back(std::move(address));
  }
  return addresses;
}

ExitCode Fail(Log& log, absl::string_view what, const absl::Status& status) {
  const Reason reason = ReasonOf(status).value_or(Reason::kInternal);
  log.Write(Log::Level::kError, what, {{"reason", NameOf(reason)}, {"message", status.message()}});
  if (reason == Reason::kFieldMalformed) return kExitUsage;
  return reason == Reason::kDataLoss ? kExitBroken : kExitRefused;
}

rpc::Server::Options OptionsOf(std::vector<ListenAddress> addresses, Log& log) {
  rpc::Server::Options options;
  options.listen = std::move(addresses);
  options.on_refused = [&log](const std::string& path, const absl::Status& status) {
    const Reason reason = ReasonOf(status).value_or(Reason::kInternal);
    const bool is_our_fault = reason == Reason::kInternal || reason == Reason::kDataLoss ||
                              reason == Reason::kDatabaseUnusable;
    log.Write(is_our_fault ? Log::Level::kError : Log::Level::kDebug, "call refused",
              {{"method", path}, {"reason", NameOf(reason)}, {"message", status.message()}});
  };
  return options;
}

ExitCode Serve(const Config& config, Log& log) {
  const sigset_t signals = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  absl::StatusOr<std::vector<ListenAddress>> addresses = ParseAll(config.listen);
  if (!addresses.ok()) return Fail(log, "address refused", addresses.status());

  const SystemClock clock;
  store::SqliteEventStore::Options store_options;
  store_options.path = config.database;
  store_options.address = absl::StrJoin(config.listen, ",");
  auto store = store::SqliteEventStore::Open(store_options, clock);
  if (!store.ok()) return Fail(log, "database refused", store.status());

  service::RandomIds ids;
  Health health(**store);
  service::LedgerService ledger(**store, ids);
  service::SettlementService settlement(**store, clock);
  service::AdminService admin(**store);
  rpc::Executor executor(kExecutorThreads, kExecutorQueueMax);
  service::SettlementStreams streams(
      **store, clock, [&](std::function<void()> task) { executor.Post(std::move(task)); });
  auto server = rpc::Server::Start(OptionsOf(*std::move(addresses), log), executor,
                                   Methods(ledger, settlement, streams, admin, health));
  if (!server.ok()) return Fail(log, "address refused", server.status());

  const std::string listening = absl::StrJoin((*server)->addresses(), ", ");
  // With port 0 only now is it known where. A lock that can't say so is a lock all the same.
  const absl::Status announced = (*store)->Announce(listening);
  if (!announced.ok())
    log.Write(Log::Level::kWarning, "lock", {{"why", std::string(announced.message())}});
  log.Write(Log::Level::kInfo, "ready",
            {{"listen", listening}, {"database", config.database}, {"version", TALLY_VERSION}});
  std::printf("tallyd listening on %s\n", listening.c_str());
  std::fflush(stdout);

  const int signal = AwaitSignal(signals);
  log.Write(Log::Level::kInfo, "ending", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  health.StartDraining();
  if (!(*server)->Drain(config.drain_patience)) {
    log.Write(Log::Level::kError, "ended with calls in flight: they were not acknowledged");
    _exit(kExitRefused.value);
  }
  log.Write(Log::Level::kInfo, "ended");
  return kExitFine;
}

int Main(int argc, char** argv) {
  // A reader of our output that went away is no reason to end.
  std::signal(SIGPIPE, SIG_IGN);
  // What gRPC prints of its own is said better by our own errors.
  gpr_set_log_function([](gpr_log_func_args*) {});
  const std::variant<Config, ExitCode> config = ParseCommandLine(argc, argv);
  if (const ExitCode* code = std::get_if<ExitCode>(&config)) return code->value;
  Log log(std::get<Config>(config).log_level, std::get<Config>(config).log_format);
  return Serve(std::get<Config>(config), log).value;
}

}  // namespace
}  // namespace tally::server

int main(int argc, char** argv) { return tally::server::Main(argc, argv); }
