#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ledger/base/status_macros.h"
#include "ledger/protocol/answer_enums.h"
#include "ledger/service/answers.h"
#include "ledger/service/exposure.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/settlement_service.h"

namespace tally::service {
namespace {

using settlement::Label;
using settlement::SubjectKind;

constexpr std::size_t kStep = 1000;

// What is paid for or closed is no exposure, so that the bulk of a ledger is counted by its rows
// alone.
bool IsSettledFor(Label label) { return label == Label::kPaid || label == Label::kClosed; }

class Counts {
 public:
  Counts(const Answers& answers, absl::Time now) : answers_(answers), now_(now) {}

  absl::Status Add(const store::Summary& row) {
    Label label = row.label;
    if (!IsSettledFor(label) || row.fresh_until <= now_) {
      TALLY_ASSIGN_OR_RETURN(const std::optional<Evaluated> evaluated,
                             answers_.Evaluate(row.subject));
      if (!evaluated.has_value()) return absl::OkStatus();
      label = evaluated->answer.label;
      AddExposure(evaluated->answer);
    }
    ++labels_[label];
    ++kinds_[row.subject.kind];
    return absl::OkStatus();
  }

  void ToProto(v1::GetStatisticsResponse* out) const {
    out->set_challenges_unanswered(CountOf(kinds_, SubjectKind::kChallenge));
    out->set_payments(CountOf(kinds_, SubjectKind::kSettlement));
    out->set_payments_unreadable(CountOf(kinds_, SubjectKind::kCall));
    out->set_refusals(CountOf(labels_, Label::kRefused));
    out->set_tool_failures(CountOf(labels_, Label::kToolFailed));
    out->set_ran_not_known_paid(ran_not_known_paid_);
    sums_.ToProto(out->mutable_ran_not_known_paid_sums());
    for (const auto& [label, count] : labels_) {
      v1::LabelCount* to = out->add_labels();
      to->set_label(protocol::ToProto(label));
      to->set_count(count);
    }
  }

 private:
  template <typename Key>
  static std::int64_t CountOf(const std::map<Key, std::int64_t>& counts, Key key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  }

  void AddExposure(const settlement::Answer& answer) {
    const std::optional<v1::ExposureBucket> bucket = BucketOf(answer);
    if (!bucket.has_value()) return;
    ++ran_not_known_paid_;
    sums_.Add(*bucket, answer);
  }

  const Answers& answers_;
  const absl::Time now_;
  std::map<Label, std::int64_t> labels_;
  std::map<SubjectKind, std::int64_t> kinds_;
  std::int64_t ran_not_known_paid_ = 0;
  ExposureSums sums_;
};

}  // namespace

absl::StatusOr<v1::GetStatisticsResponse> SettlementService::GetStatistics(
    const v1::GetStatisticsRequest& request) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::Reader> reader,
                         OpenReader(store_, request.ledger()));
  Cut cut;
  cut.judged_at = clock_.Now();
  const Answers answers(*reader, cut);
  Counts counts(answers, cut.judged_at);
  store::ListQuery query;
  query.now = cut.judged_at;
  query.limit = kStep;
  while (true) {
    TALLY_ASSIGN_OR_RETURN(const std::vector<store::Summary> rows, reader->List(query));
    for (const store::Summary& row : rows) TALLY_RETURN_IF_ERROR(counts.Add(row));
    if (rows.size() < query.limit) break;
    query.after = std::pair(rows.back().first_time, rows.back().subject);
  }
  v1::GetStatisticsResponse response;
  counts.ToProto(&response);
  TALLY_ASSIGN_OR_RETURN(const store::Totals totals, reader->Count());
  response.set_events(totals.events);
  response.set_challenges(totals.challenges);
  return response;
}

}  // namespace tally::service
