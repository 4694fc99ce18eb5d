// The enums of answers and claims: every domain value beside its v1 value.
#pragma once

#include <array>

#include "ledger/protocol/enum_codec.h"
#include "ledger/settlement/answer.h"
#include "ledger/settlement/decide.h"
#include "tallystick/v1/answer.pb.h"
#include "tallystick/v1/ledger_service.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;

template <>
inline constexpr auto kEnumTable<settlement::Presentation> =
    std::to_array<EnumPair<settlement::Presentation, v1::PresentationState>>(
        {{settlement::Presentation::kNone, v1::PRESENTATION_STATE_NONE},
         {settlement::Presentation::kChallenged, v1::PRESENTATION_STATE_CHALLENGED},
         {settlement::Presentation::kPresented, v1::PRESENTATION_STATE_PRESENTED},
         {settlement::Presentation::kVerified, v1::PRESENTATION_STATE_VERIFIED},
         {settlement::Presentation::kRefused, v1::PRESENTATION_STATE_REFUSED}});
template <>
inline constexpr auto kEnumTable<settlement::Execution> =
    std::to_array<EnumPair<settlement::Execution, v1::ExecutionState>>(
        {{settlement::Execution::kUnobserved, v1::EXECUTION_STATE_UNOBSERVED},
         {settlement::Execution::kNotStarted, v1::EXECUTION_STATE_NOT_STARTED},
         {settlement::Execution::kStarted, v1::EXECUTION_STATE_STARTED},
         {settlement::Execution::kSucceeded, v1::EXECUTION_STATE_SUCCEEDED},
         {settlement::Execution::kFailed, v1::EXECUTION_STATE_FAILED},
         {settlement::Execution::kUnknown, v1::EXECUTION_STATE_UNKNOWN}});
template <>
inline constexpr auto kEnumTable<settlement::Settlement> =
    std::to_array<EnumPair<settlement::Settlement, v1::SettlementState>>(
        {{settlement::Settlement::kNotRequested, v1::SETTLEMENT_STATE_NOT_REQUESTED},
         {settlement::Settlement::kOpen, v1::SETTLEMENT_STATE_OPEN},
         {settlement::Settlement::kSettled, v1::SETTLEMENT_STATE_SETTLED},
         {settlement::Settlement::kFailed, v1::SETTLEMENT_STATE_FAILED},
         {settlement::Settlement::kHeld, v1::SETTLEMENT_STATE_HELD},
         {settlement::Settlement::kReturned, v1::SETTLEMENT_STATE_RETURNED}});
template <>
inline constexpr auto kEnumTable<settlement::Liveness> =
    std::to_array<EnumPair<settlement::Liveness, v1::LivenessState>>(
        {{settlement::Liveness::kLive, v1::LIVENESS_STATE_LIVE},
         {settlement::Liveness::kLapsed, v1::LIVENESS_STATE_LAPSED},
         {settlement::Liveness::kSpentByThis, v1::LIVENESS_STATE_SPENT_BY_THIS},
         {settlement::Liveness::kSpentByOther, v1::LIVENESS_STATE_SPENT_BY_OTHER},
         {settlement::Liveness::kCancelled, v1::LIVENESS_STATE_CANCELLED},
         {settlement::Liveness::kExpiredUnused, v1::LIVENESS_STATE_EXPIRED_UNUSED},
         {settlement::Liveness::kNotProvable, v1::LIVENESS_STATE_NOT_PROVABLE}});
template <>
inline constexpr auto kEnumTable<settlement::Delivery> =
    std::to_array<EnumPair<settlement::Delivery, v1::DeliveryState>>(
        {{settlement::Delivery::kUnobserved, v1::DELIVERY_STATE_UNOBSERVED},
         {settlement::Delivery::kWithheld, v1::DELIVERY_STATE_WITHHELD},
         {settlement::Delivery::kSent, v1::DELIVERY_STATE_SENT},
         {settlement::Delivery::kAcknowledged, v1::DELIVERY_STATE_ACKNOWLEDGED}});
