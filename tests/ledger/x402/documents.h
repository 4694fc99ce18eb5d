// Documents for the tests of this folder, and small helpers to read and change them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ledger/base/error.h"
#include "ledger/json/value.h"

namespace tally::x402 {

// Field values of the example in the x402 specification V2, exact/EVM, and its V1 twin.
inline constexpr char kV2Payment[] = R"({"x402Version":2,
 "resource":{"url":"https://api.example.com/premium-data"},
 "accepted":{"scheme":"exact","network":"eip155:84532","amount":"10000",
  "asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  "payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":60,
  "extra":{"name":"USDC","version":"2"}},
 "payload":{"signature":"0xaa","authorization":{
  "from":"0x857b06519E91e3A54538791bDbb0E22373e36b66",
  "to":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","value":"10000",
  "validAfter":"1740672089","validBefore":"1740672154",
  "nonce":"0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"}},
 "extensions":{"payment-identifier":{"info":{"id":"pay_7d5d747be160e280504c"}},
  "tallystick":{"info":{"challengeId":"chl_abcdefghijklmnopqrstuvwxyz"}}}})";

inline constexpr char kV1Payment[] = R"({"x402Version":1,"scheme":"exact","network":"base-sepolia",
 "payload":{"signature":"0xaa","authorization":{
  "from":"0x857b06519E91e3A54538791bDbb0E22373e36b66",
  "to":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","value":"10000",
  "validAfter":"1740672089","validBefore":"1740672154",
  "nonce":"0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"}}})";

inline constexpr char kUptoPayment[] = R"({"x402Version":2,
 "accepted":{"scheme":"upto","network":"eip155:84532","amount":"5000000",
  "asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  "payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":300},
 "payload":{"signature":"0xaa","permit2Authorization":{
  "permitted":{"token":"0x036CbD53842c5426634e7929541eC2318f3dCF7e","amount":"5000000"},
  "from":"0x857b06519E91e3A54538791bDbb0E22373e36b66",
  "spender":"0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002","nonce":"42","deadline":"1740672154",
  "witness":{"to":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","validAfter":"1740672089"}}}})";

inline constexpr char kErc7710Payment[] = R"({"x402Version":2,
 "accepted":{"scheme":"exact","network":"eip155:84532","amount":"10000",
  "asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  "payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":60,
  "extra":{"assetTransferMethod":"erc7710"}},
 "payload":{"delegationManager":"0x1111111111111111111111111111111111111111",
  "permissionContext":"0xABCD","delegator":"0x857b06519E91e3A54538791bDbb0E22373e36b66"}})";

inline constexpr char kDeferredPayment[] = R"({"x402Version":2,
 "accepted":{"scheme":"deferred","network":"eip155:84532","amount":"1","asset":"0x1","payTo":"m",
  "maxTimeoutSeconds":60},
 "payload":{"signature":"0xaa","voucher":{"nonce":7,"id":"v1"}}})";

inline constexpr char kChallenge[] = R"({"x402Version":2,"error":"Payment required",
 "resource":{"url":"mcp://tool/analysis"},
 "accepts":[{"scheme":"exact","network":"eip155:84532","amount":"10000",
  "asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  "payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":60}],
 "extensions":{"tallystick":{"info":{"challengeId":"chl_abcdefghijklmnopqrstuvwxyz"}}}})";

inline constexpr char kSettled[] = R"({"success":true,
 "transaction":"0x1234567890ABCDEF1234567890abcdef1234567890abcdef1234567890abcdef",
 "network":"eip155:84532","payer":"0x857b06519E91e3A54538791bDbb0E22373e36b66"})";

inline json::Value Json(absl::string_view text) {
  absl::StatusOr<json::Document> document = json::Parse(text);
  EXPECT_TRUE(document.ok()) << document.status().message() << " in " << text;
  return document.ok() ? std::move(document->value) : json::Value();
}

inline json::Value LoadJson(absl::string_view name) {
  std::ifstream file(absl::StrCat(TALLY_SOURCE_DIR, "/tests/testdata/", name));
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return Json(text.str());
}

// Members of test data: the test fails, and goes on with an empty one, when it is missing.
inline json::Value At(const json::Value& value, absl::string_view key) {
  const json::Value* member = value.Find(key);
  EXPECT_NE(member, nullptr) << key;
  return member == nullptr ? json::Value() : *member;
}
inline json::Array Items(const json::Value& value) {
  const json::Array* items = value.array();
  EXPECT_NE(items, nullptr);
  return items == nullptr ? json::Array() : *items;
}
inline std::string TextAt(const json::Value& value, absl::string_view key) {
  const std::string* text = value.FindString(key);
  EXPECT_NE(text, nullptr) << key;
  return text == nullptr ? std::string() : *text;
}
inline bool BooleanAt(const json::Value& value, absl::string_view key) {
  const json::Value member = At(value, key);
  EXPECT_NE(member.boolean(), nullptr) << key;
  return member.IsTruthy();
}

// `text` as a JSON string.
inline std::string Quoted(absl::string_view text) { return json::Write(json::Text(text)); }

// `text` with the first `from` replaced; the test fails when there is none.
inline std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline std::string MetadataAt(const absl::Status& status, const std::string& key) {
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

}  // namespace tally::x402
