// The rules of the tree as functions of text, so that a planted violation can show that each one
// bites. tree_test.cc holds the files of this checkout against them. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tally::architecture {

// The list TALLY_LAYERS of tools/cmake/layers.cmake: a folder under ledger/ and the folders it may
// include.
using Layers = std::map<std::string, std::set<std::string>>;

struct SourceFile {
  std::string path;  // from the root of the checkout, with `/`
  std::string text;
};

// "path:line: what is wrong", one for each place.
using Violations = std::vector<std::string>;

// Empty when the text holds no such list.
Layers ParseLayers(absl::string_view cmake_text);

// A folder may depend only on folders that stand above it in the list.
Violations CheckLayerList(absl::string_view cmake_text);

// Every #include "ledger/…" of a file under ledger/ names its own folder or one its layer allows.
Violations CheckLayers(const Layers& layers, const SourceFile& file);

// server/ and tools/ include only the parts of ledger/ that are theirs to see.
Violations CheckShells(const SourceFile& file);

// Words and headers that only some folders may use: threads, clocks, SQL, gRPC, …
Violations CheckPurity(const SourceFile& file);

// Size, ending, include guard, and unfinished business.
Violations CheckText(const SourceFile& file);

// No text names the folder this checkout happens to stand in.
Violations CheckNoMachinePath(absl::string_view checkout, const SourceFile& file);

// No folder is a drawer for everything.
Violations CheckFolderNames(const std::vector<std::string>& paths);

// Names like 0001_events.sql, numbered from 0001 without a gap.
Violations CheckMigrations(std::vector<std::string> names);

// Relative links of a Markdown page point to files that exist; `paths` are all files and folders.
Violations CheckLinks(const std::set<std::string>& paths, const SourceFile& page);

// The page names each of these in backquotes.
Violations CheckMentions(const std::set<std::string>& names, const SourceFile& page);

// The names of the RPCs of a proto file.
std::set<std::string> RpcNames(absl::string_view proto_text);

// The code alone: comments and the insides of strings are blanked, lines stay where they are.
std::string CodeOf(absl::string_view text);

}  // namespace tally::architecture
