// Calls with many messages through the adapter, with conversations of the test's own.
#include <gmock/gmock.h>
#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>

#include "ledger/base/error.h"
#include "ledger/base/mutex.h"
#include "ledger/protocol/status_codec.h"
#include "server/rpc/conversation.h"
#include "tests/server/raw_call.h"
#include "tests/server/serving.h"

namespace tally::server::rpc {
namespace {

using ::testing::ElementsAre;

constexpr char kPath[] = "/test.Test/Stream";

// What the test knows of the conversations that one row of the table begins.
struct Story {
  Mutex mutex;
  std::condition_variable changed;
  int begun TALLY_GUARDED_BY(mutex) = 0;
  int gone TALLY_GUARDED_BY(mutex) = 0;
  service::Wake wake TALLY_GUARDED_BY(mutex);  // of the latest
  std::vector<std::string> taken TALLY_GUARDED_BY(mutex);
  bool is_end_taken TALLY_GUARDED_BY(mutex) = false;
  std::vector<service::Pulled> to_send TALLY_GUARDED_BY(mutex);
  std::atomic<int> pulls = 0;
  std::string endless;  // sent for ever when there is nothing else
  std::atomic<std::size_t> room = 1000;

  template <typename Predicate>
  void Await(Predicate predicate) {
    MutexLock lock(mutex);
    ASSERT_TRUE(lock.AwaitFor(changed, std::chrono::seconds(30), predicate));
  }
  void Send(service::Pulled pulled) {
    service::Wake woken;
    {
      const MutexLock lock(mutex);
      to_send.push_back(std::move(pulled));
      woken = wake;
    }
    woken();
  }
};

class Told final : public Conversation {
 public:
  Told(Story& story, service::Wake wake) : story_(story) {
    const MutexLock lock(story_.mutex);
    ++story_.begun;
    story_.wake = std::move(wake);
    story_.changed.notify_all();
  }
  ~Told() override {
    const MutexLock lock(story_.mutex);
    ++story_.gone;
    story_.changed.notify_all();
  }

  bool HasRoom() override {
    const MutexLock lock(story_.mutex);
    return story_.taken.size() < story_.room;
  }
  void Take(grpc::ByteBuffer& message) override {
    google::protobuf::StringValue value;
    EXPECT_TRUE(Parse(message, value).ok());
    const MutexLock lock(story_.mutex);
    story_.taken.push_back(value.value());
    story_.changed.notify_all();
  }
  void TakeEnd() override {
    const MutexLock lock(story_.mutex);
    story_.is_end_taken = true;
    story_.changed.notify_all();
  }
  service::Pulled Pull() override {
    ++story_.pulls;
    if (is_draining_) {
      is_draining_ = false;
      is_over_ = true;
      return std::string("last");
    }
    if (is_over_) return service::End();
    const MutexLock lock(story_.mutex);
    if (!story_.to_send.empty()) {
      service::Pulled pulled = story_.to_send.front();
      story_.to_send.erase(story_.to_send.begin());
      story_.changed.notify_all();
      return pulled;
    }
    if (!story_.endless.empty()) return story_.endless;
    return service::Pause();
  }
  void Drain() override { is_draining_ = true; }

 private:
  Story& story_;
  bool is_draining_ = false;
  bool is_over_ = false;
};

Method RowOf(Story& story) {
  Method method{kPath, Runs::kOnExecutor, 2, nullptr};
  method.begin = [&story](service::Wake wake) {
    return std::make_unique<Told>(story, std::move(wake));
  };
  return method;
}

std::string Message(const std::string& text) {
  google::protobuf::StringValue value;
  value.set_value(text);
  return value.SerializeAsString();
}

std::optional<Reason> ReasonOfCall(const grpc::Status& status) {
  return ReasonOf(
      protocol::DecodeStatus(status.error_code(), status.error_message(), status.error_details()));
}

TEST(RpcStreamTest, MessagesGoBothWaysUntilTheEnd) {
  Story story;
  Serving server(RowOf(story));
  RawStream client(server.address(), kPath);
  EXPECT_TRUE(client.Write(Message("a")));
  EXPECT_TRUE(client.Write(Message("b")));
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.taken.size() == 2; });
  story.Send(std::string("one"));
  EXPECT_EQ(client.Read(), "one");
  story.Send(std::string("two"));
  EXPECT_EQ(client.Read(), "two");
  EXPECT_TRUE(client.WriteEnd());
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.is_end_taken; });
  story.Send(service::End());
  EXPECT_EQ(client.Read(), std::nullopt);
  EXPECT_TRUE(client.Finish().ok());
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.gone == 1; });
  const MutexLock lock(story.mutex);
  EXPECT_THAT(story.taken, ElementsAre("a", "b"));
}

