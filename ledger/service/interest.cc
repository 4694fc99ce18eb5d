#include "ledger/service/interest.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"

namespace tally::service {
namespace {

using settlement::AliasKind;

std::size_t KeyOf(const settlement::Subject& subject) {
  return std::hash<std::string>{}(
      absl::StrCat("subject ", static_cast<int>(subject.kind), " ", subject.key));
}

std::size_t KeyOf(const settlement::Alias& alias) {
  return std::hash<std::string>{}(
      absl::StrCat("alias ", static_cast<int>(alias.kind), " ", alias.value));
}

}  // namespace

Keys KeysOf(const settlement::Event& event) {
  Keys keys = {KeyOf(event.subject)};
  for (const settlement::Alias& alias : settlement::AliasesOf(event)) keys.push_back(KeyOf(alias));
  return keys;
}

void Interest::Add(const settlement::Subject& subject) { keys_.insert(KeyOf(subject)); }

void Interest::Add(const settlement::Alias& alias) {
  keys_.insert(KeyOf(alias));
  if (alias.kind != AliasKind::kAnsweredChallenge) return;
  // A link is made by an event at either end: a payment that echoes the challenge, or the challenge
  // itself, when it comes late.
  keys_.insert(KeyOf({AliasKind::kEchoedChallenge, alias.value}));
  keys_.insert(KeyOf(settlement::Subject{settlement::SubjectKind::kChallenge, alias.value}));
}

void Interest::AddLinksOf(const settlement::Event& event) {
  for (const settlement::Alias& alias : settlement::AliasesOf(event)) {
    if (alias.kind == AliasKind::kScope) Add(alias);
    if (alias.kind == AliasKind::kEchoedChallenge) {
      Add(settlement::Subject{settlement::SubjectKind::kChallenge, alias.value});
    }
  }
}

bool Interest::Holds(const Keys& keys) const {
  return std::any_of(keys.begin(), keys.end(),
                     [this](std::size_t key) { return keys_.count(key) != 0; });
}

}  // namespace tally::service
