// What is sent: echoes, events of settlements as they go in life, and look-ups of them.
#pragma once

#include <google/protobuf/wrappers.pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tallystick/v1/ledger_service.pb.h"
#include "tallystick/v1/settlement_service.pb.h"
#include "tests/bench/load.h"

namespace tally::bench {

namespace v1 = ::tallystick::v1;

// Settlements under random ids, three events each: presented, ran, settled. Ids never come twice.
class Story {
 public:
  // Of the settlement `number`: `sha256:` and 64 hex digits that look random.
  static std::string SettlementId(std::uint64_t number);

  // The next event of the settlement that is under way.
  void Next(v1::Event* out);
  // Settlements begun.
  std::uint64_t settlements() const { return events_ / 3; }
  void StartAt(std::uint64_t settlement) { events_ = settlement * 3; }

 private:
  std::uint64_t events_ = 0;
};

class EchoLoad final : public Workload {
 public:
  explicit EchoLoad(std::string bytes) { value_.set_value(std::move(bytes)); }
  std::string path() const override { return kEchoPath; }
  const google::protobuf::MessageLite& Next(std::size_t) override { return value_; }

 private:
  google::protobuf::BytesValue value_;
};

// Each caller tells settlements of its own. `told` counts those that are there to be looked up.
class RecordLoad final : public Workload {
 public:
  RecordLoad(int events_each, std::uint64_t& next_settlement, std::vector<std::uint64_t>& told);
  std::string path() const override { return "/tallystick.v1.LedgerService/RecordEvents"; }
  const google::protobuf::MessageLite& Next(std::size_t caller) override;
  void OnAnswer(std::size_t caller) override;
  double operations() const override { return events_each_; }

 private:
  struct Teller {
    std::uint64_t settlement = 0;
    Story story;
    bool is_begun = false;
  };
  Teller& TellerOf(std::size_t caller);

  const int events_each_;
  std::uint64_t& next_settlement_;
  std::vector<std::uint64_t>& told_;
  std::vector<Teller> tellers_;
  v1::RecordEventsRequest request_;
};

class LookUpLoad final : public Workload {
 public:
  explicit LookUpLoad(const std::vector<std::uint64_t>& told) : told_(told) {}
  std::string path() const override { return "/tallystick.v1.SettlementService/GetSettlement"; }
  const google::protobuf::MessageLite& Next(std::size_t caller) override;

 private:
  const std::vector<std::uint64_t>& told_;
  std::uint64_t drawn_ = 0;
  v1::GetSettlementRequest request_;
};

}  // namespace tally::bench
