#include <memory>
#include <string>
#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/service/answers.h"
#include "ledger/service/checks.h"
#include "ledger/service/keys.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/settlement_service.h"

namespace tally::service {

absl::StatusOr<v1::GetSettlementResponse> SettlementService::GetSettlement(
    const v1::GetSettlementRequest& request) {
  TALLY_ASSIGN_OR_RETURN(const Cut cut, ReadCut(request, clock_));
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::Reader> reader,
                         OpenReader(store_, request.ledger()));
  const Answers answers(*reader, cut);
  TALLY_ASSIGN_OR_RETURN(const settlement::Subject subject, Resolve(answers, request.key()));
  TALLY_ASSIGN_OR_RETURN(const std::optional<Evaluated> evaluated, answers.Evaluate(subject));
  if (!evaluated.has_value()) return answers.NotRecorded(subject.key);
  v1::GetSettlementResponse response;
  ToProto(*evaluated, response.mutable_settlement());
  if (request.include_timeline()) {
    TALLY_ASSIGN_OR_RETURN(const auto timeline, answers.Timeline(subject));
    AddTimeline(timeline, response.mutable_settlement());
  }
  return response;
}

absl::StatusOr<v1::BatchGetSettlementsResponse> SettlementService::BatchGetSettlements(
    const v1::BatchGetSettlementsRequest& request) {
  constexpr std::size_t kIdsMax = 1000;
  const auto count = static_cast<std::size_t>(request.settlement_ids_size());
  if (count == 0) return MissingField("settlement_ids", "1 to 1000 settlement ids");
  if (count > kIdsMax) return OverLimit("settlement_ids", count, kIdsMax, "ids");
  TALLY_ASSIGN_OR_RETURN(const Cut cut, ReadCut(request, clock_));
  std::vector<SettlementId> ids;
  for (int i = 0; i < request.settlement_ids_size(); ++i) {
    TALLY_ASSIGN_OR_RETURN(
        SettlementId id,
        ReadSettlementId("settlement_ids[" + std::to_string(i) + "]", request.settlement_ids(i)));
    ids.push_back(std::move(id));
  }
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::Reader> reader,
                         OpenReader(store_, request.ledger()));
  const Answers answers(*reader, cut);
  v1::BatchGetSettlementsResponse response;
  for (const SettlementId& id : ids) {
    TALLY_ASSIGN_OR_RETURN(const std::optional<Evaluated> evaluated,
                           answers.Evaluate(settlement::SubjectOf(id)));
    if (evaluated.has_value()) {
      ToProto(*evaluated, response.add_settlements());
    } else {
      response.add_missing_settlement_ids(id.text());
    }
  }
  return response;
}

}  // namespace tally::service
