// Each rule is shown a violation and must see it, and the nearest thing that is none and must not.
#include "tests/architecture/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tally::architecture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kLayersText[] = R"(set(TALLY_LAYERS
  "base:"
  "types:base"
  "store:types base"
  "store/sqlite:store types base"
)
set(OTHER
  "not:a layer"
)
)";

TEST(LayersTest, ListIsReadFromCMake) {
  const Layers layers = ParseLayers(kLayersText);
  EXPECT_THAT(layers, SizeIs(4));
  EXPECT_THAT(layers.at("base"), IsEmpty());
  EXPECT_THAT(layers.at("store/sqlite"), ElementsAre("base", "store", "types"));
}

TEST(LayersTest, DependencyMustStandAbove) {
  EXPECT_THAT(CheckLayerList(kLayersText), IsEmpty());
  EXPECT_THAT(CheckLayerList("set(TALLY_LAYERS\n  \"base:types\"\n  \"types:base\"\n)\n"),
              ElementsAre(HasSubstr("base depends on types")));
}

struct Case {
  std::string path;
  std::string text;
  bool is_violation;
};

void PrintTo(const Case& c, std::ostream* os) { *os << c.path << " <- " << c.text; }

TEST(LayersTest, IncludesAreHeldAgainstTheList) {
  const Layers layers = ParseLayers(kLayersText);
  const std::vector<Case> cases = {
      {"ledger/types/a.h", "#include \"ledger/base/error.h\"\n", false},
      {"ledger/types/a.h", "#include \"ledger/types/b.h\"\n", false},
      {"ledger/types/a.h", "#include \"ledger/store/event_store.h\"\n", true},
      {"ledger/types/a.h", "  #  include \"ledger/store/event_store.h\"\n", true},
      {"ledger/base/a.cc", "#include \"ledger/types/ids.h\"\n", true},
      {"ledger/store/a.cc", "#include \"ledger/store/sqlite/database.h\"\n", true},
      {"ledger/store/sqlite/a.cc", "#include \"ledger/store/event_store.h\"\n", false},
      {"ledger/store/sqlite/a.cc", "#include \"server/config.h\"\n", true},
      {"ledger/store/postgres/a.cc", "", true},
      {"server/main.cc", "#include \"ledger/store/event_store.h\"\n", false},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(CheckLayers(layers, {c.path, c.text}), SizeIs(c.is_violation ? 1 : 0))
        << ::testing::PrintToString(c);
  }
}

TEST(ShellsTest, ProgramsSeeTheirPartOfTheLibrary) {
  const std::vector<Case> cases = {
      {"server/rpc/a.cc", "#include \"ledger/service/claim.h\"\n", false},
      {"server/rpc/a.cc", "#include \"ledger/settlement/state.h\"\n", true},
      {"server/rpc/a.cc", "#include \"ledger/store/sqlite/store.h\"\n", true},
      {"server/main.cc", "#include \"ledger/store/sqlite/store.h\"\n", false},
      {"tools/tally/show.cc", "#include \"ledger/client/client.h\"\n", false},
      {"tools/tally/show.cc", "#include \"ledger/settlement/decide.h\"\n", true},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(CheckShells({c.path, c.text}), SizeIs(c.is_violation ? 1 : 0))
        << ::testing::PrintToString(c);
  }
}

TEST(PurityTest, ForbiddenHeadersAndWordsAreSeen) {
  const std::vector<Case> cases = {
      {"ledger/settlement/a.cc", "#include <thread>\n", true},
      {"ledger/settlement/a.cc", "#include <random>\n", true},
      {"ledger/settlement/a.cc", "const auto now = absl::Now();\n", true},
      {"ledger/settlement/a.cc", "// never absl::Now() here\n", false},
      {"ledger/settlement/a.cc", "Log(\"absl::Now\");\n", false},
      {"ledger/settlement/a.cc", "absl::Nowhere();\n", false},
      {"ledger/x402/a.cc", "std::getenv(\"HOME\");\n", true},
      {"ledger/x402/a.cc", "#include <nlohmann/json.hpp>\n", true},
      {"ledger/json/a.cc", "#include <nlohmann/json.hpp>\n", false},
      {"ledger/base/clock.cc", "return absl::Now();\n", false},
      {"ledger/base/error.cc", "return absl::Now();\n", true},
      {"ledger/base/mutex.h", "#include <mutex>\n", false},
      {"ledger/base/error.cc", "#include <mutex>\n", true},
      {"ledger/store/group_commit.cc", "#include <thread>\n", false},
      {"ledger/store/group_commit.cc", "std::chrono::system_clock::now();\n", true},
      {"ledger/store/a.cc", "#include <SQLiteCpp/Database.h>\n", true},
      {"ledger/store/sqlite/a.cc", "#include <SQLiteCpp/Database.h>\n", false},
      {"server/rpc/a.cc", "#include <sqlite3.h>\n", true},
      {"ledger/service/a.cc", "#include <grpcpp/grpcpp.h>\n", true},
      {"ledger/service/a.cc", "#include \"tallystick/v1/event.pb.h\"\n", false},
      {"ledger/settlement/a.cc", "#include \"tallystick/v1/event.pb.h\"\n", true},
      {"server/a.cc", "#include <grpcpp/grpcpp.h>\n", false},
      {"server/a.cc", "#include \"absl/synchronization/mutex.h\"\n", true},
      {"tests/a.cc", "#include <thread>\n", false},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(CheckPurity({c.path, c.text}), SizeIs(c.is_violation ? 1 : 0))
        << ::testing::PrintToString(c);
  }
}

