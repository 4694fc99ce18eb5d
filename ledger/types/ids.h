// The identifiers of DESIGN: settlement id, slot, challenge id, purchase id, call. Values that
// can't be invalid; limits are 256 bytes an id.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally {

inline constexpr std::size_t kIdBytesMax = 256;

// `sha256:` and 64 lower-case hex digits.
class SettlementId {
 public:
  SettlementId() = default;
  static absl::StatusOr<SettlementId> Parse(absl::string_view text);
  const std::string& text() const { return text_; }
  bool is_empty() const { return text_.empty(); }
  friend auto operator<=>(const SettlementId&, const SettlementId&) = default;

 private:
  explicit SettlementId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// `chl_` and 26 base32 characters (lower case).
class ChallengeId {
 public:
  ChallengeId() = default;
  static absl::StatusOr<ChallengeId> Parse(absl::string_view text);
  // From the first 16 bytes of a digest or of randomness; fewer are filled up with zeros.
  static ChallengeId FromBytes(absl::string_view bytes);
  const std::string& text() const { return text_; }
  bool is_empty() const { return text_.empty(); }
  friend auto operator<=>(const ChallengeId&, const ChallengeId&) = default;

 private:
  explicit ChallengeId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// One JSON-RPC call: session and JSON-RPC id with its type, as JSON text (2 and "2" differ).
struct CallId {
  std::string session;
  std::string request_id;
  bool is_empty() const { return session.empty() && request_id.empty(); }
  friend auto operator<=>(const CallId&, const CallId&) = default;
};

// The pair (endpoint, tool); an absent part is unknown. Only two known, different pairs disagree.
struct Resource {
  std::string endpoint;
  std::string tool;
  bool is_known() const { return !endpoint.empty() && !tool.empty(); }
  friend auto operator<=>(const Resource&, const Resource&) = default;
};
bool Disagree(const Resource& a, const Resource& b);

// Scheme and host in lower case, no user name or password, default port, query, fragment or
// trailing slash. Text that is no URL with a host (such as `stdio:`) is kept as it is.
std::string NormalizeEndpoint(absl::string_view endpoint);

}  // namespace tally
