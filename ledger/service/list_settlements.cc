#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/answer_enums.h"
#include "ledger/service/answers.h"
#include "ledger/service/checks.h"
#include "ledger/service/exposure.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/page_token.h"
#include "ledger/service/settlement_service.h"
#include "ledger/settlement/index.h"

namespace tally::service {
namespace {

using settlement::AliasKind;
using settlement::Subject;
using settlement::SubjectKind;

// How many rows one page may look at when few of them match; the token goes on from there.
constexpr std::size_t kRowsMax = 10000;
constexpr std::size_t kStep = 200;

struct Filter {
  std::set<settlement::Label> labels;  // empty: all
  bool is_exposure_view = false;
  std::string payer;
  std::string tool;
  std::optional<absl::Time> from;
  std::optional<absl::Time> before;

  // On what the answer is, not on what the store's summary said.
  bool Holds(const settlement::Answer& answer) const {
    return (labels.empty() || labels.count(answer.label) > 0) &&
           (payer.empty() || answer.payer == payer) &&
           (tool.empty() || answer.resource.tool == tool) &&
           (!from.has_value() || !answer.last_time.has_value() || *answer.last_time >= *from) &&
           (!before.has_value() || !answer.first_time.has_value() ||
            *answer.first_time < *before) &&
           (!is_exposure_view || BucketOf(answer).has_value());
  }
};

absl::StatusOr<std::string> ReadPayer(const std::string& payer) {
  TALLY_RETURN_IF_ERROR(CheckId("payer", payer, false));
  if (!absl::StartsWith(payer, "0x") && !absl::StartsWith(payer, "0X")) return payer;
  const absl::StatusOr<Address> address = Address::Parse(payer);
  if (!address.ok()) return FieldError("payer", payer, "0x and 40 hex digits");
  return address->text();
}

absl::StatusOr<Filter> ReadFilter(const v1::ListSettlementsRequest& request) {
  Filter out;
  for (int i = 0; i < request.labels_size(); ++i) {
    const auto label = protocol::FromProto<settlement::Label>(request.labels(i));
    if (!label.has_value()) {
      return UnspecifiedEnum(absl::StrCat("labels[", i, "]"), request.labels(i));
    }
    out.labels.insert(*label);
  }
  if (request.view() != v1::LIST_VIEW_UNSPECIFIED &&
      request.view() != v1::LIST_VIEW_RAN_NOT_KNOWN_PAID) {
    return UnspecifiedEnum("view", request.view());
  }
  out.is_exposure_view = request.view() == v1::LIST_VIEW_RAN_NOT_KNOWN_PAID;
  TALLY_ASSIGN_OR_RETURN(out.payer, ReadPayer(request.payer()));
  TALLY_RETURN_IF_ERROR(CheckId("tool", request.tool(), false));
  out.tool = request.tool();
  TALLY_ASSIGN_OR_RETURN(out.from, ReadTime("from", request.has_from(), request.from()));
  TALLY_ASSIGN_OR_RETURN(out.before, ReadTime("before", request.has_before(), request.before()));
  return out;
}

// Everything the rows depend on. There is no map in it, so the bytes are always the same.
std::string QueryText(v1::ListSettlementsRequest request, const std::string& ledger) {
  request.set_ledger(ledger);
  request.clear_page_token();
  request.clear_page_size();
  return request.SerializeAsString();
}

// What the store can leave out by itself. As of another time its summaries say nothing but when the
// last event occurred.
store::ListQuery QueryOf(const Filter& filter, const Cut& cut) {
  store::ListQuery query;
  query.now = cut.judged_at;
  query.from = filter.from;
  query.limit = kStep;
  if (!cut.is_whole()) return query;
  query.before = filter.before;
  query.labels.assign(filter.labels.begin(), filter.labels.end());
  query.payer = filter.payer;
  query.tool = filter.tool;
  return query;
}

class Listing {
 public:
  Listing(store::Reader& reader, const Answers& answers, Filter filter)
      : reader_(reader), answers_(answers), filter_(std::move(filter)) {}

  struct Page {
    std::vector<Evaluated> rows;
    std::optional<ListPlace> next;
  };

