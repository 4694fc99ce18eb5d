#include "ledger/settlement/names.h"

#include <algorithm>
#include <iterator>

namespace tally::settlement {
namespace {

// In the order of the enums.
constexpr absl::string_view kPresentations[] = {"NONE", "CHALLENGED", "PRESENTED", "VERIFIED",
                                                "REFUSED"};
constexpr absl::string_view kExecutions[] = {"UNOBSERVED", "NOT_STARTED", "STARTED",
                                             "SUCCEEDED",  "FAILED",      "UNKNOWN"};
constexpr absl::string_view kSettlements[] = {"NOT_REQUESTED", "OPEN", "SETTLED",
                                              "FAILED",        "HELD", "RETURNED"};
constexpr absl::string_view kLivenesses[] = {"LIVE",           "LAPSED",    "SPENT_BY_THIS",
                                             "SPENT_BY_OTHER", "CANCELLED", "EXPIRED_UNUSED",
                                             "NOT_PROVABLE"};
constexpr absl::string_view kDeliveries[] = {"UNOBSERVED", "WITHHELD", "SENT", "ACKNOWLEDGED"};
constexpr absl::string_view kLabels[] = {"CLOSED",
                                         "CONFLICT",
                                         "PAID",
                                         "PAID_UNDELIVERED",
                                         "PAID_DELIVERY_UNKNOWN",
                                         "PAID_RUN_DUE",
                                         "PAID_NOT_RUN",
                                         "PAID_RUN_OPEN",
                                         "HELD",
                                         "RAN_UNPAID",
                                         "RAN_OPEN",
                                         "FAILED_OPEN",
                                         "NOT_RUN_OPEN",
                                         "TOOL_FAILED",
                                         "NONCE_CONSUMED",
                                         "REFUSED",
                                         "EXPIRED",
                                         "RETURNED",
                                         "UNPAID_RUN_UNKNOWN",
                                         "RUN_UNKNOWN",
                                         "IN_DOUBT",
                                         "RUNNING",
                                         "VERIFIED",
                                         "PRESENTED",
                                         "CHALLENGED"};
static_assert(std::size(kLabels) == kLabelCount);
constexpr absl::string_view kAdvices[] = {"NONE",
                                          "PAY",
                                          "WAIT",
                                          "FETCH_RESULT",
                                          "SEND_AGAIN",
                                          "RUN",
                                          "REFUND_OR_RUN",
                                          "CLAIM_REFUND_OR_RUN",
                                          "ASK_COUNTERPARTY",
                                          "ASK_OPERATOR",
                                          "CAPTURE_OR_VOID",
                                          "SETTLE_SAME_PAYLOAD",
                                          "INVOICE_OR_WRITE_OFF",
                                          "DO_NOT_CALL_AGAIN",
                                          "LOOK_UP_NONCE",
                                          "REPRESENT_SAME_AUTHORIZATION",
                                          "RESIGN_SAME_SLOT"};
constexpr absl::string_view kAnomalies[] = {"EXECUTED_TWICE",
                                            "EXECUTED_UNVERIFIED",
                                            "DUPLICATE_SETTLEMENT",
                                            "AMOUNT_MISMATCH",
                                            "PAYEE_MISMATCH",
                                            "ASSET_MISMATCH",
                                            "NETWORK_MISMATCH",
                                            "PAYER_MISMATCH",
                                            "RESOURCE_MISMATCH",
                                            "SETTLED_OVER_AUTHORISED",
                                            "AUTHORIZATION_REUSED",
                                            "SERVED_UNPAID",
                                            "SERVED_BEFORE_SETTLED",
                                            "RECEIPT_WITHOUT_SETTLEMENT",
                                            "ANSWER_EXTRACTABLE_AS_PAYABLE",
                                            "PAYMENT_UNREADABLE",
                                            "DOORS_DISAGREE",
                                            "PAYMENT_IN_ARGUMENTS",
                                            "TASK_WORKING_AFTER_PREFLIGHT",
                                            "TASK_ENDED_TWICE",
                                            "UNPROVEN_PRESENTATION",
                                            "REPLAYED_ELSEWHERE",
                                            "LATE_EVIDENCE",
                                            "VERIFIER_DISAGREES",
                                            "DUPLICATE_KEYS"};
constexpr absl::string_view kWords[] = {"NOBODY",      "CLOCK",          "RECORDER", "COUNTERPARTY",
                                        "FACILITATOR", "OWN_CHECK",      "OPERATOR", "CHAIN_SEEN",
                                        "CHAIN_SAFE",  "CHAIN_FINALISED"};
template <typename E, std::size_t N>
absl::string_view At(const absl::string_view (&names)[N], E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : absl::string_view("UNKNOWN_VALUE");
}

}  // namespace

absl::string_view NameOf(Presentation value) { return At(kPresentations, value); }
absl::string_view NameOf(Execution value) { return At(kExecutions, value); }
absl::string_view NameOf(Settlement value) { return At(kSettlements, value); }
absl::string_view NameOf(Liveness value) { return At(kLivenesses, value); }
absl::string_view NameOf(Delivery value) { return At(kDeliveries, value); }
absl::string_view NameOf(Label value) { return At(kLabels, value); }
absl::string_view NameOf(Advice value) { return At(kAdvices, value); }
absl::string_view NameOf(Anomaly value) { return At(kAnomalies, value); }
absl::string_view NameOf(Word value) { return At(kWords, value); }

std::optional<Label> LabelFromName(absl::string_view name) {
  const auto* found = std::find(std::begin(kLabels), std::end(kLabels), name);
  if (found == std::end(kLabels)) return std::nullopt;
  return static_cast<Label>(found - std::begin(kLabels));
}

}  // namespace tally::settlement
