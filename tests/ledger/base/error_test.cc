#include "ledger/base/error.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ledger/base/encoding.h"
#include "ledger/base/status_macros.h"

namespace tally {
namespace {

TEST(ErrorTest, EveryReasonHasItsOwnNameACodeAndAMeaning) {
  std::set<std::string> names;
  for (const ReasonTraits& traits : AllReasonTraits()) {
    SCOPED_TRACE(std::string(traits.name));
    EXPECT_TRUE(names.insert(std::string(traits.name)).second);
    EXPECT_NE(traits.code, absl::StatusCode::kOk);
    EXPECT_EQ(traits.meaning.back(), '.');
    EXPECT_EQ(&TraitsOf(traits.reason), &traits);
    EXPECT_EQ(ReasonFromName(traits.name), traits.reason);
    EXPECT_EQ(ReasonOf(Error(traits.reason, "x")), traits.reason);
  }
  EXPECT_EQ(ReasonFromName("NO_SUCH_REASON"), std::nullopt);
  EXPECT_EQ(ReasonFromName(""), std::nullopt);
}

TEST(ErrorTest, ARetryHelpsOnlyWhenTheRequestIsNotAtFault) {
  for (const ReasonTraits& traits : AllReasonTraits()) {
    const bool is_passing = traits.code == absl::StatusCode::kUnavailable ||
                            traits.code == absl::StatusCode::kResourceExhausted ||
                            traits.code == absl::StatusCode::kDeadlineExceeded;
    EXPECT_EQ(traits.is_retry_helpful, is_passing) << traits.name;
  }
}

TEST(ErrorTest, MetadataSurvivesWhateverBytesItHolds) {
  const std::string odd("a\0b\n\xff=", 6);
  const absl::Status status = Error(Reason::kAliasAmbiguous, "two settlements")
                                  .With("", odd)
                                  .With(odd, "")
                                  .With("long", std::string(70000, 'x'))
                                  .With("key", "first")
                                  .With("key", "second");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "two settlements");
  const std::map<std::string, std::string> expected = {
      {"", odd}, {odd, ""}, {"long", std::string(70000, 'x')}, {"key", "second"}};
  EXPECT_EQ(MetadataOf(status), expected);
}

TEST(ErrorTest, ConvertsToAnyStatusOr) {
  const auto refuse = []() -> absl::StatusOr<std::string> {
    return Error(Reason::kNotRecorded, "nothing").With("key", "k");
  };
  EXPECT_EQ(ReasonOf(refuse().status()), Reason::kNotRecorded);
}

TEST(ErrorTest, ForeignStatusesCarryNoReason) {
  absl::Status damaged = absl::InternalError("x");
  damaged.SetPayload("tallystick/error", absl::Cord("\xff\xff\xff\xff"));
  absl::Status cut = absl::InternalError("x");
  cut.SetPayload("tallystick/error", absl::Cord(absl::string_view("\x08\0\0\0INTERNAL\x01", 13)));
  for (const absl::Status& status : {absl::OkStatus(), absl::NotFoundError("no"), damaged, cut}) {
    EXPECT_EQ(ReasonOf(status), std::nullopt) << status;
    EXPECT_TRUE(MetadataOf(status).empty()) << status;
    EXPECT_EQ(InField("parent", status), status);
  }
}

TEST(FieldErrorTest, NamesTheFieldWhatWasSeenAndWhatWasWanted) {
  const absl::Status status = FieldError("payer", "0x12", "0x and 40 hex digits");
  EXPECT_EQ(status.message(), "payer: saw \"0x12\", wanted 0x and 40 hex digits");
  const std::map<std::string, std::string> expected = {
      {"field", "payer"}, {"seen", "0x12"}, {"wanted", "0x and 40 hex digits"}};
  EXPECT_EQ(MetadataOf(status), expected);
  EXPECT_EQ(ReasonOf(status), Reason::kFieldMalformed);
  EXPECT_EQ(MetadataOf(FieldError("f", "s", "w", "not_canonical")).at("condition"),
            "not_canonical");
}

TEST(FieldErrorTest, SeenIsCutAndMadePrintable) {
  const struct {
    std::string seen;
    std::string printable;
  } cases[] = {
      {"", ""},
      {"12", "12"},
      {std::string(80, 'a'), std::string(80, 'a')},
      {std::string(81, 'a'), absl::StrCat(std::string(80, 'a'), "…")},
      {absl::StrCat(std::string(79, 'a'), "€€"), absl::StrCat(std::string(79, 'a'), "€…")},
      {"a\nb\r\t", "a\\nb\\r\\t"},
      {std::string("\0\x1b[31m\x7f", 7), "\\x00\\x1b[31m\\x7f"},
      {"\xc2\x9b", "\\u009b"},
      {"\xc2\xa0", "\xc2\xa0"},
      {"\xff€\xe2\x82", "\\xff€\\xe2\\x82"},
  };
  for (const auto& test : cases) {
    const absl::Status status = FieldError("f", test.seen, "w");
    EXPECT_EQ(MetadataOf(status).at("seen"), test.printable);
    EXPECT_TRUE(IsValidUtf8(status.message()));
  }
}

TEST(InFieldTest, PrefixesMetadataAndMessage) {
  const absl::Status amount = FieldError("amount", "01", "digits");
  const absl::Status accepted = InField("accepted", amount);
  EXPECT_EQ(accepted.message(), "accepted.amount: saw \"01\", wanted digits");
  EXPECT_EQ(MetadataOf(accepted).at("field"), "accepted.amount");
  EXPECT_EQ(MetadataOf(accepted).at("seen"), "01");

  const absl::Status element = InField("accepts", InField("[0]", amount));
  EXPECT_EQ(MetadataOf(element).at("field"), "accepts[0].amount");

  const absl::Status limit =
      InField("batch", Error(Reason::kLimitExceeded, "too many").With("field", "events"));
  EXPECT_EQ(limit.message(), "batch.events: too many");
  EXPECT_EQ(ReasonOf(limit), Reason::kLimitExceeded);

  const absl::Status without_field = Error(Reason::kInternal, "x").With("k", "v");
  EXPECT_EQ(InField("parent", without_field), without_field);
}

absl::StatusOr<int> Half(int number) {
  if (number % 2 != 0) return FieldError("number", absl::StrCat(number), "an even number");
  return number / 2;
}

absl::StatusOr<int> Quarter(int number) {
  TALLY_RETURN_IF_ERROR(Half(number).status());
  TALLY_ASSIGN_OR_RETURN(const int half, Half(number));
  TALLY_ASSIGN_OR_RETURN(const int quarter, Half(half));
  return quarter;
}

TEST(StatusMacrosTest, TheFirstErrorIsReturned) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(MetadataOf(Quarter(6).status()).at("seen"), "3");
  EXPECT_EQ(MetadataOf(Quarter(5).status()).at("seen"), "5");
}

}  // namespace
}  // namespace tally
