#include "ledger/service/ledger_service.h"

#include <utility>

#include "ledger/base/status_macros.h"
#include "ledger/service/book.h"
#include "ledger/service/ledgers.h"

namespace tally::service {

LedgerService::LedgerService(store::EventStore& store, IdSource& ids) : store_(store), ids_(ids) {}
LedgerService::~LedgerService() = default;

absl::StatusOr<std::shared_ptr<LedgerService::Book>> LedgerService::OpenBook(
    const std::string& name) {
  {
    const MutexLock lock(mutex_);
    const auto found = books_.find(name);
    if (found != books_.end()) return found->second;
  }
  TALLY_ASSIGN_OR_RETURN(store::Ledger ledger, FindLedger(store_, name));
  const MutexLock lock(mutex_);
  std::shared_ptr<Book>& book = books_[ledger.name];
  if (book == nullptr) book = std::make_shared<Book>(store_, std::move(ledger));
  return book;
}

}  // namespace tally::service
