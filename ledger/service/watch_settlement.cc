#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/envelope_codec.h"
#include "ledger/service/answers.h"
#include "ledger/service/interest.h"
#include "ledger/service/keys.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/live.h"
#include "ledger/service/settlement_streams.h"
#include "ledger/settlement/finality.h"

namespace tally::service {
namespace {

// Times that one pull looks again before others get their turn.
constexpr int kLooksMax = 3;

class Watch final : public Outgoing {
 public:
  Watch(store::EventStore& store, const Clock& clock, std::string ledger, v1::SettlementKey key,
        std::unique_ptr<Live::Follower> follower)
      : store_(store),
        clock_(clock),
        ledger_(std::move(ledger)),
        key_(std::move(key)),
        follower_(std::move(follower)) {}

  Pulled Pull() override {
    if (is_over_) return End{absl::OkStatus()};
    if (is_draining_) {
      is_over_ = true;
      v1::WatchSettlementResponse draining;
      draining.set_state(v1::WATCH_STATE_DRAINING);
      return draining.SerializeAsString();
    }
    for (int i = 0; i < kLooksMax; ++i) {
      is_stale_ = is_stale_ || clock_.Now() >= fresh_until_ || IsTouched();
      if (is_stale_) {
        absl::StatusOr<v1::WatchSettlementResponse> now = Look();
        if (!now.ok()) return End{now.status()};
        std::string bytes = now->SerializeAsString();
        if (bytes == said_) continue;
        is_over_ = now->state() == v1::WATCH_STATE_FINAL;
        said_ = bytes;
        return bytes;
      }
      is_asleep_ = is_asleep_ || follower_->Sleep(seen_, &interest_);
      if (is_asleep_) return Pause{fresh_until_};
    }
    return Pause{clock_.Now()};
  }

  void Drain() override { is_draining_ = true; }

 private:
  // Whether an event since the last look may have changed the answer.
  bool IsTouched() {
    if (is_asleep_) return !follower_->IsAsleep();
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    const store::Tail::Stretch recent = follower_->After(seen_, kAll);
    if (!recent.is_known) return !recent.is_all;
    for (const auto& part : recent.parts) {
      for (const store::StoredEvent& stored : part->events) {
        if (stored.position <= seen_) continue;
        const auto event = protocol::DecodeEnvelope(stored.envelope);
        if (!event.ok() || interest_.Holds(KeysOf(*event))) return true;
        seen_ = stored.position;
      }
    }
    return false;
  }

  absl::StatusOr<v1::WatchSettlementResponse> Look() {
    is_stale_ = false;
    is_asleep_ = false;
    fresh_until_ = absl::InfiniteFuture();
    interest_ = Interest();
    // First: what is read then holds at least what was on file up to here.
    TALLY_ASSIGN_OR_RETURN(const store::Ledger ledger, store_.GetLedger(ledger_));
    seen_ = ledger.last_position;
    TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::Reader> reader, store_.OpenReader(ledger_));
    Cut cut;
    cut.judged_at = clock_.Now();
    const Answers answers(*reader, cut, &interest_);
    v1::WatchSettlementResponse response;
    response.set_state(v1::WATCH_STATE_NOT_RECORDED);
    if (!settlement_.has_value()) {
      const absl::StatusOr<settlement::Subject> found = Resolve(answers, key_);
      if (ReasonOf(found.status()) == Reason::kNotRecorded) return response;
      if (!found.ok()) return found.status();
      TALLY_RETURN_IF_ERROR(Answer(answers, *found, response));
      // A challenge or a call may become a settlement; a settlement stays what it is, whoever uses
      // its aliases later.
      if (found->kind == settlement::SubjectKind::kSettlement) settlement_ = *found;
      return response;
    }
    TALLY_RETURN_IF_ERROR(Answer(answers, *settlement_, response));
    return response;
  }

  absl::Status Answer(const Answers& answers, const settlement::Subject& subject,
                      v1::WatchSettlementResponse& out) {
    TALLY_ASSIGN_OR_RETURN(const std::optional<Evaluated> evaluated, answers.Evaluate(subject));
    if (!evaluated.has_value()) return absl::OkStatus();
    fresh_until_ = evaluated->answer.fresh_until;
    out.set_state(settlement::IsFinal(evaluated->answer) ? v1::WATCH_STATE_FINAL
                                                         : v1::WATCH_STATE_OPEN);
    ToProto(*evaluated, out.mutable_settlement());
    return absl::OkStatus();
  }

  store::EventStore& store_;
  const Clock& clock_;
  const std::string ledger_;
  const v1::SettlementKey key_;
  const std::unique_ptr<Live::Follower> follower_;

  std::optional<settlement::Subject> settlement_;  // once the key led to one
  // Of the last look.
  bool is_stale_ = true;
  bool is_asleep_ = false;  // or was woken since
  std::int64_t seen_ = 0;   // events up to here were looked at, or have nothing to do with it
  absl::Time fresh_until_;
  Interest interest_;

  std::string said_;
  bool is_draining_ = false;
  bool is_over_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Outgoing>> SettlementStreams::WatchSettlement(
    const v1::WatchSettlementRequest& request, Wake wake) {
  TALLY_ASSIGN_OR_RETURN(const store::Ledger ledger, FindLedger(store_, request.ledger()));
  std::unique_ptr<Live::Follower> follower = live_->Follow(ledger.name, std::move(wake));
  return std::make_unique<Watch>(store_, clock_, ledger.name, request.key(), std::move(follower));
}

}  // namespace tally::service
