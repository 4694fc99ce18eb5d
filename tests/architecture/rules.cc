#include "tests/architecture/rules.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tally::architecture {
namespace {

constexpr std::size_t kFileLinesMax = 500;

std::vector<std::string> LinesOf(absl::string_view text) { return absl::StrSplit(text, '\n'); }

std::string At(const SourceFile& file, std::size_t line, absl::string_view what) {
  return absl::StrCat(file.path, ":", line, ": ", what);
}

bool IsCpp(absl::string_view path) {
  return absl::EndsWith(path, ".h") || absl::EndsWith(path, ".cc");
}

bool StartsWithAny(absl::string_view path, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return absl::StartsWith(path, prefix); });
}

struct Include {
  std::size_t line;
  std::string target;  // between the quotes or brackets
};

std::vector<Include> IncludesOf(absl::string_view text) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const std::string& line : LinesOf(text)) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) includes.push_back({number, match[1]});
  }
  return includes;
}

// The folder under ledger/ that holds `path`; empty when it is not under ledger/.
std::string LedgerFolderOf(absl::string_view path) {
  if (!absl::ConsumePrefix(&path, "ledger/")) return "";
  const std::size_t slash = path.rfind('/');
  return slash == absl::string_view::npos ? "" : std::string(path.substr(0, slash));
}

struct LayerLine {
  std::size_t line;
  std::string folder;
  std::vector<std::string> dependencies;
};

std::vector<LayerLine> LayerLines(absl::string_view cmake_text) {
  static const std::regex kLine(R"re(^\s*"([a-z0-9_/]+):([a-z0-9_/ ]*)"\s*$)re");
  std::vector<LayerLine> found;
  bool is_inside = false;
  std::size_t number = 0;
  for (const std::string& line : LinesOf(cmake_text)) {
    ++number;
    if (absl::StartsWith(line, "set(TALLY_LAYERS")) is_inside = true;
    std::smatch match;
    if (is_inside && std::regex_match(line, match, kLine)) {
      const std::string dependencies = match[2];
      found.push_back({number, match[1], absl::StrSplit(dependencies, ' ', absl::SkipEmpty())});
    }
    if (is_inside && line == ")") break;
  }
  return found;
}

// A header or a word, and the only places that may use it. An empty `scope` means everywhere under
// ledger/, server/ and tools/; `allowed` holds path prefixes.
struct Restriction {
  std::string needle;
  bool is_include;  // the needle starts an include's target; else it is a word of the code
  std::vector<std::string> scope;
  std::vector<std::string> allowed;
  std::string why;
};

