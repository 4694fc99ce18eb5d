// Ids nobody can guess or meet twice, from the kernel's random numbers.
#pragma once

#include <string>

#include "ledger/service/context.h"

namespace tally::service {

class RandomIds final : public IdSource {
 public:
  // `exe_` and 26 base32 characters: 128 bits.
  std::string NewExecutionId() override;
};

}  // namespace tally::service
