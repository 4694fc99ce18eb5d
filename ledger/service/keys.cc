#include "ledger/service/keys.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "ledger/observation/request_id.h"
#include "ledger/service/checks.h"
#include "ledger/settlement/index.h"

namespace tally::service {
namespace {

using settlement::Alias;
using settlement::AliasKind;
using settlement::Subject;
using settlement::SubjectKind;
using Subjects = std::vector<Subject>;

constexpr std::size_t kHitsMax = 100;
// What an error lists of them: a whole array must fit into the metadata of a trailer.
constexpr std::size_t kHitsListedBytesMax = 2048;

// What a key names, before it is looked at: subjects, or aliases of some.
struct Named {
  Subjects subjects;
  std::vector<Alias> aliases;  // the first that has a hit counts
  std::string text;            // for messages
};

Named ByAlias(AliasKind kind, std::string value, std::string text) {
  return {{}, {{kind, std::move(value)}}, std::move(text)};
}

std::string TxOf(const std::string& text) {
  return absl::StartsWith(absl::AsciiStrToLower(text), "0x") ? absl::AsciiStrToLower(text) : text;
}

bool LooksLikeTx(const std::string& text) { return text.size() == 66 && Bytes32::Parse(text).ok(); }

absl::StatusOr<Named> BySettlementId(absl::string_view field, const std::string& text) {
  TALLY_ASSIGN_OR_RETURN(const SettlementId id, ReadSettlementId(field, text));
  return Named{{settlement::SubjectOf(id)}, {}, text};
}

absl::StatusOr<Named> ByChallengeId(absl::string_view field, const std::string& text) {
  const absl::StatusOr<ChallengeId> id = ChallengeId::Parse(text);
  if (!id.ok()) return FieldError(field, text, "chl_ and 26 base32 characters");
  return Named{{settlement::SubjectOf(*id)}, {}, text};
}

// A V1 payment names no asset, so it has no id of its own: (network, from, nonce) still finds it.
std::optional<Alias> NonceAliasOf(const std::string& document) {
  const absl::StatusOr<json::Document> parsed = json::Parse(document);
  if (!parsed.ok()) return std::nullopt;
  const std::string* network = parsed->value.FindString("network");
  const json::Value* authorization = parsed->value.Find({"payload", "authorization"});
  if (network == nullptr || authorization == nullptr) return std::nullopt;
  const std::string* from = authorization->FindString("from");
  const std::string* nonce = authorization->FindString("nonce");
  if (from == nullptr || nonce == nullptr) return std::nullopt;
  const absl::StatusOr<Network> chain = Network::ParseOrAlias(*network);
  const absl::StatusOr<Address> payer = Address::Parse(*from);
  const absl::StatusOr<Bytes32> word = Bytes32::Parse(*nonce);
  if (!chain.ok() || !payer.ok() || !word.ok()) return std::nullopt;
  return Alias{AliasKind::kNonce,
               absl::StrCat(chain->text(), " ", payer->text(), " ", word->text())};
}

absl::StatusOr<Named> ByPayment(absl::string_view field, const std::string& document) {
  const absl::StatusOr<x402::Payment> payment = ReadPaymentDocument(field, document);
  if (payment.ok()) return Named{{settlement::SubjectOf(payment->id)}, {}, payment->id.text()};
  const std::map<std::string, std::string> metadata = MetadataOf(payment.status());
  const auto condition = metadata.find("condition");
  if (condition == metadata.end() || condition->second != "asset_missing") return payment.status();
  const std::optional<Alias> alias = NonceAliasOf(document);
  if (!alias.has_value()) return payment.status();
  return Named{{}, {*alias}, alias->value};
}

absl::StatusOr<Named> ByCall(const v1::CallId& call) {
  TALLY_RETURN_IF_ERROR(CheckId("key.call.session", call.session(), true));
  TALLY_RETURN_IF_ERROR(CheckId("key.call.request_id", call.request_id(), true));
  TALLY_ASSIGN_OR_RETURN(const std::string request_id,
                         observation::ReadRequestId(call.request_id(), "key.call.request_id"));
  const std::string key = settlement::CallKey({call.session(), request_id});
  return ByAlias(AliasKind::kCall, key, key);
}

absl::StatusOr<Named> ByAny(const std::string& text) {
  if (absl::StartsWith(text, "{")) return ByPayment("key.any", text);
  TALLY_RETURN_IF_ERROR(CheckId("key.any", text, true));
  if (absl::StartsWith(text, "sha256:")) return BySettlementId("key.any", text);
  if (ChallengeId::Parse(text).ok()) return ByChallengeId("key.any", text);
  if (LooksLikeTx(text)) return ByAlias(AliasKind::kChainTx, TxOf(text), text);
  return Named{
      {},
      {{AliasKind::kPurchase, text}, {AliasKind::kTask, text}, {AliasKind::kChainTx, text}},
      text};
}

absl::StatusOr<Named> ByWord(absl::string_view field, AliasKind kind, const std::string& text) {
  TALLY_RETURN_IF_ERROR(CheckId(field, text, true));
  return ByAlias(kind, kind == AliasKind::kChainTx ? TxOf(text) : text, text);
}

absl::StatusOr<Named> ReadKey(const v1::SettlementKey& key) {
  switch (key.key_case()) {
    case v1::SettlementKey::kSettlementId:
      return BySettlementId("key.settlement_id", key.settlement_id());
    case v1::SettlementKey::kChallengeId:
      return ByChallengeId("key.challenge_id", key.challenge_id());
    case v1::SettlementKey::kChainTx:
      return ByWord("key.chain_tx", AliasKind::kChainTx, key.chain_tx());
    case v1::SettlementKey::kPaymentIdentifier:
      return ByWord("key.payment_identifier", AliasKind::kPurchase, key.payment_identifier());
    case v1::SettlementKey::kPurchaseId:
      return ByWord("key.purchase_id", AliasKind::kPurchase, key.purchase_id());
    case v1::SettlementKey::kTaskId:
      return ByWord("key.task_id", AliasKind::kTask, key.task_id());
    case v1::SettlementKey::kCall:
      return ByCall(key.call());
    case v1::SettlementKey::kPaymentDocument:
      return ByPayment("key.payment_document", key.payment_document());
    case v1::SettlementKey::kAny:
      return ByAny(key.any());
    case v1::SettlementKey::KEY_NOT_SET:
      break;
  }
  return MissingField("key", "one of the keys");
}

// A hit within the cut, as what it stands for.
struct Hit {
  Subject subject;
  bool has_standing = false;
};

class Hits {
 public:
  explicit Hits(const Answers& answers) : answers_(answers) {}