TEST(TextTest, ShapeOfFiles) {
  std::string long_text;
  for (int i = 0; i < 501; ++i) absl::StrAppend(&long_text, "\n");
  const std::string unfinished = absl::StrCat("// TO", "DO: later\n");
  const std::vector<Case> cases = {
      {"a.h", "#pragma once\n", false},
      {"a.h", "#ifndef A\n", true},
      {"a.cc", "int a;", true},
      {"a.cc", "int a;\n", false},
      {"a.cc", "", false},
      {"a.cc", long_text, true},
      {"a.md", long_text, false},
      {"a.cc", long_text.substr(1), false},
      {"a.md", unfinished, true},
      {"a.md", "MASTODON\n", false},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(CheckText({c.path, c.text}), SizeIs(c.is_violation ? 1 : 0))
        << ::testing::PrintToString(c);
  }
}

TEST(TextTest, CheckoutIsNotNamed) {
  EXPECT_THAT(CheckNoMachinePath("/home/me/tree", {"a.md", "cd /home/me/tree\n"}), SizeIs(1));
  EXPECT_THAT(CheckNoMachinePath("/home/me/tree", {"a.md", "cd /home/me/tree/docs\n"}), SizeIs(1));
  EXPECT_THAT(CheckNoMachinePath("/home/me/tree", {"a.md", "cd /home/me/trees\n"}), IsEmpty());
  EXPECT_THAT(CheckNoMachinePath("/settle", {"a.md", "POST /settle\n"}), IsEmpty());
}

TEST(TextTest, LinksPointSomewhere) {
  const std::set<std::string> paths = {"README.md", "docs", "docs/PROTOCOL.md"};
  EXPECT_THAT(CheckLinks(paths, {"README.md", "[a](docs/PROTOCOL.md#limits) [b](docs/)\n"}),
              IsEmpty());
  EXPECT_THAT(CheckLinks(paths, {"docs/PROTOCOL.md", "[a](../README.md)\n"}), IsEmpty());
  EXPECT_THAT(CheckLinks(paths, {"README.md", "[a](https://x402.org) [b](#here)\n"}), IsEmpty());
  EXPECT_THAT(CheckLinks(paths, {"docs/PROTOCOL.md", "[a](README.md)\n"}), SizeIs(1));
}

TEST(TextTest, PagesNameWhatThereIs) {
  EXPECT_THAT(RpcNames("// rpc No\n  rpc Observe(A) returns (B);\n"), ElementsAre("Observe"));
  EXPECT_THAT(CheckMentions({"Observe"}, {"README.md", "| `Observe` |\n"}), IsEmpty());
  EXPECT_THAT(CheckMentions({"Observe"}, {"README.md", "Observed\n"}), SizeIs(1));
}

TEST(FoldersTest, NoDrawers) {
  EXPECT_THAT(CheckFolderNames({"ledger/base/error.h", "ledger/types/common.h"}), IsEmpty());
  EXPECT_THAT(CheckFolderNames({"ledger/util/strings.h"}), SizeIs(1));
}

TEST(MigrationsTest, NumberedWithoutGap) {
  EXPECT_THAT(CheckMigrations({"0002_more.sql", "0001_events.sql"}), IsEmpty());
  EXPECT_THAT(CheckMigrations({"0001_events.sql", "0003_more.sql"}), SizeIs(1));
  EXPECT_THAT(CheckMigrations({"1_events.sql"}), SizeIs(1));
}

TEST(CodeTest, CommentsAndStringsAreBlanked) {
  EXPECT_EQ(CodeOf("a; // b\nc;"), "a;     \nc;");
  EXPECT_EQ(CodeOf("a /* b\n b */ c"), "a     \n      c");
  EXPECT_EQ(CodeOf("f(\"x\\\"y\", '\"')"), "f(      ,    )");
  EXPECT_EQ(CodeOf("1'000 + a"), "1'000 + a");
  EXPECT_EQ(CodeOf("R\"(x \" y)\" + a"), std::string(10, ' ') + " + a");
}

}  // namespace
}  // namespace tally::architecture