const std::vector<Restriction>& Restrictions() {
  static const std::vector<std::string> kPure = {
      "ledger/base/",      "ledger/json/",       "ledger/types/",       "ledger/crypto/",
      "ledger/x402/",      "ledger/settlement/", "ledger/observation/", "ledger/protocol/",
      "ledger/reconcile/", "ledger/audit/"};
  static const std::vector<std::string> kLedger = {"ledger/"};
  static const std::vector<std::string> kAsksTime = {"ledger/base/clock.cc", "ledger/client/"};
  static const std::vector<std::string> kMutex = {"ledger/base/mutex.h"};
  static const std::vector<std::string> kSpeaksGrpc = {"ledger/client/", "server/", "tools/"};
  static const std::vector<std::string> kSpeaksProto = {"ledger/protocol/", "ledger/service/",
                                                        "ledger/client/"};
  static const std::vector<Restriction> kTable = {
      {"thread", true, kPure, {}, "pure code starts no thread"},
      {"future", true, kPure, {}, "pure code starts no thread"},
      {"atomic", true, kPure, {}, "pure code shares nothing"},
      {"mutex", true, kPure, kMutex, "pure code shares nothing"},
      {"condition_variable", true, kPure, kMutex, "pure code shares nothing"},
      {"random", true, kPure, {}, "pure code draws no numbers"},
      {"absl/random/", true, kPure, {}, "pure code draws no numbers"},
      {"fstream", true, kPure, {}, "pure code opens no file"},
      {"filesystem", true, kPure, {}, "pure code opens no file"},
      {"iostream", true, kPure, {}, "pure code prints nothing"},
      {"unistd.h", true, kPure, {}, "pure code asks no system"},
      {"getenv", false, kLedger, {}, "only server/ and tools/ read the environment"},
      {"absl::Now", false, kLedger, kAsksTime, "the time comes from an injected Clock"},
      {"system_clock", false, kLedger, kAsksTime, "the time comes from an injected Clock"},
      {"gettimeofday", false, kLedger, kAsksTime, "the time comes from an injected Clock"},
      {"clock_gettime", false, kLedger, kAsksTime, "the time comes from an injected Clock"},
      // What switches off the checks of gRPC's own locks.
      {"absl/synchronization/",
       true,
       {},
       {"server/rpc/server.cc", "tests/bench/load.cc"},
       "the thread sanitizer can't see into absl::Mutex"},
      {"nlohmann/", true, kLedger, {"ledger/json/"}, "ledger/json is the one JSON"},
      {"boost/", true, kLedger, {"ledger/types/"}, "ledger/types holds the one uint256"},
      {"openssl/", true, kLedger, {"ledger/crypto/"}, "ledger/crypto is the one door to OpenSSL"},
      {"SQLiteCpp/",
       true,
       {},
       {"ledger/store/sqlite/", "tools/bench/"},
       "SQL lives in ledger/store/sqlite"},
      {"sqlite3.h",
       true,
       {},
       {"ledger/store/sqlite/", "tools/bench/"},
       "SQL lives in ledger/store/sqlite"},
      {"grpc/", true, {}, kSpeaksGrpc, "gRPC lives in ledger/client, server and tools"},
      {"grpcpp/", true, {}, kSpeaksGrpc, "gRPC lives in ledger/client, server and tools"},
      {"tallystick/v1/", true, kLedger, kSpeaksProto, "the domain does not know its messages"},
      {"google/protobuf/", true, kLedger, kSpeaksProto, "the domain does not know its messages"},
      {"tallystick/storage/",
       true,
       {},
       {"ledger/protocol/", "ledger/store/sqlite/"},
       "only the store knows the stored envelope"},
      {"CLI/", true, {}, {"server/", "tools/"}, "only programs read arguments"},
      {"spdlog/", true, {}, {"server/"}, "only the server writes logs"},
  };
  return kTable;
}

bool IsShell(absl::string_view path) {
  return absl::StartsWith(path, "server/") || absl::StartsWith(path, "tools/");
}

bool HoldsWord(absl::string_view line, absl::string_view word) {
  const auto is_word_char = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = line.find(word); at != absl::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word_char(line[at - 1]);
    const bool ends = end == line.size() || !is_word_char(line[end]);
    if (starts && ends) return true;
  }
  return false;
}

// Header names without an extension (<thread>) are whole; others are a path or a folder.
bool Matches(absl::string_view target, absl::string_view needle) {
  return absl::StrContains(needle, "/") ? absl::StartsWith(target, needle) : target == needle;
}

}  // namespace

Layers ParseLayers(absl::string_view cmake_text) {
  Layers layers;
  for (const LayerLine& line : LayerLines(cmake_text)) {
    layers[line.folder] = {line.dependencies.begin(), line.dependencies.end()};
  }
  return layers;
}

Violations CheckLayerList(absl::string_view cmake_text) {
  Violations violations;
  std::set<std::string> above;
  for (const LayerLine& line : LayerLines(cmake_text)) {
    for (const std::string& dependency : line.dependencies) {
      if (above.count(dependency) == 0) {
        violations.push_back(absl::StrCat("layers.cmake:", line.line, ": ", line.folder,
                                          " depends on ", dependency, ", which is not above it"));
      }
    }
    above.insert(line.folder);
  }
  return violations;
}

Violations CheckLayers(const Layers& layers, const SourceFile& file) {
  const std::string folder = LedgerFolderOf(file.path);
  if (folder.empty() || !IsCpp(file.path)) return {};
  const auto layer = layers.find(folder);
  if (layer == layers.end()) {
    return {At(file, 1, absl::StrCat("ledger/", folder, " has no line in layers.cmake"))};
  }
  Violations violations;
  for (const Include& include : IncludesOf(file.text)) {
    if (absl::StartsWith(include.target, "server/") || absl::StartsWith(include.target, "tools/")) {
      violations.push_back(At(file, include.line, "the library includes nothing of a program"));
    }
    const std::string target = LedgerFolderOf(include.target);
    if (target.empty() || target == folder || layer->second.count(target) != 0) continue;
    violations.push_back(At(file, include.line,
                            absl::StrCat("ledger/", folder, " may not include ", include.target)));
  }
  return violations;
}

