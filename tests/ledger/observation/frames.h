// Frames of one paid call and what is read of them: what the tests of this folder share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/observation/read.h"

namespace tally::observation {

inline constexpr char kAccepted[] =
    R"({"scheme":"exact","network":"eip155:84532","amount":"10000",)"
    R"("asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",)"
    R"("payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":60,)"
    R"("extra":{"name":"USDC","version":"2"}})";
inline constexpr char kAuthorization[] =
    R"({"signature":"0x01","authorization":{"from":"0x857b06519E91e3A54538791bDbb0E22373e36b66",)"
    R"("to":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","value":"10000","validAfter":"1",)"
    R"("validBefore":"2","nonce":)"
    R"("0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"}})";
// The specification's example, whose id is a known answer of the recipe.
inline constexpr char kId[] =
    "sha256:4dadfba6c0fb8089fd38c5246d5d16d52121bc92cfbe84075dfd8a3d59de0aa5";

inline std::string Payment() {
  return absl::StrCat(R"({"x402Version":2,"accepted":)", kAccepted, R"(,"payload":)",
                      kAuthorization, "}");
}
inline std::string Call(int id, const std::string& meta) {
  return absl::StrCat(R"({"jsonrpc":"2.0","id":)", id,
                      R"(,"method":"tools/call","params":{"name":"square","arguments":{"n":7})",
                      meta.empty() ? "" : absl::StrCat(R"(,"_meta":)", meta), "}}");
}
inline std::string PaidCall(int id) {
  return Call(id, absl::StrCat(R"({"x402/payment":)", Payment(), "}"));
}
inline std::string Challenge(int id, const std::string& extensions = "") {
  const std::string challenge =
      absl::StrCat(R"({"x402Version":2,"error":"pay","resource":{"url":"mcp://tool/square"},)",
                   R"("accepts":[)", kAccepted, "]", extensions, "}");
  return absl::StrCat(R"({"jsonrpc":"2.0","id":)", id, R"(,"result":{"isError":true,)",
                      R"("structuredContent":)", challenge,
                      R"(,"content":[{"type":"text","text":")",
                      absl::StrReplaceAll(challenge, {{"\"", "\\\""}}), R"("}]}})");
}

class ReadTest : public testing::Test {
 protected:
  Observation Seen(Body body, int second = 0) {
    Observation out;
    out.id = absl::StrCat("o", ++count_);
    out.time = absl::FromUnixSeconds(1000 + second);
    out.session = "s1";
    out.body = std::move(body);
    return out;
  }
  absl::StatusOr<Reading> Read(const Observation& observation) {
    return observation::Read(observation, calls_);
  }
  absl::StatusOr<Reading> Up(const std::string& message, int second = 0) {
    return Read(Seen(McpFrame{"https://e/mcp", Direction::kClientToServer, message}, second));
  }
  absl::StatusOr<Reading> Down(const std::string& message, int second = 0) {
    return Read(Seen(McpFrame{"https://e/mcp", Direction::kServerToClient, message}, second));
  }
  absl::StatusOr<Reading> Ask(const std::string& path, const std::string& body) {
    return Read(Seen(FacilitatorRequest{"x1", "POST", path, body, "https://F.example/", {}}));
  }
  absl::StatusOr<Reading> Answer(const std::string& body, int status = 200) {
    return Read(Seen(FacilitatorAnswer{"x1", status, body, ""}));
  }
  static std::string FacilitatorBody(const std::string& payment) {
    return absl::StrCat(R"({"x402Version":2,"paymentPayload":)", payment,
                        R"(,"paymentRequirements":)", kAccepted, "}");
  }

  template <typename T>
  T Body1(const absl::StatusOr<Reading>& reading) {
    static const T kNone{};
    EXPECT_TRUE(reading.ok()) << reading.status();
    if (!reading.ok() || reading->events.size() != 1) {
      ADD_FAILURE() << (reading.ok() ? std::string(reading->skipped) : "");
      return kNone;
    }
    const T* body = std::get_if<T>(&reading->events.front().body);
    EXPECT_NE(body, nullptr) << settlement::TypeNameOf(reading->events.front().body);
    return body == nullptr ? kNone : *body;
  }

  Calls calls_;
  int count_ = 0;
};

}  // namespace tally::observation
