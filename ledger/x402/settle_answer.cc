#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "ledger/base/encoding.h"
#include "ledger/types/chain.h"
#include "ledger/types/uint256.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/fields.h"

namespace tally::x402 {
namespace {

constexpr std::size_t kChainTxBytesMax = 256;

bool IsPrintable(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); });
}

bool IsBase58(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '0' && c != 'O' && c != 'I' &&
           c != 'l';
  });
}

// The chain tx in the form of its chain, empty when the text can't be one.
std::string ChainTxOf(absl::string_view text, absl::string_view network) {
  if (text.empty() || text.size() > kChainTxBytesMax) return "";
  const absl::StatusOr<Bytes32> word = Bytes32::Parse(text);
  if (word.ok()) {
    const bool is_zero = word->text().find_first_not_of('0', 2) == std::string::npos;
    return is_zero ? std::string() : word->text();
  }
  if (network.rfind("eip155:", 0) == 0) return "";
  // A Solana signature is 64 bytes in base58.
  const bool is_svm = network.rfind("solana:", 0) == 0;
  if (is_svm && (text.size() < 64 || text.size() > 88 || !IsBase58(text))) return "";
  return IsPrintable(text) ? std::string(text) : std::string();
}

class Reader {
 public:
  explicit Reader(const json::Value& value) : value_(value) {}

  SettleAnswer Read() {
    ReadSuccess();
    ReadNetwork();
    ReadChainTx();
    if (!is_network_caip2_) Fail("network-caip2");
    ReadReason();
    ReadTerms();
    out_.reason_class = ClassifySettleReason(out_.reason, !out_.chain_tx.empty());
    if (out_.success == true) out_.reason_class = ReasonClass::kNone;
    out_.outcome = Conclude();
    return std::move(out_);
  }

 private:
  void Fail(absl::string_view check) { out_.failed_checks.emplace_back(check); }

  void ReadSuccess() {
    const json::Value* success = value_.Find("success");
    if (success != nullptr && success->boolean() != nullptr) {
      out_.success = *success->boolean();
    } else {
      Fail("success-boolean");
    }
  }

  void ReadNetwork() {
    const std::string* said = value_.FindString("network");
    is_network_caip2_ = said != nullptr && Network::Parse(*said).ok();
    // Seen in V1 answers.
    if (said == nullptr) said = value_.FindString("networkId");
    if (said == nullptr) return;
    const absl::StatusOr<Network> network = Network::ParseOrAlias(*said);
    out_.network = network.ok() ? network->text() : *said;
  }

  void ReadChainTx() {
    const std::string* said = value_.FindString("transaction");
    const bool is_said_properly = said != nullptr;
    if (said == nullptr || said->empty()) {
      // Names off the specification, seen in the wild: read, so that a hash is never lost.
      for (const absl::string_view key : {"transactionId", "transactionHash", "txHash"}) {
        const std::string* other = value_.FindString(key);
        if (other == nullptr || other->empty()) continue;
        Fail("transaction-string");
        out_.chain_tx = ChainTxOf(*other, out_.network);
        return;
      }
    }
    if (!is_said_properly) return Fail("transaction-string");
    out_.chain_tx = ChainTxOf(*said, out_.network);
    // "" is how a failure says that nothing was broadcast; a success has a hash.
    const bool may_be_empty = out_.success != true;
    if (out_.chain_tx.empty() && !(said->empty() && may_be_empty)) Fail("transaction-hash");
  }

  void ReadReason() {
    const json::Value* reason = value_.Find("errorReason");
    // `errorReason: null` on success is common and says nothing.
    if (reason == nullptr || reason->is_null()) reason = value_.Find("error");
    if (reason == nullptr || reason->is_null()) return;
    if (reason->string() == nullptr) {
      Fail(out_.success == true ? "error-reason-on-success" : "error-reason-string");
      return;
    }
    out_.reason = *reason->string();
    if (out_.success == true && !out_.reason.empty()) Fail("error-reason-on-success");
  }

  void ReadTerms() {
    if (const std::string* payer = value_.FindString("payer"); payer != nullptr) {
      out_.payer = LowerIfAddress(*payer);
    }
    const json::Value* amount = value_.Find("amount");
    if (amount == nullptr || amount->is_null()) return;
    const absl::StatusOr<Uint256> parsed = RequireUint256(amount, "amount", "amount");
    if (parsed.ok()) {
      out_.amount = *parsed;
    } else {
      Fail("amount-decimal");
    }
  }

  // Settled and failed are said only on a document without fault; everything else is looked up.
  SettleOutcome Conclude() const {
    if (!out_.failed_checks.empty()) return SettleOutcome::kUnresolved;
    if (*out_.success) return SettleOutcome::kSettled;
    switch (out_.reason_class) {
      case ReasonClass::kOpen:
      case ReasonClass::kNonceConsumed:
        return SettleOutcome::kUnresolved;
      case ReasonClass::kNone:
      case ReasonClass::kRefused:
      case ReasonClass::kExpired:
      case ReasonClass::kFailedAfterBroadcast:
      case ReasonClass::kUnknown:
        return SettleOutcome::kFailed;
    }
    return SettleOutcome::kUnresolved;
  }

  const json::Value& value_;
  bool is_network_caip2_ = false;
  SettleAnswer out_;
};

}  // namespace

SettleAnswer ReadSettleAnswer(const json::Value* value) {
  if (value == nullptr || value->object() == nullptr) {
    SettleAnswer unreadable;
    unreadable.failed_checks = {"json"};
    return unreadable;
  }
  return Reader(*value).Read();
}

SettleAnswer ReadSettleHeader(absl::string_view header) {
  const absl::StatusOr<std::string> text = Base64Decode(absl::StripAsciiWhitespace(header));
  if (!text.ok()) return ReadSettleAnswer(nullptr);
  const absl::StatusOr<json::Document> document = json::Parse(*text);
  return ReadSettleAnswer(document.ok() ? &document->value : nullptr);
}

}  // namespace tally::x402
