// Every RPC, one line each.
#pragma once

#include <vector>

#include "ledger/service/admin_service.h"
#include "ledger/service/ledger_service.h"
#include "ledger/service/settlement_service.h"
#include "ledger/service/settlement_streams.h"
#include "server/health.h"
#include "server/rpc/method.h"

namespace tally::server {

// All must outlive the server that serves them.
std::vector<rpc::Method> Methods(service::LedgerService& ledger,
                                 service::SettlementService& settlement,
                                 service::SettlementStreams& streams, service::AdminService& admin,
                                 Health& health);

}  // namespace tally::server