template <>
inline constexpr auto kEnumTable<settlement::Label> =
    std::to_array<EnumPair<settlement::Label, v1::Label>>(
        {{settlement::Label::kClosed, v1::LABEL_CLOSED},
         {settlement::Label::kConflict, v1::LABEL_CONFLICT},
         {settlement::Label::kPaid, v1::LABEL_PAID},
         {settlement::Label::kPaidUndelivered, v1::LABEL_PAID_UNDELIVERED},
         {settlement::Label::kPaidDeliveryUnknown, v1::LABEL_PAID_DELIVERY_UNKNOWN},
         {settlement::Label::kPaidRunDue, v1::LABEL_PAID_RUN_DUE},
         {settlement::Label::kPaidNotRun, v1::LABEL_PAID_NOT_RUN},
         {settlement::Label::kPaidRunOpen, v1::LABEL_PAID_RUN_OPEN},
         {settlement::Label::kHeld, v1::LABEL_HELD},
         {settlement::Label::kRanUnpaid, v1::LABEL_RAN_UNPAID},
         {settlement::Label::kRanOpen, v1::LABEL_RAN_OPEN},
         {settlement::Label::kFailedOpen, v1::LABEL_FAILED_OPEN},
         {settlement::Label::kNotRunOpen, v1::LABEL_NOT_RUN_OPEN},
         {settlement::Label::kToolFailed, v1::LABEL_TOOL_FAILED},
         {settlement::Label::kNonceConsumed, v1::LABEL_NONCE_CONSUMED},
         {settlement::Label::kRefused, v1::LABEL_REFUSED},
         {settlement::Label::kExpired, v1::LABEL_EXPIRED},
         {settlement::Label::kReturned, v1::LABEL_RETURNED},
         {settlement::Label::kUnpaidRunUnknown, v1::LABEL_UNPAID_RUN_UNKNOWN},
         {settlement::Label::kRunUnknown, v1::LABEL_RUN_UNKNOWN},
         {settlement::Label::kInDoubt, v1::LABEL_IN_DOUBT},
         {settlement::Label::kRunning, v1::LABEL_RUNNING},
         {settlement::Label::kVerified, v1::LABEL_VERIFIED},
         {settlement::Label::kPresented, v1::LABEL_PRESENTED},
         {settlement::Label::kChallenged, v1::LABEL_CHALLENGED}});
template <>
inline constexpr auto kEnumTable<settlement::Advice> =
    std::to_array<EnumPair<settlement::Advice, v1::Advice>>(
        {{settlement::Advice::kNone, v1::ADVICE_NONE},
         {settlement::Advice::kPay, v1::ADVICE_PAY},
         {settlement::Advice::kWait, v1::ADVICE_WAIT},
         {settlement::Advice::kFetchResult, v1::ADVICE_FETCH_RESULT},
         {settlement::Advice::kSendAgain, v1::ADVICE_SEND_AGAIN},
         {settlement::Advice::kRun, v1::ADVICE_RUN},
         {settlement::Advice::kRefundOrRun, v1::ADVICE_REFUND_OR_RUN},
         {settlement::Advice::kClaimRefundOrRun, v1::ADVICE_CLAIM_REFUND_OR_RUN},
         {settlement::Advice::kAskCounterparty, v1::ADVICE_ASK_COUNTERPARTY},
         {settlement::Advice::kAskOperator, v1::ADVICE_ASK_OPERATOR},
         {settlement::Advice::kCaptureOrVoid, v1::ADVICE_CAPTURE_OR_VOID},
         {settlement::Advice::kSettleSamePayload, v1::ADVICE_SETTLE_SAME_PAYLOAD},
         {settlement::Advice::kInvoiceOrWriteOff, v1::ADVICE_INVOICE_OR_WRITE_OFF},
         {settlement::Advice::kDoNotCallAgain, v1::ADVICE_DO_NOT_CALL_AGAIN},
         {settlement::Advice::kLookUpNonce, v1::ADVICE_LOOK_UP_NONCE},
         {settlement::Advice::kRepresentSameAuthorization, v1::ADVICE_REPRESENT_SAME_AUTHORIZATION},
         {settlement::Advice::kResignSameSlot, v1::ADVICE_RESIGN_SAME_SLOT}});
