// Structured logs on stderr: one line an event, for people or as JSON.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace spdlog {
class logger;
}  // namespace spdlog

namespace tally::server {

// Thread-safe. Never log payments, arguments or documents: they hold live signatures.
class Log {
 public:
  enum class Format { kText, kJson };
  enum class Level { kDebug, kInfo, kWarning, kError };
  using Fields = std::initializer_list<std::pair<absl::string_view, absl::string_view>>;

  // Events below `least` are dropped.
  Log(Level least, Format format);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // `event` in a few fixed words, what varies in the fields.
  void Write(Level level, absl::string_view event, Fields fields = {});

 private:
  const Format format_;
  const std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace tally::server
