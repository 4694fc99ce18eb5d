// The far end of a stream: pulls what there is, and knows whether it was woken.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ledger/service/stream.h"

namespace tally::service {

template <typename Response>
class Pulling {
 public:
  // To begin the stream with.
  Wake MakeWake() {
    return [woken = woken_] { *woken = true; };
  }
  void Start(std::unique_ptr<Outgoing> stream) { stream_ = std::move(stream); }
  void Start(absl::StatusOr<std::unique_ptr<Outgoing>> stream) {
    ASSERT_TRUE(stream.ok()) << stream.status();
    stream_ = *std::move(stream);
  }

  // One message; nullopt when there is none, because of a pause or of the end.
  std::optional<Response> Pull() {
    Pulled pulled = stream_->Pull();
    if (const auto* pause = std::get_if<Pause>(&pulled)) pause_ = *pause;
    if (const auto* end = std::get_if<End>(&pulled)) end_ = end->status;
    const auto* bytes = std::get_if<std::string>(&pulled);
    if (bytes == nullptr) return std::nullopt;
    Response response;
    EXPECT_TRUE(response.ParseFromString(*bytes));
    return response;
  }
  std::vector<Response> PullAll() {
    std::vector<Response> all;
    woken() = false;
    while (std::optional<Response> response = Pull()) all.push_back(*std::move(response));
    return all;
  }

  Outgoing& stream() { return *stream_; }
  void Drop() { stream_.reset(); }
  std::atomic<bool>& woken() { return *woken_; }
  // Of the last pause.
  absl::Time until() const { return pause_.until; }
  // Once it came.
  const std::optional<absl::Status>& end() const { return end_; }

 private:
  const std::shared_ptr<std::atomic<bool>> woken_ = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<Outgoing> stream_;
  Pause pause_;
  std::optional<absl::Status> end_;
};

// Runs tasks at once, on the thread that hands them over.
inline void RunAtOnce(const std::function<void()>& task) { task(); }

}  // namespace tally::service
