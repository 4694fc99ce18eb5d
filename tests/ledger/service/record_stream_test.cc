// RecordEventStream: one answer a batch, in order, and nothing lost at the end.
#include <gmock/gmock.h>

#include "ledger/base/error.h"
#include "ledger/protocol/status_codec.h"
#include "tests/ledger/service/fixture.h"
#include "tests/ledger/service/pulling.h"

namespace tally::service {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

using Request = v1::RecordEventStreamRequest;
using Response = v1::RecordEventStreamResponse;

// The memory store, whose answers wait until they are let go.
class SlowStore final : public store::EventStore {
 public:
  explicit SlowStore(const Clock& clock) : inner_(clock) {}

  void Append(absl::string_view ledger, std::vector<settlement::Event> events,
              store::Done done) override {
    inner_.Append(ledger, std::move(events), [this, done = std::move(done)](auto receipts) {
      waiting_.push_back([done, receipts = std::move(receipts)] { done(receipts); });
    });
  }
  // The latest first, as a store never would.
  void LetGo() {
    while (!waiting_.empty()) {
      const auto answer = std::move(waiting_.back());
      waiting_.pop_back();
      answer();
    }
  }

  absl::StatusOr<store::Ledger> CreateLedger(const store::Ledger& ledger, bool* created) override {
    return inner_.CreateLedger(ledger, created);
  }
  absl::StatusOr<store::Ledger> GetLedger(absl::string_view name) override {
    return inner_.GetLedger(name);
  }
  absl::StatusOr<std::vector<store::Ledger>> ListLedgers() override { return inner_.ListLedgers(); }
  void Decide(absl::string_view ledger, store::Decider decider, store::Done done) override {
    inner_.Decide(ledger, std::move(decider), std::move(done));
  }
  absl::StatusOr<std::unique_ptr<store::Reader>> OpenReader(absl::string_view ledger) override {
    return inner_.OpenReader(ledger);
  }
  std::unique_ptr<store::Listening> Listen(store::Listener listener) override {
    return inner_.Listen(std::move(listener));
  }
  absl::StatusOr<store::RebuildReport> Rebuild(bool replace) override {
    return inner_.Rebuild(replace);
  }
  absl::Status Backup(absl::string_view path) override { return inner_.Backup(path); }
  absl::Status Health() override { return inner_.Health(); }

 private:
  store::MemoryEventStore inner_;
  std::vector<std::function<void()>> waiting_;
};

class RecordStreamTest : public ::testing::Test {
 protected:
  RecordStreamTest() {
    store::Ledger ledger;
    ledger.name = "book";
    EXPECT_TRUE(store_.CreateLedger(ledger, nullptr).ok());
    Begin();
  }

  void Begin() {
    auto stream = ledgers_.RecordEventStream({"tester"}, client_.MakeWake());
    stream_ = stream.get();
    client_.Start(std::unique_ptr<Outgoing>(std::move(stream)));
  }
  static Request Batch(const std::vector<std::string>& event_ids) {
    Request request;
    request.mutable_batch()->set_ledger("book");
    request.mutable_batch()->set_request_id("for " + event_ids.front());
    for (const std::string& id : event_ids) {
      v1::Event* event = request.mutable_batch()->add_events();
      event->set_event_id(id);
      event->mutable_subject()->set_settlement_id("sha256:" + std::string(64, 'a'));
      event->mutable_occurred_time()->set_seconds(1'700'000'000);
      event->set_source(v1::SOURCE_KIND_API);
      event->mutable_body()->mutable_payment_released()->set_reason("a promise");
    }
    return request;
  }
  std::size_t EventCount() { return store_.ReadEvents("book", 0, 1000)->size(); }

  SetClock clock_;
  CountedIds ids_;
  SlowStore store_{clock_};
  LedgerService ledgers_{store_, ids_};
  Pulling<Response> client_;
  Dialogue<Request>* stream_ = nullptr;
};

TEST_F(RecordStreamTest, AnswersEachBatchInOrder) {
  stream_->Take(Batch({"a", "b"}));
  stream_->Take(Batch({"c"}));
  EXPECT_THAT(client_.PullAll(), IsEmpty());
  store_.LetGo();
  EXPECT_TRUE(client_.woken());
  const std::vector<Response> answers = client_.PullAll();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0].batch_number(), 1);
  EXPECT_EQ(answers[0].request_id(), "for a");
  ASSERT_THAT(answers[0].recorded().receipts(), SizeIs(2));
  EXPECT_EQ(answers[0].recorded().receipts(1).event_id(), "b");
  EXPECT_EQ(answers[0].recorded().receipts(1).position(), 2);
  EXPECT_EQ(answers[1].batch_number(), 2);
  EXPECT_EQ(answers[1].recorded().receipts(0).position(), 3);
}

