// Frames that are off: what they carry is recorded all the same.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/ledger/observation/frames.h"

namespace tally::observation {
namespace {

using settlement::SubjectKind;
using BadFramesTest = ReadTest;

// A frame that is a bad call can carry a good payment.
TEST_F(BadFramesTest, PaymentOfABadCallIsRecorded) {
  struct Case {
    const char* from;
    const char* to;
    const char* request_id;
  };
  const Case cases[] = {{R"("name":"square",)", "", "2"},
                        {R"("name":"square",)", R"("name":7,)", "2"},
                        {R"("id":2,)", R"("id":null,)", "null"},
                        {R"("id":2,)", R"("id":{},)", "{}"}};
  for (const Case& c : cases) {
    const std::string call = absl::StrReplaceAll(PaidCall(2), {{c.from, c.to}});
    const auto paid = Up(call);
    const auto& body = Body1<settlement::PaymentPresented>(paid);
    EXPECT_EQ(paid->events.front().subject.key, kId) << call;
    EXPECT_EQ(body.call.request_id, c.request_id) << call;
    EXPECT_EQ(body.resource.tool, call.find("square\",") == std::string::npos ? "" : "square");
    const auto answer = Down(absl::StrCat(R"({"jsonrpc":"2.0","id":)", c.request_id,
                                          R"(,"error":{"code":-32600,"message":"bad"}})"));
    EXPECT_TRUE(Body1<settlement::ResponseDelivered>(answer).is_rpc_error) << call;
    EXPECT_EQ(answer->events.front().subject.key, kId) << call;
  }
}

TEST_F(BadFramesTest, BadPaymentOfABadCallIsFlaggedUnderItsCall) {
  const auto reading =
      Up(R"({"id":null,"method":"tools/call","params":{"_meta":{"x402/payment":7}}})");
  EXPECT_NE(Body1<settlement::PaymentPresented>(reading).unreadable_reason, "");
  EXPECT_EQ(reading->events.front().subject, (settlement::Subject{SubjectKind::kCall, "s1 null"}));
}

TEST_F(BadFramesTest, FramesWithOddIdsOrNoneAreNoErrors) {
  EXPECT_EQ(Up(R"({"id":1,"method":"tools/call","params":{}})")->skipped, kRemembered);
  EXPECT_EQ(Up(R"({"id":null,"method":"ping"})")->skipped, kNotAboutPayments);
  EXPECT_EQ(Down(R"({"id":null,"result":{}})")->skipped, kNotAboutPayments);
  EXPECT_EQ(Down(R"({"id":[1],"result":{}})")->skipped, kRequestNotSeen);
  EXPECT_EQ(Down(R"({"jsonrpc":"2.0","id":3,"error":null})")->skipped, kNotAboutPayments);
}

TEST_F(BadFramesTest, NumbersBeyondADoubleAreNoErrors) {
  const auto reading = Up(absl::StrReplaceAll(PaidCall(2), {{R"("n":7)", R"("n":1e400)"}}));
  EXPECT_EQ(Body1<settlement::PaymentPresented>(reading).terms->amount, "10000");
  const auto bad =
      Up(absl::StrReplaceAll(PaidCall(3), {{R"("value":"10000")", R"("value":1e400)"}}));
  EXPECT_NE(Body1<settlement::PaymentPresented>(bad).unreadable_reason.find("1e400"),
            std::string::npos);
}

}  // namespace
}  // namespace tally::observation
