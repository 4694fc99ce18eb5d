// The adapter with methods of the test's own, in this process.
#include <gmock/gmock.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <thread>

#include "absl/strings/string_view.h"
#include "ledger/base/error.h"
#include "ledger/base/mutex.h"
#include "ledger/protocol/status_codec.h"
#include "tests/server/raw_call.h"
#include "tests/server/serving.h"

namespace tally::server::rpc {
namespace {

using ::google::protobuf::StringValue;

constexpr char kPath[] = "/test.Test/Hold";

// Holds every call until it is told to answer.
class Holder {
 public:
  Method InPlace() {
    return {kPath, Runs::kInPlace, 4, [this](grpc::ByteBuffer&, Reply& reply) { Hold(reply); }};
  }
  void AwaitHeld(std::size_t count) {
    MutexLock lock(mutex_);
    lock.Await(changed_, [&]() TALLY_REQUIRES(mutex_) { return held_.size() >= count; });
  }
  void AnswerAll() {
    const MutexLock lock(mutex_);
    for (Reply* reply : held_) reply->Send(StringValue());
    held_.clear();
  }

 private:
  void Hold(Reply& reply) {
    {
      const MutexLock lock(mutex_);
      held_.push_back(&reply);
    }
    changed_.notify_all();
  }

  Mutex mutex_;
  std::condition_variable changed_;
  std::vector<Reply*> held_ TALLY_GUARDED_BY(mutex_);
};

std::future<grpc::Status> CallLater(const Serving& server, absl::Duration deadline) {
  return std::async(std::launch::async, [address = server.address(), deadline] {
    return RawCall(address, kPath, StringValue(), nullptr, deadline);
  });
}

std::optional<Reason> ReasonOfCall(const grpc::Status& status) {
  return ReasonOf(
      protocol::DecodeStatus(status.error_code(), status.error_message(), status.error_details()));
}

TEST(RpcTest, OneCallTooManyIsOverloaded) {
  Holder holder;
  Server::Options options;
  options.calls_max = 2;
  Serving server(holder.InPlace(), options);
  auto first = CallLater(server, absl::Seconds(30));
  auto second = CallLater(server, absl::Seconds(30));
  holder.AwaitHeld(2);
  EXPECT_EQ(ReasonOfCall(CallLater(server, absl::Seconds(30)).get()), Reason::kOverloaded);
  holder.AnswerAll();
  EXPECT_TRUE(first.get().ok());
  EXPECT_TRUE(second.get().ok());
}

TEST(RpcTest, CallWhoseDeadlineIsOverIsNotBegun) {
  std::promise<void> begun;
  std::promise<void> go;
  std::atomic<int> calls = 0;
  Method method{kPath, Runs::kOnExecutor, 4, [&](grpc::ByteBuffer&, Reply& reply) {
                  if (++calls == 1) {
                    begun.set_value();
                    go.get_future().wait();
                  }
                  reply.Send(StringValue());
                }};
  {
    Serving server(std::move(method), {}, 1);
    auto first = CallLater(server, absl::Seconds(30));
    begun.get_future().wait();
    // Queued behind the first until its deadline is over.
    const grpc::Status late = CallLater(server, absl::Milliseconds(50)).get();
    EXPECT_EQ(late.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    go.set_value();
    EXPECT_TRUE(first.get().ok());
  }
  EXPECT_EQ(calls, 1);
}

TEST(RpcTest, ErrorArrivesWithReasonAndMetadata) {
  Method method{kPath, Runs::kInPlace, 4, [](grpc::ByteBuffer&, Reply& reply) {
                  reply.Refuse(FieldError("payer", "0x12", "0x and 40 hex digits"));
                }};
  std::atomic<int> told = 0;
  Server::Options options;
  options.on_refused = [&](const std::string& path, const absl::Status& status) {
    if (path == kPath && !status.ok()) ++told;
  };
  Serving server(std::move(method), options);
  const grpc::Status status = CallLater(server, absl::Seconds(30)).get();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  const absl::Status decoded =
      protocol::DecodeStatus(status.error_code(), status.error_message(), status.error_details());
  EXPECT_EQ(ReasonOf(decoded), Reason::kFieldMalformed);
  EXPECT_EQ(MetadataOf(decoded)["field"], "payer");
  EXPECT_EQ(told, 1);
}

TEST(RpcTest, LongMessageIsCutBetweenCharacters) {
  std::string message;
  while (message.size() < 20000) message += "€";
  Method method{kPath, Runs::kInPlace, 4, [&](grpc::ByteBuffer&, Reply& reply) {
                  reply.Refuse(Error(Reason::kInternal, message).With("text", message));
                }};
  Serving server(std::move(method));
  const grpc::Status status = CallLater(server, absl::Seconds(30)).get();
  EXPECT_EQ(ReasonOfCall(status), Reason::kInternal);
  EXPECT_EQ(status.error_message().size() % 3, 0U);
}

TEST(RpcTest, BytesThatAreNoMessageAreMalformed) {
  Method method{kPath, Runs::kInPlace, 4, [](grpc::ByteBuffer&, Reply& reply) {
                  const std::string text = "\xff\xff\xff";
                  const grpc::Slice slice(text);
                  grpc::ByteBuffer bytes(&slice, 1);
                  StringValue value;
                  reply.Refuse(Parse(bytes, value));
                }};
  Serving server(std::move(method));
  const grpc::Status status = CallLater(server, absl::Seconds(30)).get();
  EXPECT_EQ(ReasonOfCall(status), Reason::kFieldMalformed);
  EXPECT_THAT(status.error_message(), ::testing::HasSubstr("google.protobuf.StringValue"));
}

TEST(RpcTest, DrainWaitsForAnswersAndTakesNoNewCalls) {
  Holder holder;
  Serving server(holder.InPlace());
  auto held = CallLater(server, absl::Seconds(30));
  holder.AwaitHeld(1);
  auto drained = std::async(std::launch::async, [&] { return server->Drain(absl::Seconds(30)); });
  // The listener is closed as soon as draining began.
  while (CallLater(server, absl::Milliseconds(200)).get().error_code() !=
         grpc::StatusCode::UNAVAILABLE) {
  }
  holder.AnswerAll();
  EXPECT_TRUE(held.get().ok());
  EXPECT_TRUE(drained.get());
}

TEST(RpcTest, DrainGivesUpWhenPatienceIsOver) {
  Holder holder;
  Serving server(holder.InPlace());
  auto held = CallLater(server, absl::Seconds(30));
  holder.AwaitHeld(1);
  EXPECT_FALSE(server->Drain(absl::Milliseconds(50)));
  EXPECT_FALSE(held.get().ok());
  holder.AnswerAll();
}

}  // namespace
}  // namespace tally::server::rpc
