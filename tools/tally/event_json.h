// An event as JSON and as words, for timelines and `tally events`.
#pragma once

#include <string>

#include "ledger/json/value.h"
#include "tallystick/v1/events.pb.h"

namespace tally::cli {

// ChallengeIssued, PaymentPresented, …
std::string EventType(const tallystick::v1::Event& event);

// Always all keys. With `is_raw` also `document`: the wire bytes as text, null where none were kept
// or they are not UTF-8. They can hold a live signature.
json::Object EventJson(const tallystick::v1::RecordedEvent& event, bool is_raw);

// The few words of its body that say what it means: an outcome, a reason, a hash.
std::string EventWords(const tallystick::v1::Event& event);

// The key an event is filed under.
std::string SubjectText(const tallystick::v1::Subject& subject);

}  // namespace tally::cli
