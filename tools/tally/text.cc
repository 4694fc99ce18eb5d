#include "tools/tally/text.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/clock.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/types/uint256.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

namespace {

bool HasColor() {
  static const bool kHasColor = [] {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return IsTerminal(stdout) && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
           absl::string_view(term) != "dumb";
  }();
  return kHasColor;
}

absl::string_view CodeOf(Color color) {
  switch (color) {
    case Color::kGood:
      return "32";
    case Color::kOpen:
      return "33";
    case Color::kBad:
      return "31";
    case Color::kDim:
      return "2";
    case Color::kBold:
      return "1";
    case Color::kNone:
      break;
  }
  return "";
}

}  // namespace

std::size_t WidthOf(absl::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string TimeText(bool is_there, const google::protobuf::Timestamp& time) {
  if (!is_there) return "";
  const absl::StatusOr<absl::Time> read = protocol::FromProto("time", time);
  return read.ok() ? FormatTime(*read) : "";
}

std::string MoneyText(absl::string_view amount, absl::string_view network, absl::string_view asset,
                      std::optional<int> decimals) {
  if (amount.empty()) return "";
  const absl::StatusOr<Uint256> units = Uint256::Parse(amount);
  if (!units.ok()) return std::string(amount);
  const std::optional<AssetInfo> known = FindAsset(network, asset);
  if (!decimals.has_value() && !known.has_value()) return absl::StrCat(amount, " atomic units");
  const std::string human = FormatUnits(*units, decimals.value_or(known ? known->decimals : 0));
  return absl::StrCat(human, known ? absl::StrCat(" ", known->symbol) : "", " (", amount, ")");
}

std::string CallText(const v1::CallId& call) {
  return call.session().empty() ? "" : absl::StrCat(call.session(), ":", call.request_id());
}

std::string CallArgument(const v1::CallId& call) {
  constexpr char kPlain[] =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%+,-./:=@_";
  const std::string text = CallText(call);
  if (text.find_first_not_of(kPlain) == std::string::npos) return absl::StrCat("--call ", text);
  return absl::StrCat("--call '", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

std::string KeyText(const v1::Settlement& settlement) {
  if (!settlement.settlement_id().empty()) return settlement.settlement_id();
  const v1::Subject& subject = settlement.subject();
  if (!subject.settlement_id().empty()) return subject.settlement_id();
  if (subject.has_call()) return CallArgument(subject.call());
  if (!subject.challenge_id().empty()) return subject.challenge_id();
  return settlement.challenge_id();
}

std::string Paint(Color color, const std::string& text) {
  if (color == Color::kNone || !HasColor()) return text;
  return absl::StrCat("\x1b[", CodeOf(color), "m", text, "\x1b[0m");
}

Color ColorOf(v1::Label label) {
  static constexpr v1::Label kGood[] = {v1::LABEL_PAID, v1::LABEL_CLOSED};
  static constexpr v1::Label kBad[] = {v1::LABEL_CONFLICT,   v1::LABEL_PAID_UNDELIVERED,
                                       v1::LABEL_RAN_UNPAID, v1::LABEL_PAID_NOT_RUN,
                                       v1::LABEL_IN_DOUBT,   v1::LABEL_UNPAID_RUN_UNKNOWN};
  static constexpr v1::Label kPlain[] = {v1::LABEL_CHALLENGED, v1::LABEL_REFUSED, v1::LABEL_EXPIRED,
                                         v1::LABEL_RETURNED, v1::LABEL_TOOL_FAILED};
  const auto holds = [label](const auto& labels) {
    return std::find(std::begin(labels), std::end(labels), label) != std::end(labels);
  };
  if (holds(kGood)) return Color::kGood;
  if (holds(kBad)) return Color::kBad;
  return holds(kPlain) ? Color::kNone : Color::kOpen;
}

bool IsTerminal(std::FILE* file) { return ::isatty(::fileno(file)) == 1; }

}  // namespace tally::cli