Violations CheckShells(const SourceFile& file) {
  struct Shell {
    std::string prefix;
    std::set<std::string> folders;  // under ledger/
    std::string except;             // a file that wires, and may see everything
  };
  static const std::vector<Shell> kShells = {
      {"server/", {"service", "protocol", "store", "types", "base"}, "server/main.cc"},
      {"tools/tally/",
       {"client", "service", "protocol", "store", "store/sqlite", "x402", "json", "types", "base"},
       "tools/tally/main.cc"},
  };
  if (!IsCpp(file.path)) return {};
  Violations violations;
  for (const Shell& shell : kShells) {
    if (!absl::StartsWith(file.path, shell.prefix) || file.path == shell.except) continue;
    for (const Include& include : IncludesOf(file.text)) {
      const std::string target = LedgerFolderOf(include.target);
      if (target.empty() || shell.folders.count(target) != 0) continue;
      violations.push_back(
          At(file, include.line, absl::StrCat(shell.prefix, " may not include ", include.target)));
    }
  }
  return violations;
}

Violations CheckPurity(const SourceFile& file) {
  if (!IsCpp(file.path)) return {};
  if (!absl::StartsWith(file.path, "ledger/") && !IsShell(file.path)) return {};
  Violations violations;
  const std::vector<Include> includes = IncludesOf(file.text);
  const std::vector<std::string> code = LinesOf(CodeOf(file.text));
  for (const Restriction& restriction : Restrictions()) {
    if (!restriction.scope.empty() && !StartsWithAny(file.path, restriction.scope)) continue;
    if (StartsWithAny(file.path, restriction.allowed)) continue;
    const std::string what = absl::StrCat(restriction.needle, ": ", restriction.why);
    if (restriction.is_include) {
      for (const Include& include : includes) {
        if (Matches(include.target, restriction.needle)) {
          violations.push_back(At(file, include.line, what));
        }
      }
      continue;
    }
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (HoldsWord(code[i], restriction.needle)) violations.push_back(At(file, i + 1, what));
    }
  }
  return violations;
}

Violations CheckText(const SourceFile& file) {
  // Put together here, so that this file does not break its own rule.
  static const std::vector<std::string> kUnfinished = {absl::StrCat("TO", "DO"),
                                                       absl::StrCat("FIX", "ME")};
  Violations violations;
  const std::vector<std::string> lines = LinesOf(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string& word : kUnfinished) {
      if (HoldsWord(lines[i], word)) violations.push_back(At(file, i + 1, "unfinished business"));
    }
  }
  if (!file.text.empty() && !absl::EndsWith(file.text, "\n")) {
    violations.push_back(At(file, lines.size(), "no newline at the end"));
  }
  if (!IsCpp(file.path)) return violations;
  if (lines.size() - 1 > kFileLinesMax) {
    violations.push_back(At(file, lines.size() - 1,
                            absl::StrCat("longer than ", kFileLinesMax, " lines: split it")));
  }
  const bool is_header = absl::EndsWith(file.path, ".h");
  if (is_header && std::find(lines.begin(), lines.end(), "#pragma once") == lines.end()) {
    violations.push_back(At(file, 1, "a header starts with #pragma once"));
  }
  return violations;
}

Violations CheckNoMachinePath(absl::string_view checkout, const SourceFile& file) {
  // A checkout right below the root, such as /src, is a name that text may well hold by chance.
  if (std::count(checkout.begin(), checkout.end(), '/') < 2) return {};
  const auto continues = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  Violations violations;
  const std::vector<std::string> lines = LinesOf(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find(checkout.data(), 0, checkout.size());
    if (at == std::string::npos) continue;
    const std::size_t end = at + checkout.size();
    if (at > 0 && continues(lines[i][at - 1])) continue;
    if (end < lines[i].size() && continues(lines[i][end])) continue;
    violations.push_back(At(file, i + 1, "names the folder of this checkout"));
  }
  return violations;
}

Violations CheckFolderNames(const std::vector<std::string>& paths) {
  static const std::set<std::string> kDrawers = {"util", "utils", "common", "misc", "helpers"};
  std::set<std::string> found;
  for (const std::string& path : paths) {
    std::vector<std::string> parts = absl::StrSplit(path, '/');
    parts.pop_back();
    for (const std::string& part : parts) {
      if (kDrawers.count(part) != 0)
        found.insert(absl::StrCat(path, ": no folder is called ", part));
    }
  }
  return {found.begin(), found.end()};
}

