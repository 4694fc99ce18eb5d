#include "ledger/protocol/status_codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"
#include "ledger/protocol/common_codec.h"

namespace tally::protocol {
namespace {

// A trailer of 8 KiB holds 6 KiB before base64, and others have trailers too.
constexpr std::size_t kMessageBytesMax = 1024;
constexpr std::size_t kMetadataBytesMax = 3 * 1024;

struct Delay {
  Reason reason;
  absl::Duration delay;
};
// Reasons that time alone may mend. For the others that a retry helps, the client's own backoff
// will do.
constexpr Delay kDelays[] = {{Reason::kOverloaded, absl::Milliseconds(100)},
                             {Reason::kDatabaseFull, absl::Seconds(10)},
                             {Reason::kStoreStopped, absl::Seconds(1)}};

// Whole UTF-8 characters of `text`, at most `most` bytes and a mark.
std::string Shorten(absl::string_view text, std::size_t most) {
  std::string readable;
  Put(text, &readable);
  if (readable.size() <= most) return readable;
  std::size_t size = most;
  while (size > 0 && !IsValidUtf8(absl::string_view(readable).substr(0, size))) --size;
  return absl::StrCat(readable.substr(0, size), " …");
}

google::rpc::ErrorInfo InfoOf(Reason reason, const absl::Status& status) {
  google::rpc::ErrorInfo info;
  Put(NameOf(reason), info.mutable_reason());
  Put(kErrorDomain, info.mutable_domain());
  std::size_t left = kMetadataBytesMax;
  for (const auto& [key, value] : MetadataOf(status)) {
    const std::string shown = Shorten(value, left);
    left -= std::min(left, key.size() + shown.size());
    (*info.mutable_metadata())[Shorten(key, kMessageBytesMax)] = shown;
  }
  return info;
}

std::optional<google::rpc::ErrorInfo> FindInfo(const google::rpc::Status& status) {
  for (const auto& detail : status.details()) {
    google::rpc::ErrorInfo info;
    if (detail.UnpackTo(&info) && absl::string_view(info.domain()) == kErrorDomain) return info;
  }
  return std::nullopt;
}

}  // namespace

void ToProto(const absl::Status& status, google::rpc::Status* out) {
  out->set_code(static_cast<int>(status.code()));
  out->set_message(Shorten(status.message(), kMessageBytesMax));
  const std::optional<Reason> reason = ReasonOf(status);
  if (!reason) return;
  out->add_details()->PackFrom(InfoOf(*reason, status));
  for (const Delay& row : kDelays) {
    if (row.reason != *reason) continue;
    google::rpc::RetryInfo retry;
    const timespec delay = absl::ToTimespec(row.delay);
    retry.mutable_retry_delay()->set_seconds(delay.tv_sec);
    retry.mutable_retry_delay()->set_nanos(static_cast<std::int32_t>(delay.tv_nsec));
    out->add_details()->PackFrom(retry);
  }
}

std::string EncodeStatusDetails(const absl::Status& status) {
  if (status.ok()) return "";
  google::rpc::Status out;
  ToProto(status, &out);
  return out.SerializeAsString();
}

absl::Status FromProto(const google::rpc::Status& status) {
  if (status.code() == 0) return absl::OkStatus();
  const absl::string_view message = status.message();
  const absl::Status plain(static_cast<absl::StatusCode>(status.code()), message);
  const std::optional<google::rpc::ErrorInfo> info = FindInfo(status);
  if (!info) return plain;
  const std::optional<Reason> reason = ReasonFromName(info->reason());
  if (!reason) return plain;
  Error error(*reason, message);
  // With() works in place; to assign what it returns would move the error into itself.
  for (const auto& [key, value] : info->metadata()) std::move(error).With(key, value);
  return error;
}

absl::Status DecodeStatus(int code, absl::string_view message, absl::string_view details) {
  google::rpc::Status status;
  // Details that can't be read are none; what gRPC itself says counts.
  if (!status.ParseFromArray(details.data(), static_cast<int>(details.size()))) status.Clear();
  status.set_code(code);
  status.set_message(message.data(), message.size());
  return FromProto(status);
}

}  // namespace tally::protocol
