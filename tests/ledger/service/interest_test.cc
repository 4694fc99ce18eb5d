// A look too few would leave a watcher with an old answer for ever: whatever changes an answer was
// in its interest before.
#include "ledger/service/interest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "ledger/service/answers.h"
#include "tests/ledger/service/fixture.h"
#include "tests/support/events.h"

namespace tally::service {
namespace {

class Watched {
 public:
  explicit Watched(v1::LedgerRole role) { services_.Create("book", role); }

  // Runs `record`, which records something, and holds every answer of before against it.
  template <typename Record>
  void Change(const std::string& what, Record record) {
    std::set<settlement::Subject> subjects;
    for (const auto& event : After(0)) subjects.insert(event.event.subject);
    std::map<settlement::Subject, std::string> answers;
    std::map<settlement::Subject, Interest> interests;
    for (const settlement::Subject& subject : subjects) {
      answers[subject] = Ask(subject, interests[subject]);
    }
    const std::int64_t position = services_.LastPosition("book");
    record(services_);
    for (const settlement::Subject& subject : subjects) {
      Interest ignored;
      if (Ask(subject, ignored) == answers[subject]) continue;
      ++changes_;
      bool is_held = false;
      for (const auto& event : After(position)) {
        if (event.event.subject != subject) ++neighbours_;
        is_held = is_held || interests[subject].Holds(KeysOf(event.event));
      }
      EXPECT_TRUE(is_held) << subject.key << " was changed by " << what;
    }
  }
  int changes() const { return changes_; }
  // Of those, by an event of another subject.
  int neighbours() const { return neighbours_; }

 private:
  std::vector<settlement::RecordedEvent> After(std::int64_t position) {
    return *services_.store.ReadEvents("book", position, 10'000);
  }
  // The answer as bytes, and what it was made from.
  std::string Ask(const settlement::Subject& subject, Interest& interest) {
    const auto reader = services_.store.OpenReader("book");
    Cut cut;
    cut.judged_at = support::At(60);
    const Answers answers(**reader, cut, &interest);
    const auto evaluated = answers.Evaluate(subject);
    EXPECT_TRUE(evaluated.ok()) << evaluated.status();
    if (!evaluated.ok() || !evaluated->has_value()) return "";
    v1::Settlement out;
    ToProto(**evaluated, &out);
    return out.SerializeAsString();
  }

  Services services_;
  int changes_ = 0;
  int neighbours_ = 0;
};

TEST(InterestTest, HoldsWhatChangesAnAnswerInEveryTranscript) {
  int changes = 0;
  for (const char* folder : {"labels", "transcripts"}) {
    const std::string path = absl::StrCat(TALLY_SOURCE_DIR, "/tests/testdata/", folder);
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() != ".jsonl") continue;
      Watched watched(v1::LEDGER_ROLE_SELLER);
      const std::string name = absl::StrCat(folder, "/", entry.path().filename().string());
      for (const std::string& line : ReadTestLines(name)) {
        watched.Change(absl::StrCat(name, " ", line),
                       [&](Services& services) { services.Import("book", {line}); });
      }
      changes += watched.changes();
    }
  }
  EXPECT_GT(changes, 100);
}

// Few payments, slots, challenges and sessions, so that they meet; in any order, so that challenges
// and facts come late.
class Drawn {
 public:
  explicit Drawn(unsigned seed) : random_(seed) {}

  settlement::Event Next() {
    const std::string id = absl::StrCat("e", ++count_);
    const int n = Draw(1, 3);
    const int slot = Draw(1, 2);
    const int second = Draw(0, 50);
    switch (Draw(0, 6)) {
      case 0: {
        settlement::Event event = support::Challenged(id, Draw(1, 3), second, Session());
        std::get<settlement::ChallengeIssued>(event.body).purchase_id = Purchase();
        return event;
      }
      case 1:
      case 2: {
        settlement::Event event = support::Presented(id, n, slot, second, Draw(0, 3), Session());
        std::get<settlement::PaymentPresented>(event.body).payment_identifier = Purchase();
        return event;
      }
      case 3:
        return support::Verified(id, n, slot, second);
      case 4:
        return support::Started(id, n, second);
      case 5:
        return support::Settled(id, n, slot, second);
      default:
        return support::SlotUsed(id, slot, second);
    }
  }

 private:
  int Draw(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  std::string Session() { return absl::StrCat("session-", Draw(1, 2)); }
  std::string Purchase() { return Draw(0, 2) == 0 ? "" : absl::StrCat("purchase-", Draw(1, 2)); }

  std::mt19937 random_;
  int count_ = 0;
};

TEST(InterestTest, HoldsWhatChangesAnAnswerInAnyOrder) {
  constexpr unsigned kBooks = 60;
  int changes = 0;
  int neighbours = 0;
  for (unsigned seed = 0; seed < kBooks; ++seed) {
    Watched watched(seed % 2 == 0 ? v1::LEDGER_ROLE_SELLER : v1::LEDGER_ROLE_BUYER);
    Drawn drawn(seed);
    for (int i = 0; i < 16; ++i) {
      const settlement::Event event = drawn.Next();
      watched.Change(absl::StrCat("seed ", seed, ", ", settlement::TypeNameOf(event.body), " of ",
                                  event.subject.key),
                     [&](Services& services) {
                       ASSERT_TRUE(store::AppendAndWait(services.store, "book", {event}).ok());
                     });
    }
    changes += watched.changes();
    neighbours += watched.neighbours();
  }
  EXPECT_GT(changes, 500);
  EXPECT_GT(neighbours, 100);
}

}  // namespace
}  // namespace tally::service
