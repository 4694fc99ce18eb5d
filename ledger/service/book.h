// Internal to service: one ledger as its observers see it.
#pragma once

#include <utility>

#include "ledger/base/mutex.h"
#include "ledger/observation/calls.h"
#include "ledger/service/ledger_service.h"
#include "ledger/service/store_lookup.h"
#include "ledger/store/event_store.h"

namespace tally::service {

struct LedgerService::Book {
  Book(store::EventStore& store, store::Ledger opened)
      : ledger(std::move(opened)), lookup(store, ledger.name), calls(&lookup) {}

  const store::Ledger ledger;  // name, role and endpoint names never change
  StoreLookup lookup;
  Mutex mutex;  // held while observations are read, so that requests come before their answers
  observation::Calls calls TALLY_GUARDED_BY(mutex);
};

}  // namespace tally::service
