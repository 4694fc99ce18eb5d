#include "server/methods.h"

#include "server/rpc/conversation.h"

namespace tally::server {
namespace {

// Waiting calls: many where many callers are expected at once.
constexpr int kHot = 32;
constexpr int kCold = 2;

}  // namespace

std::vector<rpc::Method> Methods(service::LedgerService& ledger,
                                 service::SettlementService& settlement,
                                 service::SettlementStreams& streams, service::AdminService& admin,
                                 Health& health) {
  using rpc::Blocking;
  using rpc::Later;
  using service::AdminService;
  using service::LedgerService;
  using service::SettlementService;
  using service::SettlementStreams;
  constexpr auto kInPlace = rpc::Runs::kInPlace;
  constexpr auto kOnExecutor = rpc::Runs::kOnExecutor;
  // Without credentials there is one principal: whoever may open a socket of this machine.
  const service::CallContext local{"local"};
  return {
      // Observing reads the store to correlate; the other two only check and queue.
      Later("/tallystick.v1.LedgerService/Observe", kOnExecutor, ledger, &LedgerService::Observe,
            local, kHot),
      Later("/tallystick.v1.LedgerService/RecordEvents", kInPlace, ledger,
            &LedgerService::RecordEvents, local, kHot),
      Later("/tallystick.v1.LedgerService/ClaimExecution", kInPlace, ledger,
            &LedgerService::ClaimExecution, local, kHot),
      rpc::TwoWay("/tallystick.v1.LedgerService/RecordEventStream", ledger,
                  &LedgerService::RecordEventStream, local, kCold),
      Blocking("/tallystick.v1.SettlementService/GetSettlement", settlement,
               &SettlementService::GetSettlement, kHot),
      Blocking("/tallystick.v1.SettlementService/BatchGetSettlements", settlement,
               &SettlementService::BatchGetSettlements, kCold),
      Blocking("/tallystick.v1.SettlementService/ListSettlements", settlement,
               &SettlementService::ListSettlements, kCold),
      Blocking("/tallystick.v1.SettlementService/ReadEvents", settlement,
               &SettlementService::ReadEvents, kCold),
      Blocking("/tallystick.v1.SettlementService/GetStatistics", settlement,
               &SettlementService::GetStatistics, kCold),
      rpc::Streaming("/tallystick.v1.SettlementService/SubscribeEvents", streams,
                     &SettlementStreams::SubscribeEvents, kCold),
      rpc::Streaming("/tallystick.v1.SettlementService/WatchSettlement", streams,
                     &SettlementStreams::WatchSettlement, kCold),
      Blocking("/tallystick.v1.AdminService/CreateLedger", admin, &AdminService::CreateLedger,
               kCold),
      Blocking("/tallystick.v1.AdminService/GetLedger", admin, &AdminService::GetLedger, kCold),
      Blocking("/tallystick.v1.AdminService/ListLedgers", admin, &AdminService::ListLedgers, kCold),
      Blocking("/tallystick.v1.AdminService/Backup", admin, &AdminService::Backup, kCold),
      Blocking("/grpc.health.v1.Health/Check", health, &Health::Check, kCold),
  };
}

}  // namespace tally::server
