// The enums of events: every domain value beside its v1 value.
#pragma once

#include <array>

#include "ledger/protocol/enum_codec.h"
#include "ledger/settlement/event.h"
#include "tallystick/v1/types.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;

template <>
inline constexpr auto kEnumTable<settlement::LedgerRole> =
    std::to_array<EnumPair<settlement::LedgerRole, v1::LedgerRole>>(
        {{settlement::LedgerRole::kSeller, v1::LEDGER_ROLE_SELLER},
         {settlement::LedgerRole::kBuyer, v1::LEDGER_ROLE_BUYER},
         {settlement::LedgerRole::kFacilitator, v1::LEDGER_ROLE_FACILITATOR}});
template <>
inline constexpr auto kEnumTable<settlement::SubjectKind> =
    std::to_array<EnumPair<settlement::SubjectKind, v1::SubjectKind>>(
        {{settlement::SubjectKind::kSettlement, v1::SUBJECT_KIND_SETTLEMENT},
         {settlement::SubjectKind::kChallenge, v1::SUBJECT_KIND_CHALLENGE},
         {settlement::SubjectKind::kCall, v1::SUBJECT_KIND_CALL},
         {settlement::SubjectKind::kSlot, v1::SUBJECT_KIND_SLOT}});
template <>
inline constexpr auto kEnumTable<settlement::SourceKind> =
    std::to_array<EnumPair<settlement::SourceKind, v1::SourceKind>>(
        {{settlement::SourceKind::kApi, v1::SOURCE_KIND_API},
         {settlement::SourceKind::kTap, v1::SOURCE_KIND_TAP},
         {settlement::SourceKind::kProxy, v1::SOURCE_KIND_PROXY},
         {settlement::SourceKind::kImport, v1::SOURCE_KIND_IMPORT},
         {settlement::SourceKind::kHook, v1::SOURCE_KIND_HOOK}});
template <>
inline constexpr auto kEnumTable<settlement::PaymentFlow> =
    std::to_array<EnumPair<settlement::PaymentFlow, v1::PaymentFlow>>(
        {{settlement::PaymentFlow::kAuthorization, v1::PAYMENT_FLOW_AUTHORIZATION},
         {settlement::PaymentFlow::kUpfront, v1::PAYMENT_FLOW_UPFRONT},
         {settlement::PaymentFlow::kEscrow, v1::PAYMENT_FLOW_ESCROW}});
template <>
inline constexpr auto kEnumTable<settlement::SettleOutcome> =
    std::to_array<EnumPair<settlement::SettleOutcome, v1::SettleOutcome>>(
        {{settlement::SettleOutcome::kSettled, v1::SETTLE_OUTCOME_SETTLED},
         {settlement::SettleOutcome::kFailed, v1::SETTLE_OUTCOME_FAILED},
         {settlement::SettleOutcome::kUnresolved, v1::SETTLE_OUTCOME_UNRESOLVED}});
template <>
inline constexpr auto kEnumTable<settlement::ReasonClass> =
    std::to_array<EnumPair<settlement::ReasonClass, v1::ReasonClass>>(
        {{settlement::ReasonClass::kNone, v1::REASON_CLASS_NONE},
         {settlement::ReasonClass::kRefused, v1::REASON_CLASS_REFUSED},
         {settlement::ReasonClass::kNonceConsumed, v1::REASON_CLASS_NONCE_CONSUMED},
         {settlement::ReasonClass::kOpen, v1::REASON_CLASS_OPEN},
         {settlement::ReasonClass::kExpired, v1::REASON_CLASS_EXPIRED},
         {settlement::ReasonClass::kFailedAfterBroadcast, v1::REASON_CLASS_FAILED_AFTER_BROADCAST},
         {settlement::ReasonClass::kUnknown, v1::REASON_CLASS_UNKNOWN}});
template <>
inline constexpr auto kEnumTable<settlement::VerificationOutcome> =
    std::to_array<EnumPair<settlement::VerificationOutcome, v1::VerificationOutcome>>(
        {{settlement::VerificationOutcome::kValid, v1::VERIFICATION_OUTCOME_VALID},
         {settlement::VerificationOutcome::kInvalid, v1::VERIFICATION_OUTCOME_INVALID},
         {settlement::VerificationOutcome::kNoAnswer, v1::VERIFICATION_OUTCOME_NO_ANSWER},
         {settlement::VerificationOutcome::kNotRequired, v1::VERIFICATION_OUTCOME_NOT_REQUIRED}});
