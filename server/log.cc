#include "server/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace tally::server {
namespace {

constexpr char kTextPattern[] = "time=%Y-%m-%dT%H:%M:%S.%fZ level=%l %v";
constexpr char kJsonPattern[] = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})";

spdlog::level::level_enum ToSpdlog(Log::Level level) {
  switch (level) {
    case Log::Level::kDebug:
      return spdlog::level::debug;
    case Log::Level::kInfo:
      return spdlog::level::info;
    case Log::Level::kWarning:
      return spdlog::level::warn;
    case Log::Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// In quotes, escaped, on one line.
std::string Quoted(absl::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string TextValue(absl::string_view text) {
  const bool is_plain = !text.empty() && text.find_first_of(" \"=\\\n\r\t") == text.npos;
  return is_plain ? std::string(text) : Quoted(text);
}

}  // namespace

Log::Log(Level least, Format format)
    : format_(format),
      logger_(std::make_shared<spdlog::logger>("tallyd",
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_level(ToSpdlog(least));
  logger_->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      format == Format::kJson ? kJsonPattern : kTextPattern, spdlog::pattern_time_type::utc));
}

Log::~Log() = default;

void Log::Write(Level level, absl::string_view event, Fields fields) {
  if (!logger_->should_log(ToSpdlog(level))) return;
  std::string line;
  if (format_ == Format::kJson) {
    absl::StrAppend(&line, "\"event\":", Quoted(event));
    for (const auto& [key, value] : fields) {
      absl::StrAppend(&line, ",", Quoted(key), ":", Quoted(value));
    }
  } else {
    absl::StrAppend(&line, "event=", Quoted(event));
    for (const auto& [key, value] : fields) absl::StrAppend(&line, " ", key, "=", TextValue(value));
  }
  // Not as a format string: the text may hold braces.
  logger_->log(ToSpdlog(level), spdlog::string_view_t(line));
}

}  // namespace tally::server
