// `tally backup`: a copy that is known to be whole.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/session.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Copies the database into a new file while it is in use, and reads the copy back.\n"
    "With --server the file is written on the server's machine.";
constexpr char kFooter[] =
    "Example:\n"
    "  tally backup shop-monday.db --server 127.0.0.1:7402 --deadline 5m\n"
    "\n"
    "Exit codes: 0 copied and read back, 2 usage, 4 refused or unreachable, 5 evidence broken.\n";

struct BackupOptions {
  Options shared;
  std::string path;
};

absl::StatusOr<int> Backup(const BackupOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::absolute(options.path, failed);
  if (failed) return FieldError("FILE", options.path, "the path of a new file");
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  v1::BackupRequest request;
  request.set_path(path.string());
  const absl::StatusOr<v1::BackupResponse> copied = api->Backup(request);
  if (!copied.ok()) return AsTyped(copied.status(), {{"path", "FILE"}});
  const v1::BackupResponse& response = *copied;
  if (form == Form::kJson) {
    json::Object object;
    json::Put(object, "path", json::Text(path.string()));
    json::Put(object, "bytes", json::Value::Integer(response.bytes()));
    json::Put(object, "events", json::Value::Integer(response.events()));
    std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
  } else if (form == Form::kCsv) {
    std::fputs(CsvLine({"path", "bytes", "events"}).c_str(), stdout);
    std::fputs(
        CsvLine({path.string(), absl::StrCat(response.bytes()), absl::StrCat(response.events())})
            .c_str(),
        stdout);
  } else {
    std::printf("%s: %lld events, %lld bytes, read back\n", Printable(path.string()).c_str(),
                static_cast<long long>(response.events()),
                static_cast<long long>(response.bytes()));
  }
  return kExitFine;
}

}  // namespace

void AddBackup(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("backup", kAbout);
  auto options = std::make_shared<BackupOptions>();
  verb->add_option("FILE", options->path, "Where to; must not be there")->required();
  AddTarget(*verb, options->shared);
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Backup(*options); }; });
}

}  // namespace tally::cli