template <>
inline constexpr auto kEnumTable<settlement::Anomaly> =
    std::to_array<EnumPair<settlement::Anomaly, v1::Anomaly>>(
        {{settlement::Anomaly::kExecutedTwice, v1::ANOMALY_EXECUTED_TWICE},
         {settlement::Anomaly::kExecutedUnverified, v1::ANOMALY_EXECUTED_UNVERIFIED},
         {settlement::Anomaly::kDuplicateSettlement, v1::ANOMALY_DUPLICATE_SETTLEMENT},
         {settlement::Anomaly::kAmountMismatch, v1::ANOMALY_AMOUNT_MISMATCH},
         {settlement::Anomaly::kPayeeMismatch, v1::ANOMALY_PAYEE_MISMATCH},
         {settlement::Anomaly::kAssetMismatch, v1::ANOMALY_ASSET_MISMATCH},
         {settlement::Anomaly::kNetworkMismatch, v1::ANOMALY_NETWORK_MISMATCH},
         {settlement::Anomaly::kPayerMismatch, v1::ANOMALY_PAYER_MISMATCH},
         {settlement::Anomaly::kResourceMismatch, v1::ANOMALY_RESOURCE_MISMATCH},
         {settlement::Anomaly::kSettledOverAuthorised, v1::ANOMALY_SETTLED_OVER_AUTHORISED},
         {settlement::Anomaly::kAuthorizationReused, v1::ANOMALY_AUTHORIZATION_REUSED},
         {settlement::Anomaly::kServedUnpaid, v1::ANOMALY_SERVED_UNPAID},
         {settlement::Anomaly::kServedBeforeSettled, v1::ANOMALY_SERVED_BEFORE_SETTLED},
         {settlement::Anomaly::kReceiptWithoutSettlement, v1::ANOMALY_RECEIPT_WITHOUT_SETTLEMENT},
         {settlement::Anomaly::kAnswerExtractableAsPayable,
          v1::ANOMALY_ANSWER_EXTRACTABLE_AS_PAYABLE},
         {settlement::Anomaly::kPaymentUnreadable, v1::ANOMALY_PAYMENT_UNREADABLE},
         {settlement::Anomaly::kDoorsDisagree, v1::ANOMALY_DOORS_DISAGREE},
         {settlement::Anomaly::kPaymentInArguments, v1::ANOMALY_PAYMENT_IN_ARGUMENTS},
         {settlement::Anomaly::kTaskWorkingAfterPreflight,
          v1::ANOMALY_TASK_WORKING_AFTER_PREFLIGHT},
         {settlement::Anomaly::kTaskEndedTwice, v1::ANOMALY_TASK_ENDED_TWICE},
         {settlement::Anomaly::kUnprovenPresentation, v1::ANOMALY_UNPROVEN_PRESENTATION},
         {settlement::Anomaly::kReplayedElsewhere, v1::ANOMALY_REPLAYED_ELSEWHERE},
         {settlement::Anomaly::kLateEvidence, v1::ANOMALY_LATE_EVIDENCE},
         {settlement::Anomaly::kVerifierDisagrees, v1::ANOMALY_VERIFIER_DISAGREES},
         {settlement::Anomaly::kDuplicateKeys, v1::ANOMALY_DUPLICATE_KEYS}});
template <>
inline constexpr auto kEnumTable<settlement::Word> =
    std::to_array<EnumPair<settlement::Word, v1::Word>>(
        {{settlement::Word::kNobody, v1::WORD_NOBODY},
         {settlement::Word::kClock, v1::WORD_CLOCK},
         {settlement::Word::kRecorder, v1::WORD_RECORDER},
         {settlement::Word::kCounterparty, v1::WORD_COUNTERPARTY},
         {settlement::Word::kFacilitator, v1::WORD_FACILITATOR},
         {settlement::Word::kOwnCheck, v1::WORD_OWN_CHECK},
         {settlement::Word::kOperator, v1::WORD_OPERATOR},
         {settlement::Word::kChainSeen, v1::WORD_CHAIN_SEEN},
         {settlement::Word::kChainSafe, v1::WORD_CHAIN_SAFE},
         {settlement::Word::kChainFinalised, v1::WORD_CHAIN_FINALISED}});
template <>
inline constexpr auto kEnumTable<settlement::ClaimRefusal> =
    std::to_array<EnumPair<settlement::ClaimRefusal, v1::ClaimRefusal>>(
        {{settlement::ClaimRefusal::kAlreadyGranted, v1::CLAIM_REFUSAL_ALREADY_GRANTED},
         {settlement::ClaimRefusal::kOtherRequest, v1::CLAIM_REFUSAL_OTHER_REQUEST},
         {settlement::ClaimRefusal::kNotUnique, v1::CLAIM_REFUSAL_NOT_UNIQUE},
         {settlement::ClaimRefusal::kRunUnknown, v1::CLAIM_REFUSAL_RUN_UNKNOWN},
         {settlement::ClaimRefusal::kAlreadyRan, v1::CLAIM_REFUSAL_ALREADY_RAN},
         {settlement::ClaimRefusal::kFailedOnce, v1::CLAIM_REFUSAL_FAILED_ONCE},
         {settlement::ClaimRefusal::kClosed, v1::CLAIM_REFUSAL_CLOSED}});

}  // namespace tally::protocol
