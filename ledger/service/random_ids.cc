#include "ledger/service/random_ids.h"

#include <sys/random.h>

#include <array>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ledger/base/encoding.h"

namespace tally::service {

std::string RandomIds::NewExecutionId() {
  std::array<char, 16> bytes{};
  // Up to 256 bytes come whole or not at all. An id that others may have is worse than no ledger.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  return absl::StrCat("exe_", Base32Encode(absl::string_view(bytes.data(), bytes.size())));
}

}  // namespace tally::service
