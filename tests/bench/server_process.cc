#include "tests/bench/server_process.h"

#include <fcntl.h>
#include <google/protobuf/wrappers.pb.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/clock.h"
#include "ledger/base/status_macros.h"
#include "ledger/service/random_ids.h"
#include "ledger/store/sqlite/sqlite_event_store.h"
#include "server/methods.h"
#include "server/rpc/server.h"
#include "tests/bench/raw_log_store.h"

namespace tally::bench {
namespace {

using Pipe = std::array<int, 2>;  // out of the first, into the second

server::rpc::Method Echo() {
  return {kEchoPath, server::rpc::Runs::kInPlace, 32,
          [](grpc::ByteBuffer& bytes, server::rpc::Reply& reply) {
            google::protobuf::BytesValue value;
            const absl::Status status = server::rpc::Parse(bytes, value);
            if (!status.ok()) return reply.Refuse(status);
            reply.Send(value);
          }};
}

void Tell(int file, const std::string& line) {
  const std::string text = absl::StrCat(line, "\n");
  if (write(file, text.data(), text.size()) < 0) _exit(1);
}

std::string Hear(int file) {
  std::string line;
  char c = 0;
  while (read(file, &c, 1) == 1 && c != '\n') line.push_back(c);
  return line;
}

absl::StatusOr<std::unique_ptr<store::EventStore>> OpenStore(Keeps keeps, const std::string& file,
                                                             const Clock& clock) {
  if (keeps == Keeps::kRawLog) return RawLogStore::Open(file);
  store::SqliteEventStore::Options options;
  options.path = file;
  return store::SqliteEventStore::Open(options, clock);
}

// Tells its address, or what is wrong after a `!`; then serves until `stop` is closed.
absl::Status Serve(Keeps keeps, const std::string& file, int tell, int stop) {
  const SystemClock clock;
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::EventStore> store,
                         OpenStore(keeps, file, clock));
  bool is_created = false;
  store::Ledger book;
  book.name = kLedger;
  TALLY_RETURN_IF_ERROR(store->CreateLedger(book, &is_created).status());

  service::RandomIds ids;
  server::Health health(*store);
  service::LedgerService ledger(*store, ids);
  service::SettlementService settlement(*store, clock);
  service::AdminService admin(*store);
  server::rpc::Executor executor(2, 4096);
  service::SettlementStreams streams(
      *store, clock, [&](std::function<void()> task) { executor.Post(std::move(task)); });
  std::vector<server::rpc::Method> methods =
      server::Methods(ledger, settlement, streams, admin, health);
  methods.push_back(Echo());
  server::rpc::Server::Options options;
  TALLY_ASSIGN_OR_RETURN(auto address, server::ListenAddress::Parse("127.0.0.1:0"));
  options.listen = {std::move(address)};
  TALLY_ASSIGN_OR_RETURN(const auto server,
                         server::rpc::Server::Start(options, executor, std::move(methods)));
  Tell(tell, server->addresses().front());
  Hear(stop);
  return absl::OkStatus();
}

absl::Duration TimeOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return absl::DurationFromTimespec(time);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerProcess>> ServerProcess::Start(Keeps keeps,
                                                                    const std::string& file) {
  Pipe told{};
  Pipe stop{};
  if (pipe2(told.data(), O_CLOEXEC) != 0 || pipe2(stop.data(), O_CLOEXEC) != 0) {
    return absl::InternalError("no pipe");
  }
  const pid_t pid = fork();
  if (pid < 0) return absl::InternalError("no process");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(told[0]);
    close(stop[1]);
    const absl::Status status = Serve(keeps, file, told[1], stop[0]);
    if (!status.ok()) Tell(told[1], absl::StrCat("!", std::string(status.message())));
    _exit(status.ok() ? 0 : 1);
  }
  close(told[1]);
  close(stop[0]);
  const std::string line = Hear(told[0]);
  close(told[0]);
  std::unique_ptr<ServerProcess> process(new ServerProcess(pid, stop[1], line));
  if (line.empty() || line.front() == '!') {
    return absl::UnavailableError(absl::StrCat("the server did not start", line));
  }
  return process;
}

ServerProcess::ServerProcess(pid_t pid, int stop, std::string address)
    : pid_(pid), stop_(stop), address_(std::move(address)) {}

ServerProcess::~ServerProcess() {
  close(stop_);
  waitpid(pid_, nullptr, 0);
}

absl::Duration ServerProcess::CpuTime() const {
  clockid_t clock{};
  if (clock_getcpuclockid(pid_, &clock) != 0) return absl::ZeroDuration();
  return TimeOf(clock);
}

absl::Duration OwnCpuTime() { return TimeOf(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace tally::bench
