// The two macros everybody knows; Abseil 20220623 has none of its own.
#pragma once

#include <utility>

#include "absl/status/status.h"

#define TALLY_CONCAT_INNER_(a, b) a##b
#define TALLY_CONCAT_(a, b) TALLY_CONCAT_INNER_(a, b)

#define TALLY_RETURN_IF_ERROR(expression)          \
  do {                                             \
    ::absl::Status tally_status_ = (expression);   \
    if (!tally_status_.ok()) return tally_status_; \
  } while (false)

#define TALLY_ASSIGN_OR_RETURN(declaration, expression) \
  TALLY_ASSIGN_OR_RETURN_(TALLY_CONCAT_(tally_status_or_, __LINE__), declaration, expression)
#define TALLY_ASSIGN_OR_RETURN_(variable, declaration, expression) \
  auto variable = (expression);                                    \
  if (!variable.ok()) return variable.status();                    \
  declaration = *std::move(variable)
