#include "server/rpc/grpc_status.h"

#include <algorithm>
#include <string>

#include "absl/strings/string_view.h"
#include "ledger/protocol/status_codec.h"

namespace tally::server::rpc {
namespace {

constexpr std::size_t kMessageBytesMax = 1024;

// Nothing in a trailer may be too long; what is cut is cut between characters.
std::string Shortened(absl::string_view message) {
  std::size_t size = std::min(message.size(), kMessageBytesMax);
  const auto continues = [&](std::size_t at) {
    return at < message.size() && (static_cast<unsigned char>(message[at]) & 0xC0U) == 0x80U;
  };
  while (size > 0 && continues(size)) --size;
  return std::string(message.substr(0, size));
}

}  // namespace

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(status.code()), Shortened(status.message()),
          protocol::EncodeStatusDetails(status)};
}

}  // namespace tally::server::rpc