template <>
inline constexpr auto kEnumTable<settlement::PreflightOutcome> =
    std::to_array<EnumPair<settlement::PreflightOutcome, v1::PreflightOutcome>>(
        {{settlement::PreflightOutcome::kPaymentRequired, v1::PREFLIGHT_OUTCOME_PAYMENT_REQUIRED},
         {settlement::PreflightOutcome::kStandbyRejected, v1::PREFLIGHT_OUTCOME_STANDBY_REJECTED},
         {settlement::PreflightOutcome::kOther, v1::PREFLIGHT_OUTCOME_OTHER}});
template <>
inline constexpr auto kEnumTable<settlement::ExecutionOutcome> =
    std::to_array<EnumPair<settlement::ExecutionOutcome, v1::ExecutionOutcome>>(
        {{settlement::ExecutionOutcome::kSucceeded, v1::EXECUTION_OUTCOME_SUCCEEDED},
         {settlement::ExecutionOutcome::kToolError, v1::EXECUTION_OUTCOME_TOOL_ERROR},
         {settlement::ExecutionOutcome::kCrashed, v1::EXECUTION_OUTCOME_CRASHED},
         {settlement::ExecutionOutcome::kAborted, v1::EXECUTION_OUTCOME_ABORTED}});
template <>
inline constexpr auto kEnumTable<settlement::SettlementPhase> =
    std::to_array<EnumPair<settlement::SettlementPhase, v1::SettlementPhase>>(
        {{settlement::SettlementPhase::kUnknown, v1::SETTLEMENT_PHASE_UNKNOWN},
         {settlement::SettlementPhase::kBeforeHandler, v1::SETTLEMENT_PHASE_BEFORE_HANDLER},
         {settlement::SettlementPhase::kAfterHandler, v1::SETTLEMENT_PHASE_AFTER_HANDLER},
         {settlement::SettlementPhase::kCancel, v1::SETTLEMENT_PHASE_CANCEL}});
template <>
inline constexpr auto kEnumTable<settlement::ChainFact> =
    std::to_array<EnumPair<settlement::ChainFact, v1::ChainFactKind>>(
        {{settlement::ChainFact::kTransfer, v1::CHAIN_FACT_KIND_TRANSFER},
         {settlement::ChainFact::kUsed, v1::CHAIN_FACT_KIND_USED},
         {settlement::ChainFact::kCancelled, v1::CHAIN_FACT_KIND_CANCELLED},
         {settlement::ChainFact::kUnused, v1::CHAIN_FACT_KIND_UNUSED},
         {settlement::ChainFact::kRetracted, v1::CHAIN_FACT_KIND_RETRACTED}});
template <>
inline constexpr auto kEnumTable<settlement::Finality> =
    std::to_array<EnumPair<settlement::Finality, v1::Finality>>(
        {{settlement::Finality::kSeen, v1::FINALITY_SEEN},
         {settlement::Finality::kSafe, v1::FINALITY_SAFE},
         {settlement::Finality::kFinalised, v1::FINALITY_FINALISED}});
template <>
inline constexpr auto kEnumTable<settlement::Remedy> =
    std::to_array<EnumPair<settlement::Remedy, v1::Remedy>>(
        {{settlement::Remedy::kRefund, v1::REMEDY_REFUND},
         {settlement::Remedy::kRun, v1::REMEDY_RUN}});
template <>
inline constexpr auto kEnumTable<settlement::Resolution> =
    std::to_array<EnumPair<settlement::Resolution, v1::Resolution>>(
        {{settlement::Resolution::kRefunded, v1::RESOLUTION_REFUNDED},
         {settlement::Resolution::kWrittenOff, v1::RESOLUTION_WRITTEN_OFF},
         {settlement::Resolution::kComped, v1::RESOLUTION_COMPED},
         {settlement::Resolution::kVoid, v1::RESOLUTION_VOID}});

}  // namespace tally::protocol
