// The files of this checkout, held against the rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "ledger/base/error.h"
#include "tests/architecture/rules.h"

namespace tally::architecture {
namespace {

namespace fs = std::filesystem;

constexpr char kRoot[] = TALLY_SOURCE_DIR;
constexpr std::uintmax_t kTextBytesMax = 4U << 20U;

std::string Read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

bool IsOurs(const std::string& top) {
  return top != ".git" && top != "node_modules" && top != "build" &&
         !absl::StartsWith(top, "build-");
}

struct Tree {
  std::vector<SourceFile> files;  // texts; what holds a zero byte is left out
  std::set<std::string> paths;    // files and folders
};

// Read once: the tests only look.
const Tree& TheTree() {
  static const Tree* const kTree = [] {
    auto* tree = new Tree;
    for (auto it = fs::recursive_directory_iterator(kRoot);
         it != fs::recursive_directory_iterator(); ++it) {
      const std::string path = fs::relative(it->path(), kRoot).generic_string();
      const std::string name = it->path().filename().string();
      const std::string top = path.substr(0, path.find('/'));
      if (!IsOurs(top) || name == "node_modules") {
        if (it->is_directory()) it.disable_recursion_pending();
        continue;
      }
      tree->paths.insert(path);
      if (!it->is_regular_file() || it->file_size() > kTextBytesMax) continue;
      std::string text = Read(it->path());
      if (text.find('\0') == std::string::npos) tree->files.push_back({path, std::move(text)});
    }
    return tree;
  }();
  return *kTree;
}

const std::string& LayersText() {
  static const std::string* const kText =
      new std::string(Read(fs::path(kRoot) / "tools/cmake/layers.cmake"));
  return *kText;
}

template <typename Check>
void ExpectNone(Check check) {
  Violations all;
  for (const SourceFile& file : TheTree().files) {
    const Violations some = check(file);
    all.insert(all.end(), some.begin(), some.end());
  }
  EXPECT_TRUE(all.empty()) << absl::StrJoin(all, "\n");
}

TEST(TreeTest, LayerListIsThereAndInOrder) {
  EXPECT_THAT(ParseLayers(LayersText()), ::testing::Not(::testing::IsEmpty()));
  EXPECT_THAT(CheckLayerList(LayersText()), ::testing::IsEmpty());
}

TEST(TreeTest, LibraryKeepsItsLayers) {
  const Layers layers = ParseLayers(LayersText());
  ExpectNone([&](const SourceFile& file) { return CheckLayers(layers, file); });
}

TEST(TreeTest, ProgramsSeeTheirPartOfTheLibrary) { ExpectNone(CheckShells); }

TEST(TreeTest, PureFoldersArePure) { ExpectNone(CheckPurity); }

TEST(TreeTest, FilesHaveTheirShape) {
  ExpectNone([](const SourceFile& file) {
    // Wire bytes and goldens are kept as they came.
    return absl::StrContains(file.path, "testdata/") ? Violations{} : CheckText(file);
  });
}

TEST(TreeTest, NoMachinePath) {
  ExpectNone([](const SourceFile& file) { return CheckNoMachinePath(kRoot, file); });
}

TEST(TreeTest, LinksPointSomewhere) {
  ExpectNone([](const SourceFile& file) {
    return absl::EndsWith(file.path, ".md") ? CheckLinks(TheTree().paths, file) : Violations{};
  });
}

TEST(TreeTest, MapNamesEveryLayer) {
  std::set<std::string> folders;
  for (const auto& [folder, dependencies] : ParseLayers(LayersText())) {
    folders.insert(absl::StrCat("ledger/", folder));
  }
  const std::string page = "docs/ARCHITECTURE.md";
  EXPECT_THAT(CheckMentions(folders, {page, Read(fs::path(kRoot) / page)}), ::testing::IsEmpty());
}

TEST(TreeTest, ReadmeNamesEveryRpc) {
  std::set<std::string> names;
  for (const SourceFile& file : TheTree().files) {
    if (!absl::StartsWith(file.path, "proto/tallystick/")) continue;
    names.merge(RpcNames(file.text));
  }
  EXPECT_THAT(names, ::testing::Not(::testing::IsEmpty()));
  const std::string page = "README.md";
  EXPECT_THAT(CheckMentions(names, {page, Read(fs::path(kRoot) / page)}), ::testing::IsEmpty());
}

// FIELD_MALFORMED is kFieldMalformed.
std::string EnumeratorOf(absl::string_view name) {
  std::string enumerator = "k";
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(name, '_'))) {
    absl::StrAppend(&enumerator, word.substr(0, 1), absl::AsciiStrToLower(word.substr(1)));
  }
  return enumerator;
}

// A reason that nothing gives is a promise that nothing keeps.
TEST(TreeTest, EveryReasonIsGivenSomewhere) {
  for (const ReasonTraits& traits : AllReasonTraits()) {
    const std::string use = absl::StrCat("Reason::", EnumeratorOf(traits.name));
    const auto& files = TheTree().files;
    const bool is_given = std::any_of(files.begin(), files.end(), [&](const SourceFile& file) {
      const bool is_code =
          absl::StartsWith(file.path, "ledger/") || absl::StartsWith(file.path, "server/");
      return is_code && file.path != "ledger/base/error.cc" &&
             absl::StrContains(CodeOf(file.text), use);
    });
    EXPECT_TRUE(is_given) << traits.name;
  }
}

TEST(TreeTest, NoDrawers) {
  const std::set<std::string>& paths = TheTree().paths;
  EXPECT_THAT(CheckFolderNames({paths.begin(), paths.end()}), ::testing::IsEmpty());
}

TEST(TreeTest, MigrationsAreNumberedWithoutGap) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(kRoot) / "migrations/sqlite")) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(CheckMigrations(names), ::testing::IsEmpty());
}

}  // namespace
}  // namespace tally::architecture
