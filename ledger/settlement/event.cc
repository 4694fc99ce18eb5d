#include "ledger/settlement/event.h"

namespace tally::settlement {
namespace {

// In the order of Body's alternatives.
constexpr absl::string_view kTypeNames[] = {
    "ChallengeIssued",    "PaymentPresented",   "VerificationCompleted", "PreflightResolved",
    "ExecutionClaimed",   "ExecutionStarted",   "ExecutionFinished",     "SettlementRequested",
    "SettlementAnswered", "PaymentReleased",    "ChainObserved",         "ResponseDelivered",
    "PurchaseBooked",     "TaskStatusObserved", "RemedyRequested",       "SettlementResolved"};
static_assert(std::size(kTypeNames) == std::variant_size_v<Body>);

}  // namespace

Subject SubjectOf(const SettlementId& id) { return {SubjectKind::kSettlement, id.text()}; }
Subject SubjectOf(const ChallengeId& id) { return {SubjectKind::kChallenge, id.text()}; }
Subject SubjectOf(const CallId& call) { return {SubjectKind::kCall, CallKey(call)}; }
Subject SlotSubject(absl::string_view slot) { return {SubjectKind::kSlot, std::string(slot)}; }

std::string CallKey(const CallId& call) { return call.session + " " + call.request_id; }

absl::string_view TypeNameOf(const Body& body) { return kTypeNames[body.index()]; }

}  // namespace tally::settlement
