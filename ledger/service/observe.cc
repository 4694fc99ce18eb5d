#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/read.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/service/book.h"
#include "ledger/service/checks.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/observation_codec.h"
#include "ledger/service/receipts.h"

namespace tally::service {
namespace {

constexpr std::size_t kObservationsMax = 1000;
// Below the store's limits of one append.
constexpr std::size_t kGroupEventsMax = 500;
constexpr std::size_t kGroupBytesMax = 2 * 1024 * 1024;

// What became of one observation: its events until they are written, then its result.
struct Slot {
  std::vector<settlement::Event> events;
  std::vector<Filed> filed;
  v1::ObservationResult* result = nullptr;  // in the response
};

void Reject(const absl::Status& status, v1::ObservationResult* out) {
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  const auto text = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  v1::ObservationRejected* rejected = out->mutable_rejected();
  const absl::string_view reason = NameOf(ReasonOf(status).value_or(Reason::kInternal));
  rejected->set_reason(reason.data(), reason.size());
  rejected->set_message(status.message().data(), status.message().size());
  // The id of an event is made from that of its observation.
  const bool is_reused = ReasonOf(status) == Reason::kEventIdReused;
  rejected->set_field(is_reused ? "observation_id" : text("field"));
  rejected->set_seen(text("seen"));
  rejected->set_wanted(text("wanted"));
}

// A fault of the ledger and not of the observation: nothing after it would fare better.
bool IsOfLedger(const absl::Status& status) {
  const std::optional<Reason> reason = ReasonOf(status);
  return !reason.has_value() || TraitsOf(*reason).is_retry_helpful ||
         *reason == Reason::kDataLoss || *reason == Reason::kDatabaseUnusable ||
         *reason == Reason::kInternal || *reason == Reason::kLedgerNotFound;
}

// One request on its way through the store. Writes of one group fail or succeed together, so after
// a refusal its observations are written one by one: each stands for itself.
class Observing : public std::enable_shared_from_this<Observing> {
 public:
  Observing(store::EventStore& store, std::string ledger, v1::ObserveRequest request,
            Done<v1::ObserveResponse> done)
      : store_(store),
        ledger_(std::move(ledger)),
        request_(std::move(request)),
        done_(std::move(done)) {
    slots_.resize(static_cast<std::size_t>(request_.observations_size()));
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      slots_[i].result = response_.add_results();
      slots_[i].result->set_observation_id(At(i).observation_id());
    }
  }

  absl::Status ReadAll(const CallContext& context, settlement::SourceKind source,
                       const store::Ledger& ledger, observation::Calls& calls) {
    std::vector<std::size_t> unseen;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      TALLY_RETURN_IF_ERROR(ReadOne(i, context, source, ledger, calls, unseen));
    }
    // An observer's lines can come out of order: what was sent later may be the request.
    std::vector<std::size_t> again;
    for (const std::size_t i : unseen) {
      TALLY_RETURN_IF_ERROR(ReadOne(i, context, source, ledger, calls, again));
    }
    return absl::OkStatus();
  }

  void WriteAll() {
    std::vector<std::vector<std::size_t>> groups = Groups();
    {
      const MutexLock lock(mutex_);
      outstanding_ = groups.size() + 1;
    }
    for (std::vector<std::size_t>& group : groups) Write(std::move(group));
    Finish();
  }

 private:
  const v1::Observation& At(std::size_t i) const {
    return request_.observations(static_cast<int>(i));
  }

  absl::Status ReadOne(std::size_t i, const CallContext& context, settlement::SourceKind source,
                       const store::Ledger& ledger, observation::Calls& calls,
                       std::vector<std::size_t>& unseen) {
    Slot& slot = slots_[i];
    slot.filed.clear();
    slot.result->clear_outcome();
    absl::StatusOr<observation::Observation> observation = FromProto(At(i));
    if (!observation.ok()) {
      Reject(observation.status(), slot.result);
      return absl::OkStatus();
    }
    observation->source = source;
    observation->recorder = context.principal;
    if (auto* frame = std::get_if<observation::McpFrame>(&observation->body); frame != nullptr) {
      frame->endpoint = EndpointIn(ledger, frame->endpoint);
    }
    absl::StatusOr<observation::Reading> reading = observation::Read(*observation, calls);
    if (!reading.ok()) {
      if (IsOfLedger(reading.status())) return reading.status();
      Reject(reading.status(), slot.result);
      return absl::OkStatus();
    }
    if (reading->events.empty()) {
      slot.result->mutable_skipped()->set_reason(reading->skipped.data(), reading->skipped.size());
    } else {
      slot.result->mutable_recorded()->set_has_unseen_request(reading->has_unseen_request);
    }
    if (reading->has_unseen_request || reading->skipped == observation::kRequestNotSeen) {
      unseen.push_back(i);
    }
    slot.events = std::move(reading->events);
    for (const settlement::Event& event : slot.events) slot.filed.push_back(FiledOf(event));
    return absl::OkStatus();
  }

