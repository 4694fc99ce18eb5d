// A database file of its own with one ledger called "book", driven through `tally`.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/program.h"

namespace tally::acceptance {

class EmbeddedBook {
 public:
  explicit EmbeddedBook(const std::string& role = "seller") : folder_(support::NewFolder()) {
    EXPECT_EQ(Run({"ledger", "create", "book", "--role", role}).code, 0);
  }

  const std::string& folder() const { return folder_; }
  std::string database() const { return folder_ + "/book.db"; }

  support::Ended Run(std::vector<std::string> arguments, const std::string& in = "") const {
    arguments.insert(arguments.end(), {"--database", database()});
    return support::RunTally(arguments, in);
  }
  // A transcript written to a file.
  support::Ended Import(const std::string& text, const std::vector<std::string>& more = {}) const {
    support::WriteFile(folder_ + "/in.jsonl", text);
    std::vector<std::string> arguments = {"import", folder_ + "/in.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  std::size_t EventCount() const {
    const json::Value events = support::ParseJson(Run({"events", "--output", "json"}).out);
    return events.array() == nullptr ? 0 : events.array()->size();
  }

 private:
  const std::string folder_;
};

}  // namespace tally::acceptance