  // With `sums`, goes on to the end of the list after the page is full.
  absl::StatusOr<Page> Read(std::optional<ListPlace> after, std::size_t page_size,
                            ExposureSums* sums) const {
    store::ListQuery query = QueryOf(filter_, answers_.cut());
    query.after = std::move(after);
    Page page;
    bool is_full = false;
    for (std::size_t looked_at = 0;;) {
      TALLY_ASSIGN_OR_RETURN(const std::vector<store::Summary> rows, reader_.List(query));
      for (const store::Summary& row : rows) {
        TALLY_ASSIGN_OR_RETURN(std::vector<Evaluated> found, RowsOf(row.subject));
        query.after = ListPlace(row.first_time, row.subject);
        for (Evaluated& evaluated : found) {
          if (sums != nullptr) {
            sums->Add(*BucketOf(evaluated.answer), evaluated.answer);
          }
          if (!is_full) page.rows.push_back(std::move(evaluated));
        }
        const bool is_enough = page.rows.size() >= page_size || ++looked_at >= kRowsMax;
        if (is_full || !is_enough) continue;
        is_full = true;
        page.next = query.after;
        if (sums == nullptr) return page;
      }
      if (rows.size() < query.limit) break;
    }
    return page;
  }

 private:
  // The row's subject, or the challenge it answers later than the cut: then, that was the row.
  absl::StatusOr<std::vector<Evaluated>> RowsOf(const Subject& subject) const {
    std::vector<Evaluated> out;
    TALLY_ASSIGN_OR_RETURN(std::optional<Evaluated> evaluated, answers_.Evaluate(subject));
    if (evaluated.has_value()) {
      if (filter_.Holds(evaluated->answer)) out.push_back(*std::move(evaluated));
      return out;
    }
    if (answers_.cut().is_whole() || subject.kind != SubjectKind::kSettlement) return out;
    constexpr std::size_t kChallengesMax = 100;
    TALLY_ASSIGN_OR_RETURN(
        const std::vector<Subject> challenges,
        answers_.Find({AliasKind::kAnsweredChallenge, subject.key}, kChallengesMax));
    for (const Subject& challenge : challenges) {
      if (challenge.kind != SubjectKind::kChallenge) continue;
      TALLY_ASSIGN_OR_RETURN(const bool is_row, IsOpenRowOf(challenge, subject));
      if (!is_row) continue;
      TALLY_ASSIGN_OR_RETURN(std::optional<Evaluated> open, answers_.Evaluate(challenge));
      if (open.has_value() && filter_.Holds(open->answer)) out.push_back(*std::move(open));
    }
    return out;
  }

  // Whether nothing within the cut answers the challenge, and `subject` is the one of its answers
  // that shows it.
  absl::StatusOr<bool> IsOpenRowOf(const Subject& challenge, const Subject& subject) const {
    constexpr std::size_t kAnswersMax = 100;
    TALLY_ASSIGN_OR_RETURN(
        const std::vector<Subject> found,
        answers_.Find({AliasKind::kAnsweredChallenge, challenge.key}, kAnswersMax));
    std::optional<Subject> first;
    for (const Subject& settlement : found) {
      TALLY_ASSIGN_OR_RETURN(const store::SharedState state, answers_.Load(settlement));
      if (state->version > 0) return false;
      if (!first.has_value() || settlement < *first) first = settlement;
    }
    return first == subject;
  }

  store::Reader& reader_;
  const Answers& answers_;
  const Filter filter_;
};

}  // namespace

absl::StatusOr<v1::ListSettlementsResponse> SettlementService::ListSettlements(
    const v1::ListSettlementsRequest& request) {
  TALLY_ASSIGN_OR_RETURN(const std::size_t page_size, ReadPageSize(request.page_size()));
  TALLY_ASSIGN_OR_RETURN(Filter filter, ReadFilter(request));
  TALLY_ASSIGN_OR_RETURN(const Cut cut, ReadCut(request, clock_));
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::Reader> reader,
                         OpenReader(store_, request.ledger()));
  const std::string query = QueryText(request, reader->ledger().name);
  std::optional<ListPlace> after;
  if (!request.page_token().empty()) {
    TALLY_ASSIGN_OR_RETURN(after, DecodePageToken(query, request.page_token()));
  }
  const Answers answers(*reader, cut);
  const bool wants_sums = filter.is_exposure_view && !after.has_value();
  const Listing listing(*reader, answers, std::move(filter));
  ExposureSums sums;
  TALLY_ASSIGN_OR_RETURN(const Listing::Page page,
                         listing.Read(std::move(after), page_size, wants_sums ? &sums : nullptr));
  v1::ListSettlementsResponse response;
  for (const Evaluated& row : page.rows) ToProto(row, response.add_settlements());
  if (page.next.has_value()) {
    response.set_next_page_token(EncodePageToken(query, *page.next));
  }
  if (wants_sums) sums.ToProto(response.mutable_sums());
  return response;
}

}  // namespace tally::service
