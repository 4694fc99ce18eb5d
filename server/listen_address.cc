#include "server/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ledger/base/error.h"

namespace tally::server {
namespace {

constexpr absl::string_view kWanted =
    "HOST:PORT with a loopback address, such as 127.0.0.1:7402, or unix:PATH";
constexpr std::size_t kPathBytesMax = sizeof(sockaddr_un::sun_path) - 1;
constexpr int kPortMax = 65535;

absl::Status Refused(const ListenAddress& address, absl::string_view why) {
  return Error(Reason::kAddressRefused, absl::StrCat("can't listen on ", address.text(), ": ", why))
      .With("address", address.text());
}

absl::Status NotLoopback(absl::string_view text) {
  return Error(Reason::kAddressRefused,
               absl::StrCat("can't listen on ", text,
                            ": others could reach it, and there are no credentials yet; only "
                            "loopback addresses and unix sockets are served without"))
      .With("address", text);
}

bool IsLoopback(const std::string& host) {
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

// A socket address of either family, as the system takes it.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

SocketAddress ToSystem(const ListenAddress& address) {
  SocketAddress out;
  if (address.is_unix()) {
    auto* to = reinterpret_cast<sockaddr_un*>(&out.storage);
    to->sun_family = AF_UNIX;
    std::memcpy(to->sun_path, address.path().data(), address.path().size());
    out.size = sizeof(sockaddr_un);
    return out;
  }
  auto* v4 = reinterpret_cast<sockaddr_in*>(&out.storage);
  if (inet_pton(AF_INET, address.host().c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<std::uint16_t>(address.port()));
    out.size = sizeof(sockaddr_in);
    return out;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&out.storage);
  v6->sin6_family = AF_INET6;
  inet_pton(AF_INET6, address.host().c_str(), &v6->sin6_addr);
  v6->sin6_port = htons(static_cast<std::uint16_t>(address.port()));
  out.size = sizeof(sockaddr_in6);
  return out;
}

// Errno of trying it, 0 when it worked.
template <typename Try>
int TryOnSocket(const ListenAddress& address, Try attempt) {
  const SocketAddress to = ToSystem(address);
  const int file = socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) return errno;
  const int one = 1;
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  const int error = attempt(file, to.get(), to.size) == 0 ? 0 : errno;
  close(file);
  return error;
}

}  // namespace

absl::StatusOr<ListenAddress> ListenAddress::Parse(absl::string_view text) {
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, "unix:")) {
    if (absl::StartsWith(rest, "//")) rest.remove_prefix(2);
    if (rest.empty() || rest.size() > kPathBytesMax) {
      return FieldError("listen", text,
                        absl::StrCat("unix: and a path of 1 to ", kPathBytesMax, " bytes"));
    }
    return ListenAddress(true, std::string(rest), 0);
  }
  const std::size_t colon = text.rfind(':');
  int port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(text.substr(colon + 1), &port) ||
      port < 0 || port > kPortMax) {
    return FieldError("listen", text, kWanted);
  }
  absl::string_view host = text.substr(0, colon);
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]")) {
    host = host.substr(1, host.size() - 2);
  } else if (absl::StrContains(host, ":")) {
    return FieldError("listen", text, "an IPv6 address in brackets, such as [::1]:7402");
  }
  if (host.empty()) return FieldError("listen", text, kWanted);
  // Not looked up: a name is what others say it is.
  if (host == "localhost") host = "127.0.0.1";
  if (!IsLoopback(std::string(host))) return NotLoopback(text);
  return ListenAddress(false, std::string(host), port);
}

std::string ListenAddress::WithPort(int port) const {
  if (is_unix_) return absl::StrCat("unix:", host_);
  if (absl::StrContains(host_, ":")) return absl::StrCat("[", host_, "]:", port);
  return absl::StrCat(host_, ":", port);
}

absl::Status Prepare(const ListenAddress& address) {
  if (!address.is_unix()) return absl::OkStatus();
  struct stat found {};
  if (lstat(address.path().c_str(), &found) != 0) return absl::OkStatus();
  if (!S_ISSOCK(found.st_mode)) {
    return Refused(address, "there is a file of that name, and it is no socket");
  }
  const int error = TryOnSocket(address, connect);
  if (error == 0) return Refused(address, "another process listens on it");
  if (error != ECONNREFUSED) return Refused(address, std::strerror(error));
  // What a killed process left behind.
  if (unlink(address.path().c_str()) != 0) return Refused(address, std::strerror(errno));
  return absl::OkStatus();
}

absl::Status WhyNotBound(const ListenAddress& address) {
  const int error = TryOnSocket(address, bind);
  if (error == 0) return Refused(address, "it could not be bound just now; try again");
  if (error == EADDRINUSE) {
    return Refused(address, "it is in use by another process; choose another with --listen");
  }
  return Refused(address, std::strerror(error));
}

PrivateFiles::PrivateFiles() : before_(umask(S_IXUSR | S_IRWXG | S_IRWXO)) {}

PrivateFiles::~PrivateFiles() { umask(before_); }

}  // namespace tally::server
