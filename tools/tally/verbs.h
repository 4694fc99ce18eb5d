// The verbs of `tally`, one file each. Each adds itself to the program, and sets the action when it
// is what the command line says.
#pragma once

#include <CLI/App.hpp>

#include "tools/tally/options.h"

namespace tally::cli {

void AddImport(CLI::App& app, Action& action);
void AddShow(CLI::App& app, Action& action);
void AddList(CLI::App& app, Action& action);
void AddStats(CLI::App& app, Action& action);
void AddWatch(CLI::App& app, Action& action);
void AddEvents(CLI::App& app, Action& action);
void AddId(CLI::App& app, Action& action);
void AddLedgerVerbs(CLI::App& app, Action& action);
void AddRebuild(CLI::App& app, Action& action);
void AddBackup(CLI::App& app, Action& action);
void AddCheck(CLI::App& app, Action& action);
void AddSelftest(CLI::App& app, Action& action);

}  // namespace tally::cli