  absl::Status Add(const Subject& subject) {
    if (subject.kind == SubjectKind::kSlot) return absl::OkStatus();
    if (subject.kind == SubjectKind::kChallenge) {
      TALLY_ASSIGN_OR_RETURN(const Subjects settled,
                             answers_.Find({AliasKind::kAnsweredChallenge, subject.key}, kHitsMax));
      const std::size_t before = hits_.size();
      for (const Subject& settlement : settled) {
        if (settlement.kind != SubjectKind::kSettlement) continue;
        TALLY_RETURN_IF_ERROR(AddOne(settlement));
      }
      if (hits_.size() > before) return absl::OkStatus();
    }
    return AddOne(subject);
  }

  // Settlements with standing, else settlements, else challenges and calls.
  Subjects Best() const {
    for (const int rank : {2, 1, 0}) {
      Subjects out;
      for (const Hit& hit : hits_) {
        if (RankOf(hit) == rank) out.push_back(hit.subject);
      }
      if (!out.empty()) return out;
    }
    return {};
  }

 private:
  static int RankOf(const Hit& hit) {
    if (hit.subject.kind != SubjectKind::kSettlement) return 0;
    return hit.has_standing ? 2 : 1;
  }

  absl::Status AddOne(const Subject& subject) {
    if (!seen_.insert(subject).second) return absl::OkStatus();
    TALLY_ASSIGN_OR_RETURN(const store::SharedState state, answers_.Load(subject));
    if (state->version == 0) return absl::OkStatus();
    hits_.push_back({subject, settlement::HasStanding(*state, answers_.ledger().role)});
    return absl::OkStatus();
  }

  const Answers& answers_;
  std::set<Subject> seen_;
  std::vector<Hit> hits_;
};

absl::StatusOr<Subjects> Look(const Answers& answers, const Named& named) {
  Hits direct(answers);
  for (const Subject& subject : named.subjects) TALLY_RETURN_IF_ERROR(direct.Add(subject));
  Subjects best = direct.Best();
  for (const Alias& alias : named.aliases) {
    if (!best.empty()) break;
    Hits hits(answers);
    TALLY_ASSIGN_OR_RETURN(const Subjects found, answers.Find(alias, kHitsMax));
    for (const Subject& subject : found) TALLY_RETURN_IF_ERROR(hits.Add(subject));
    best = hits.Best();
  }
  return best;
}

absl::Status Ambiguous(const std::string& text, const Subjects& hits) {
  json::Array listed;
  std::size_t bytes = 0;
  for (const Subject& hit : hits) {
    json::Value key = json::Text(hit.key);
    bytes += json::Write(key).size() + 1;
    if (bytes > kHitsListedBytesMax) break;
    listed.push_back(std::move(key));
  }
  return Error(Reason::kAliasAmbiguous, absl::StrCat(text, " hits ", hits.size(), " settlements"))
      .With("key", text)
      .With("count", absl::StrCat(hits.size()))
      .With("hits", json::Write(json::Value(std::move(listed))));
}

}  // namespace

absl::StatusOr<Subject> Resolve(const Answers& answers, const v1::SettlementKey& key) {
  TALLY_ASSIGN_OR_RETURN(const Named named, ReadKey(key));
  TALLY_ASSIGN_OR_RETURN(const Subjects hits, Look(answers, named));
  if (hits.size() == 1) return hits.front();
  if (hits.empty()) return answers.NotRecorded(named.text);
  return Ambiguous(named.text, hits);
}

}  // namespace tally::service