  std::vector<std::vector<std::size_t>> Groups() const {
    std::vector<std::vector<std::size_t>> groups;
    std::size_t events = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      if (slot.events.empty()) continue;
      constexpr std::size_t kBodyBytes = 4096;
      std::size_t slot_bytes = 0;
      for (const settlement::Event& event : slot.events) {
        slot_bytes += kBodyBytes + (event.document.has_value() ? event.document->bytes.size() : 0);
      }
      const bool is_full =
          events + slot.events.size() > kGroupEventsMax || bytes + slot_bytes > kGroupBytesMax;
      if (groups.empty() || is_full) {
        groups.emplace_back();
        events = bytes = 0;
      }
      groups.back().push_back(i);
      events += slot.events.size();
      bytes += slot_bytes;
    }
    return groups;
  }

  void Write(std::vector<std::size_t> group) {
    std::vector<settlement::Event> events;
    for (const std::size_t i : group) {
      events.insert(events.end(), slots_[i].events.begin(), slots_[i].events.end());
    }
    store_.Append(ledger_, std::move(events),
                  [self = shared_from_this(),
                   group = std::move(group)](absl::StatusOr<std::vector<store::Receipt>> receipts) {
                    self->OnWritten(group, receipts);
                  });
  }

  void OnWritten(const std::vector<std::size_t>& group,
                 const absl::StatusOr<std::vector<store::Receipt>>& receipts) {
    if (receipts.ok()) {
      auto receipt = receipts->begin();
      for (const std::size_t i : group) {
        v1::ObservationRecorded* recorded = slots_[i].result->mutable_recorded();
        for (const Filed& filed : slots_[i].filed) {
          ToProto(filed, *receipt++, recorded->add_receipts());
        }
      }
    } else if (IsOfLedger(receipts.status())) {
      const MutexLock lock(mutex_);
      status_.Update(receipts.status());
    } else if (group.size() == 1) {
      Reject(receipts.status(), slots_[group.front()].result);
    } else {
      {
        const MutexLock lock(mutex_);
        outstanding_ += group.size();
      }
      for (const std::size_t i : group) Write({i});
    }
    Finish();
  }

  // The last one out answers.
  void Finish() {
    absl::Status status;
    {
      const MutexLock lock(mutex_);
      if (--outstanding_ > 0) return;
      status = status_;
    }
    if (status.ok()) {
      done_(std::move(response_));
    } else {
      done_(std::move(status));
    }
  }

  store::EventStore& store_;
  const std::string ledger_;
  const v1::ObserveRequest request_;
  const Done<v1::ObserveResponse> done_;
  v1::ObserveResponse response_;
  std::vector<Slot> slots_;
  Mutex mutex_;
  std::size_t outstanding_ TALLY_GUARDED_BY(mutex_) = 0;
  absl::Status status_ TALLY_GUARDED_BY(mutex_);
};

absl::StatusOr<settlement::SourceKind> CheckRequest(const v1::ObserveRequest& request) {
  TALLY_RETURN_IF_ERROR(CheckId("request_id", request.request_id(), false));
  const auto source = protocol::FromProto<settlement::SourceKind>(request.source());
  if (!source.has_value()) return UnspecifiedEnum("source", request.source());
  const auto count = static_cast<std::size_t>(request.observations_size());
  if (count == 0) return MissingField("observations", "1 to 1000 observations");
  if (count > kObservationsMax) {
    return OverLimit("observations", count, kObservationsMax, "observations");
  }
  return *source;
}

}  // namespace

void LedgerService::Observe(const CallContext& context, v1::ObserveRequest request,
                            Done<v1::ObserveResponse> done) {
  const absl::StatusOr<settlement::SourceKind> source = CheckRequest(request);
  if (!source.ok()) return done(source.status());
  const absl::StatusOr<std::shared_ptr<Book>> book = OpenBook(request.ledger());
  if (!book.ok()) return done(book.status());
  const auto observing =
      std::make_shared<Observing>(store_, (*book)->ledger.name, std::move(request), done);
  absl::Status status;
  {
    const MutexLock lock((*book)->mutex);
    status = observing->ReadAll(context, *source, (*book)->ledger, (*book)->calls);
  }
  if (!status.ok()) return done(status);
  observing->WriteAll();
}

}  // namespace tally::service
