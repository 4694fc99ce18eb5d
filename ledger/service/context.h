// What a use case is told beside its request.
#pragma once

#include <string>

namespace tally::service {

struct CallContext {
  std::string principal;  // who calls, authenticated; the recorder of what is written
};

// Where fresh ids come from: random in production, counted in tests. Thread-safe.
class IdSource {
 public:
  virtual ~IdSource() = default;
  // `exe_` and something nobody else was given.
  virtual std::string NewExecutionId() = 0;
};

}  // namespace tally::service