TEST(RpcStreamTest, EndCarriesReasonAndMetadata) {
  Story story;
  Server::Options options;
  std::atomic<int> told = 0;
  options.on_refused = [&](const std::string& path, const absl::Status&) {
    if (path == kPath) ++told;
  };
  Serving server(RowOf(story), options);
  RawStream client(server.address(), kPath);
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
  story.Send(service::End{FieldError("payer", "0x12", "0x and 40 hex digits")});
  EXPECT_EQ(client.Read(), std::nullopt);
  const grpc::Status status = client.Finish();
  EXPECT_EQ(ReasonOfCall(status), Reason::kFieldMalformed);
  EXPECT_EQ(told, 1);
}

TEST(RpcStreamTest, PauseEndsByTheClock) {
  Story story;
  Serving server(RowOf(story));
  RawStream client(server.address(), kPath);
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
  const auto is_all_pulled = [&]() TALLY_REQUIRES(story.mutex) { return story.to_send.empty(); };
  story.Send(service::Pause{absl::Now() + absl::Hours(1)});
  story.Await(is_all_pulled);
  // An earlier alarm takes the place of the later one: that pulls once more, and then only the
  // clock does.
  const service::Pause soon{absl::Now() + absl::Milliseconds(20)};
  {
    const MutexLock lock(story.mutex);
    story.to_send = {soon, soon, std::string("woken")};
  }
  story.wake();
  EXPECT_EQ(client.Read(), "woken");
}

TEST(RpcStreamTest, SlowReaderCostsOneMessageAndSlowsNobody) {
  Story story;
  story.endless.assign(256 * 1024, 'x');
  Serving server(RowOf(story), {}, 1);
  const RawStream slow(server.address(), kPath);
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
  // Meanwhile another reads as much as would fill any memory.
  constexpr int kMessages = 2000;
  RawStream quick(server.address(), kPath);
  for (int i = 0; i < kMessages; ++i) ASSERT_TRUE(quick.Read().has_value());
  // What the quick one was sent and not yet read is little too.
  EXPECT_LT(story.pulls, kMessages + 1000);
}

TEST(RpcStreamTest, NothingIsReadWhileThereIsNoRoom) {
  Story story;
  story.room = 3;
  Serving server(RowOf(story));
  RawStream client(server.address(), kPath);
  for (const char* text : {"a", "b", "c", "d", "e"}) EXPECT_TRUE(client.Write(Message(text)));
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.taken.size() == 3; });
  story.Send(std::string("one"));
  EXPECT_EQ(client.Read(), "one");
  {
    const MutexLock lock(story.mutex);
    EXPECT_EQ(story.taken.size(), 3U);
  }
  story.room = 5;
  story.Send(std::string("two"));
  EXPECT_EQ(client.Read(), "two");
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.taken.size() == 5; });
}

TEST(RpcStreamTest, ClientThatCancelsLeavesNothingBehind) {
  for (const bool is_writing : {false, true}) {
    Story story;
    if (is_writing) story.endless.assign(256 * 1024, 'x');
    Serving server(RowOf(story));
    {
      RawStream client(server.address(), kPath);
      story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
      if (!is_writing) story.Send(service::Pause{absl::Now() + absl::Hours(1)});
    }
    story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.gone == 1; });
    EXPECT_TRUE(server->Drain(absl::Seconds(30)));
    story.wake();  // of a stream that is gone: does nothing
  }
}

TEST(RpcStreamTest, OneStreamTooManyIsOverloaded) {
  Story story;
  Server::Options options;
  options.streams_max = 1;
  Serving server(RowOf(story), options);
  auto first = std::make_unique<RawStream>(server.address(), kPath);
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
  {
    RawStream second(server.address(), kPath);
    EXPECT_EQ(second.Read(), std::nullopt);
    EXPECT_EQ(ReasonOfCall(second.Finish()), Reason::kOverloaded);
  }
  first.reset();
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.gone == 1; });
}

TEST(RpcStreamTest, DrainLetsEachSayItsLastWord) {
  Story story;
  Serving server(RowOf(story));
  RawStream client(server.address(), kPath);
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
  auto drained = std::async(std::launch::async, [&] { return server->Drain(absl::Seconds(30)); });
  EXPECT_EQ(client.Read(), "last");
  EXPECT_EQ(client.Read(), std::nullopt);
  EXPECT_TRUE(client.Finish().ok());
  EXPECT_TRUE(drained.get());
}

TEST(RpcStreamTest, DrainCutsOffWhoDoesNotRead) {
  Story story;
  story.endless.assign(256 * 1024, 'x');
  Serving server(RowOf(story));
  const RawStream client(server.address(), kPath);
  story.Await([&]() TALLY_REQUIRES(story.mutex) { return story.begun == 1; });
  EXPECT_TRUE(server->Drain(absl::Seconds(2)));
}

}  // namespace
}  // namespace tally::server::rpc