TEST_F(RecordStreamTest, RefusedBatchIsAnsweredInItsTurnAndTheStreamGoesOn) {
  stream_->Take(Batch({"a"}));
  Request bad = Batch({"b"});
  bad.mutable_batch()->mutable_events(0)->mutable_subject()->set_settlement_id("sha256:12");
  stream_->Take(bad);
  stream_->Take(absl::StatusOr<Request>(FieldError("request", "bytes", "a message")));
  Request other = Batch({"a"});
  other.mutable_batch()->mutable_events(0)->mutable_body()->mutable_payment_released()->set_reason(
      "another");
  stream_->Take(other);
  stream_->Take(Batch({"c"}));
  // Refusals were known at once, and wait for their turn.
  EXPECT_THAT(client_.PullAll(), IsEmpty());
  store_.LetGo();
  const std::vector<Response> answers = client_.PullAll();
  ASSERT_THAT(answers, SizeIs(5));
  EXPECT_TRUE(answers[0].has_recorded());
  const absl::Status malformed = protocol::FromProto(answers[1].refused());
  EXPECT_EQ(ReasonOf(malformed), Reason::kFieldMalformed) << malformed;
  EXPECT_EQ(MetadataOf(malformed)["field"], "events[0].subject.settlement_id");
  EXPECT_EQ(ReasonOf(protocol::FromProto(answers[2].refused())), Reason::kFieldMalformed);
  const absl::Status reused = protocol::FromProto(answers[3].refused());
  EXPECT_EQ(ReasonOf(reused), Reason::kEventIdReused);
  EXPECT_EQ(MetadataOf(reused)["event_id"], "a");
  EXPECT_TRUE(answers[4].has_recorded());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(answers[static_cast<std::size_t>(i)].batch_number(), i + 1);
  EXPECT_EQ(EventCount(), 2U);
}

TEST_F(RecordStreamTest, TakesNoMoreThanItsWindow) {
  int taken = 0;
  for (; stream_->HasRoom() && taken < 1000; ++taken) {
    stream_->Take(Batch({absl::StrCat("e", taken)}));
  }
  EXPECT_EQ(taken, 32);
  store_.LetGo();
  // An answer frees its place once it is read, not when it is there.
  EXPECT_FALSE(stream_->HasRoom());
  EXPECT_TRUE(client_.Pull().has_value());
  EXPECT_TRUE(stream_->HasRoom());
}

TEST_F(RecordStreamTest, WindowIsBoundedInBytesToo) {
  Request large = Batch({"large"});
  large.mutable_batch()->mutable_events(0)->mutable_document()->set_content(
      std::string(3 * 1024 * 1024, 'x'));
  int taken = 0;
  for (; stream_->HasRoom() && taken < 1000; ++taken) stream_->Take(large);
  EXPECT_EQ(taken, 3);
}

TEST_F(RecordStreamTest, WhatWasNotAnsweredCanBeSentAgain) {
  stream_->Take(Batch({"a"}));
  // The connection is lost before the answer; the batch is on disk.
  client_.Drop();
  store_.LetGo();
  EXPECT_EQ(EventCount(), 1U);
  Begin();
  stream_->Take(Batch({"a"}));
  stream_->Take(Batch({"b"}));
  store_.LetGo();
  const std::vector<Response> answers = client_.PullAll();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_TRUE(answers[0].recorded().receipts(0).is_replayed());
  EXPECT_EQ(answers[0].recorded().receipts(0).position(), 1);
  EXPECT_FALSE(answers[1].recorded().receipts(0).is_replayed());
}

TEST_F(RecordStreamTest, EndsAfterTheLastAnswer) {
  stream_->Take(Batch({"a"}));
  stream_->TakeEnd();
  EXPECT_FALSE(stream_->HasRoom());
  EXPECT_THAT(client_.PullAll(), IsEmpty());
  EXPECT_FALSE(client_.end().has_value());
  store_.LetGo();
  EXPECT_THAT(client_.PullAll(), SizeIs(1));
  EXPECT_EQ(client_.end(), absl::OkStatus());
}

TEST_F(RecordStreamTest, ServerThatEndsAnswersWhatItTook) {
  stream_->Take(Batch({"a"}));
  stream_->Drain();
  EXPECT_FALSE(stream_->HasRoom());
  EXPECT_THAT(client_.PullAll(), IsEmpty());
  EXPECT_FALSE(client_.end().has_value());
  store_.LetGo();
  const std::vector<Response> answers = client_.PullAll();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_TRUE(answers[0].has_recorded());
  EXPECT_TRUE(answers[1].has_draining());
  EXPECT_EQ(answers[1].batch_number(), 0);
  EXPECT_EQ(client_.end(), absl::OkStatus());
}

}  // namespace
}  // namespace tally::service
