// The services over a memory store, with a clock and ids that tests set.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/base/clock.h"
#include "ledger/service/admin_service.h"
#include "ledger/service/ledger_service.h"
#include "ledger/service/settlement_service.h"
#include "ledger/store/memory/memory_event_store.h"

namespace tally::service {

class SetClock final : public Clock {
 public:
  absl::Time Now() const override { return now; }
  absl::Time now = absl::FromUnixSeconds(1796059200);
};

class CountedIds final : public IdSource {
 public:
  std::string NewExecutionId() override { return "exe_" + std::to_string(++count_); }

 private:
  int count_ = 0;
};

struct Services {
  SetClock clock;
  CountedIds ids;
  store::MemoryEventStore store{clock};
  LedgerService ledgers{store, ids};
  SettlementService settlements{store, clock};
  AdminService admin{store};

  void Create(const std::string& name, v1::LedgerRole role);
  absl::StatusOr<v1::ObserveResponse> Observe(v1::ObserveRequest request);
  absl::StatusOr<v1::RecordEventsResponse> Record(const v1::RecordEventsRequest& request);
  absl::StatusOr<v1::ClaimExecutionResponse> Claim(const v1::ClaimExecutionRequest& request);
  absl::StatusOr<v1::Settlement> Get(const std::string& ledger, const std::string& any,
                                     std::optional<absl::Time> as_of = std::nullopt);
  std::vector<v1::Settlement> List(v1::ListSettlementsRequest request);
  std::int64_t LastPosition(const std::string& ledger);

  // What became of the lines of a transcript, each as one request would have had it.
  struct Imported {
    int recorded = 0;
    int replayed = 0;
    int skipped = 0;
    std::vector<std::string> faults;  // rejected, unread, or without their request
    absl::Time last_time;
  };
  // Sends all lines in one request, or one by one.
  Imported Import(const std::string& ledger, const std::vector<std::string>& lines,
                  bool is_one_by_one = false);
};

// Below tests/testdata.
std::string ReadTestFile(const std::string& name);
std::vector<std::string> ReadTestLines(const std::string& name);
absl::Time TimeOf(absl::string_view text);
// Word of an enum value without its prefix.
std::string LabelOf(const v1::Settlement& settlement);
std::string LivenessOf(const v1::Settlement& settlement);
std::string AnomaliesOf(const v1::Settlement& settlement);  // separated by blanks
std::string AdviceOf(v1::Advice advice);

}  // namespace tally::service
