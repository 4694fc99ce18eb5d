// The use cases over a store in memory: for what would take too many processes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ledger/service/admin_service.h"
#include "ledger/service/ledger_service.h"
#include "ledger/service/settlement_service.h"
#include "ledger/store/memory/memory_event_store.h"
#include "tests/support/fake_clock.h"

namespace tally::acceptance {

namespace v1 = ::tallystick::v1;

// One ledger called "book". The clock stands still, so that equal imports give equal bytes.
class Book {
 public:
  explicit Book(v1::LedgerRole role);

  // Lines as `tally import` sends them, from a file of their own. All must be good.
  void Import(const std::vector<std::string>& lines);
  std::vector<v1::Settlement> List(absl::Time as_of);
  // All that can be read: events, and the list as of `as_of`.
  std::string Dump(absl::Time as_of);

 private:
  class Ids final : public service::IdSource {
   public:
    std::string NewExecutionId() override { return "exe_1"; }
  };

  support::FakeClock clock_;
  Ids ids_;
  store::MemoryEventStore store_;
  service::LedgerService ledgers_;
  service::SettlementService settlements_;
  service::AdminService admin_;
};

// Lines of a file under tests/testdata, without their ends.
std::vector<std::string> LinesOf(const std::string& path);
// The `time` of a line.
absl::Time TimeOf(const std::string& line);

}  // namespace tally::acceptance
