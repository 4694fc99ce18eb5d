// The built `tally` as a child process, and what it leaves behind.
#pragma once

#include <string>
#include <vector>

#include "ledger/json/value.h"

namespace tally::support {

struct Ended {
  int code = 0;  // 128 + the signal when one ended it
  std::string out;
  std::string err;
};

// Runs `tally` to its end, without the caller's TALLY_… settings. `environment` holds NAME=VALUE.
Ended RunTally(const std::vector<std::string>& arguments, const std::string& in = "",
               const std::vector<std::string>& environment = {});

// A new, empty folder; it stays, with what the test left in it.
std::string NewFolder();
void WriteFile(const std::string& path, const std::string& text);
std::string ReadFile(const std::string& path);

// Of tests/testdata.
std::string TestData(const std::string& name);
// Paths of the captured transcripts of one side (`seller`, `buyer`), by name.
std::vector<std::string> Transcripts(const std::string& side);

// The document in `text`; null, and a test failure, when it is not JSON.
json::Value ParseJson(const std::string& text);
// The text at the keys; empty when there is none, or null.
std::string TextAt(const json::Value& value, std::initializer_list<absl::string_view> path);

}  // namespace tally::support
