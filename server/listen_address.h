// Where the server may be reached: without credentials, only from this machine.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally::server {

class ListenAddress {
 public:
  // `HOST:PORT` with a loopback address (`localhost` is 127.0.0.1; port 0: any free one), or
  // `unix:PATH`. FIELD_MALFORMED; ADDRESS_REFUSED when others could reach it.
  static absl::StatusOr<ListenAddress> Parse(absl::string_view text);

  bool is_unix() const { return is_unix_; }
  // Of a unix socket.
  const std::string& path() const { return host_; }
  const std::string& host() const { return host_; }
  int port() const { return port_; }
  // As gRPC takes it: `127.0.0.1:7402`, `[::1]:7402`, `unix:/run/tally.sock`.
  std::string text() const { return WithPort(port_); }
  // The same with the port that was chosen; unix sockets have none.
  std::string WithPort(int port) const;

 private:
  ListenAddress(bool is_unix, std::string host, int port)
      : is_unix_(is_unix), host_(std::move(host)), port_(port) {}

  bool is_unix_;
  std::string host_;  // or the path
  int port_;
};

// To be asked before gRPC binds: it would silently take a unix socket away from the process that
// listens on it. Removes a socket that nobody listens on. ADDRESS_REFUSED.
absl::Status Prepare(const ListenAddress& address);

// After gRPC could not bind, of which it does not say why. ADDRESS_REFUSED.
absl::Status WhyNotBound(const ListenAddress& address);

// While it lives, files and sockets that this process makes are 0600.
class PrivateFiles {
 public:
  PrivateFiles();
  ~PrivateFiles();
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;

 private:
  const unsigned before_;
};

}  // namespace tally::server
