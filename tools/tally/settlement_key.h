// By what a verb's settlement is known: an id, the payment itself, or the MCP call.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "absl/status/status.h"
#include "tallystick/v1/settlement_service.pb.h"
#include "tools/tally/options.h"

namespace tally::cli {

// As given on the command line; exactly one.
struct KeyOptions {
  std::string id;
  std::string payment;  // a file; - is stdin
  std::string call;     // SESSION:ID
};

void AddKey(CLI::App& verb, KeyOptions& options);

// FIELD_MALFORMED, DOCUMENT_MALFORMED, LIMIT_EXCEEDED.
absl::Status ReadKey(const KeyOptions& options, tallystick::v1::SettlementKey* key);

// After ALIAS_AMBIGUOUS: the settlements that the key hits, on stdout.
void PrintHits(const absl::Status& status, Form form);

}  // namespace tally::cli