Violations CheckMigrations(std::vector<std::string> names) {
  static const std::regex kName(R"re(^([0-9]{4})_[a-z0-9_]+\.sql$)re");
  std::sort(names.begin(), names.end());
  Violations violations;
  std::size_t number = 0;
  for (const std::string& name : names) {
    ++number;
    const std::string wanted = absl::StrFormat("%04d", number);
    if (!std::regex_match(name, kName) || name.substr(0, 4) != wanted) {
      violations.push_back(absl::StrCat(name, ": expected ", wanted, "_name.sql"));
    }
  }
  return violations;
}

Violations CheckLinks(const std::set<std::string>& paths, const SourceFile& page) {
  static const std::regex kLink(R"re(\]\(([^)\s#]+)(#[^)]*)?\))re");
  Violations violations;
  const std::filesystem::path folder = std::filesystem::path(page.path).parent_path();
  const std::vector<std::string> lines = LinesOf(page.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::sregex_iterator it(lines[i].begin(), lines[i].end(), kLink), end; it != end; ++it) {
      const std::string link = (*it)[1];
      if (absl::StrContains(link, "://") || absl::StartsWith(link, "mailto:")) continue;
      std::string target = (folder / link).lexically_normal().generic_string();
      if (absl::EndsWith(target, "/")) target.pop_back();
      if (paths.count(target) == 0) {
        violations.push_back(
            At(page, i + 1, absl::StrCat("link to ", link, ", which is not there")));
      }
    }
  }
  return violations;
}

Violations CheckMentions(const std::set<std::string>& names, const SourceFile& page) {
  Violations violations;
  for (const std::string& name : names) {
    if (!absl::StrContains(page.text, absl::StrCat("`", name, "`"))) {
      violations.push_back(absl::StrCat(page.path, ": says nothing of `", name, "`"));
    }
  }
  return violations;
}

std::set<std::string> RpcNames(absl::string_view proto_text) {
  static const std::regex kRpc(R"re(^\s*rpc\s+(\w+))re");
  std::set<std::string> names;
  for (const std::string& line : LinesOf(proto_text)) {
    std::smatch match;
    if (std::regex_search(line, match, kRpc)) names.insert(match[1]);
  }
  return names;
}

std::string CodeOf(absl::string_view text) {
  enum class In { kCode, kLine, kBlock, kString, kChar, kRaw };
  std::string code(text);
  std::string raw_end;
  In in = In::kCode;
  const auto starts = [&](std::size_t at, absl::string_view what) {
    return absl::StartsWith(text.substr(at), what);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_after_word =
        i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0);
    if (in == In::kCode) {
      if (starts(i, "//")) {
        in = In::kLine;
      } else if (starts(i, "/*")) {
        in = In::kBlock;
      } else if (starts(i, "R\"") && !is_after_word) {
        const std::size_t open = text.find('(', i);
        if (open == absl::string_view::npos) break;
        raw_end = absl::StrCat(")", text.substr(i + 2, open - i - 2), "\"");
        in = In::kRaw;
      } else if (c == '"') {
        in = In::kString;
      } else if (c == '\'' && !is_after_word) {  // after a digit it separates thousands
        in = In::kChar;
      }
      if (in != In::kCode) code[i] = ' ';
      continue;
    }
    const bool is_escape = (in == In::kString || in == In::kChar) && c == '\\';
    const bool is_end = (in == In::kLine && c == '\n') || (in == In::kString && c == '"') ||
                        (in == In::kChar && c == '\'') || (in == In::kBlock && starts(i, "*/")) ||
                        (in == In::kRaw && starts(i, raw_end));
    if (c != '\n') code[i] = ' ';
    if (is_escape && i + 1 < text.size()) {
      ++i;
      if (text[i] != '\n') code[i] = ' ';
    } else if (is_end) {
      const std::size_t more = in == In::kBlock ? 1 : in == In::kRaw ? raw_end.size() - 1 : 0;
      for (std::size_t j = 0; j < more; ++j) code[++i] = ' ';
      in = In::kCode;
    }
  }
  return code;
}

}  // namespace tally::architecture
