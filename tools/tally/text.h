// Text for people: what comes from the wire can't steer a terminal, money has units, colour only
// where it can be seen.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/timestamp.pb.h"
#include "ledger/base/printable.h"  // for every verb that prints
#include "tallystick/v1/answer.pb.h"

namespace tally::cli {

// Columns that the text takes: characters, not bytes.
std::size_t WidthOf(absl::string_view text);

// RFC 3339 in UTC with microseconds; empty when `is_there` is false.
std::string TimeText(bool is_there, const google::protobuf::Timestamp& time);

// `0.01 USDC (10000)`: units from the cited table, else with `decimals`, else atomic units alone.
// Empty for an empty amount.
std::string MoneyText(absl::string_view amount, absl::string_view network, absl::string_view asset,
                      std::optional<int> decimals);

// SESSION:ID, as `--call` takes it; empty without a session.
std::string CallText(const tallystick::v1::CallId& call);
// `--call SESSION:ID`, in quotes where a shell needs them.
std::string CallArgument(const tallystick::v1::CallId& call);
// What a settlement is found under: its id, its challenge's, or the argument of its call.
std::string KeyText(const tallystick::v1::Settlement& settlement);

enum class Color { kNone, kGood, kOpen, kBad, kDim, kBold };
// The text in that colour when stdout is a terminal that shows colour and NO_COLOR is not set.
std::string Paint(Color color, const std::string& text);
Color ColorOf(tallystick::v1::Label label);

bool IsTerminal(std::FILE* file);

}  // namespace tally::cli
