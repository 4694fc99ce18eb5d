// Reads messages field by field into values: knows where it is, checks, and keeps the first error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/protocol/enum_codec.h"
#include "ledger/protocol/time_codec.h"

namespace tally::protocol {

// A rule returns the text to keep, or an error that says what was wanted.
using TextRule = absl::StatusOr<std::string> (*)(absl::string_view text);
absl::StatusOr<std::string> IdRule(absl::string_view text);         // at most 256 bytes
absl::StatusOr<std::string> DigestRule(absl::string_view text);     // 64 lower-case hex digits
absl::StatusOr<std::string> AmountRule(absl::string_view text);     // canonical decimal uint256
absl::StatusOr<std::string> NetworkRule(absl::string_view text);    // CAIP-2
absl::StatusOr<std::string> AddressRule(absl::string_view text);    // 0x and 40 hex digits, lowered
absl::StatusOr<std::string> Bytes32Rule(absl::string_view text);    // 0x and 64 hex digits, lowered
absl::StatusOr<std::string> SessionRule(absl::string_view text);    // IdRule, no blank or control
absl::StatusOr<std::string> RequestIdRule(absl::string_view text);  // JSON text of an id
absl::StatusOr<std::string> SettlementIdRule(absl::string_view text);
absl::StatusOr<std::string> ChallengeIdRule(absl::string_view text);
absl::StatusOr<std::string> EndpointRule(absl::string_view text);  // normalised, never refused

// Who wrote the message. What a ledger wrote itself holds what was observed, however odd: there
// only what would be lost is an error.
enum class Origin { kRequest, kLedger };

// The first error is kept; what is read after one is not to be used.
class FieldReader {
 public:
  explicit FieldReader(Origin origin) : origin_(origin) {}

  bool is_request() const { return origin_ == Origin::kRequest; }
  const absl::Status& status() const { return status_; }
  // `offers[0].amount` below the fields it is in.
  std::string PathOf(absl::string_view field) const;

  // In requests an empty text stands for "not known" and meets no rule; Need() wants one.
  void Text(absl::string_view field, const std::string& value, std::string& out,
            TextRule rule = nullptr);
  void Need(absl::string_view field, const std::string& value, std::string& out,
            TextRule rule = nullptr);
  void AtLeast(absl::string_view field, std::int64_t value, std::int64_t least, std::int64_t& out);
  void Time(absl::string_view field, bool is_there, const google::protobuf::Timestamp& value,
            std::optional<absl::Time>& out);
  void NeedTime(absl::string_view field, bool is_there, const google::protobuf::Timestamp& value,
                absl::Time& out);

  // ENUM_UNSPECIFIED for zero and for values unknown here, whoever wrote them.
  template <typename Domain, typename Proto>
  void Enum(absl::string_view field, Proto value, Domain& out) {
    const std::optional<Domain> domain = FromProto<Domain>(value);
    if (domain.has_value()) {
      out = *domain;
    } else {
      RefuseEnum(field, static_cast<int>(value));
    }
  }

  // Reads a message through the Read() overload of its type, one level deeper.
  template <typename Proto, typename Domain>
  void In(absl::string_view field, const Proto& value, Domain& out) {
    path_.push_back({field, kNoIndex});
    Read(*this, value, out);
    path_.pop_back();
  }
  template <typename Proto, typename Domain>
  void In(absl::string_view field, bool is_there, const Proto& value, std::optional<Domain>& out) {
    if (is_there) In(field, value, out.emplace());
  }
  // LIMIT_EXCEEDED over `most` in requests.
  template <typename Protos, typename Domain>
  void Each(absl::string_view field, const Protos& values, std::size_t most,
            std::vector<Domain>& out) {
    const auto size = static_cast<std::size_t>(values.size());
    if (is_request() && size > most) return RefuseMore(field, size, most);
    out.reserve(size);
    for (const auto& value : values) {
      path_.push_back({field, out.size()});
      Read(*this, value, out.emplace_back());
      path_.pop_back();
    }
  }

  void Refuse(absl::string_view field, absl::string_view seen, absl::string_view wanted);
  void RefuseMissing(absl::string_view field, absl::string_view wanted);
  void RefuseEnum(absl::string_view field, int number);
  void RefuseMore(absl::string_view field, std::size_t seen, std::size_t most);
  // `status` is a FieldError, whose field is named anew.
  void RefuseAs(absl::string_view field, absl::string_view seen, const absl::Status& status);

 private:
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
  struct Step {
    absl::string_view field;
    std::size_t index;
  };
  void Keep(absl::Status status);

  Origin origin_;
  absl::Status status_;
  std::vector<Step> path_;
};

}  // namespace tally::protocol
