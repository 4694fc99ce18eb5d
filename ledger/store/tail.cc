#include "ledger/store/tail.h"

#include <algorithm>

namespace tally::store {
namespace {

std::size_t BytesOf(const Appended& appended) {
  std::size_t bytes = 0;
  for (const StoredEvent& event : appended.events) bytes += sizeof event + event.envelope.size();
  return bytes;
}

}  // namespace

void Tail::Open(const std::string& ledger) { ++channels_[ledger].opened; }

void Tail::Close(const std::string& ledger) {
  const auto found = channels_.find(ledger);
  if (--found->second.opened > 0) return;
  for (const auto& part : found->second.parts) bytes_ -= BytesOf(*part);
  order_.erase(std::remove(order_.begin(), order_.end(), &found->second), order_.end());
  channels_.erase(found);
}

void Tail::Add(const std::shared_ptr<const Appended>& appended) {
  const auto found = channels_.find(appended->ledger);
  if (found == channels_.end()) return;
  bytes_ += BytesOf(*appended);
  found->second.last = appended->events.back().position;
  found->second.parts.push_back(appended);
  order_.push_back(&found->second);
  while (bytes_ > bytes_max_) DropOldest();
}

void Tail::DropOldest() {
  Channel& channel = *order_.front();
  bytes_ -= BytesOf(*channel.parts.front());
  channel.parts.pop_front();
  order_.pop_front();
}

std::int64_t Tail::Last(absl::string_view ledger) const {
  const auto found = channels_.find(std::string(ledger));
  return found == channels_.end() ? 0 : found->second.last;
}

Tail::Stretch Tail::After(absl::string_view ledger, std::int64_t position,
                          std::size_t bytes_max) const {
  Stretch stretch;
  const auto found = channels_.find(std::string(ledger));
  if (found == channels_.end() || found->second.last == 0) return stretch;
  const Channel& channel = found->second;
  stretch.is_known =
      position >= channel.last ||
      (!channel.parts.empty() && channel.parts.front()->events.front().position <= position + 1);
  stretch.is_all = position >= channel.last;
  if (!stretch.is_known || stretch.is_all) return stretch;
  auto part = std::partition_point(
      channel.parts.begin(), channel.parts.end(),
      [&](const auto& each) { return each->events.back().position <= position; });
  for (std::size_t bytes = 0; part != channel.parts.end() && bytes < bytes_max; ++part) {
    bytes += BytesOf(**part);
    stretch.parts.push_back(*part);
  }
  stretch.is_all = part == channel.parts.end();
  return stretch;
}

}  // namespace tally::store
