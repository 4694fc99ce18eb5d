#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/answer_enums.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/service/book.h"
#include "ledger/service/checks.h"
#include "ledger/service/ledgers.h"
#include "ledger/settlement/decide.h"

namespace tally::service {
namespace {

constexpr absl::Duration kLeaseMax = absl::Hours(24);
// Other payments of one slot that are looked at; nobody honest signs one nonce that often.
constexpr std::size_t kSlotSiblingsMax = 20;

using Outcome = std::variant<settlement::ClaimGranted, settlement::ClaimRefused>;

absl::Status ReadPayment(const v1::ClaimExecutionRequest& request,
                         settlement::ClaimExecution& out) {
  if (!request.settlement_id().empty() || request.payment_document().empty()) {
    TALLY_ASSIGN_OR_RETURN(out.settlement,
                           ReadSettlementId("settlement_id", request.settlement_id()));
  }
  if (request.payment_document().empty()) return absl::OkStatus();
  TALLY_ASSIGN_OR_RETURN(const x402::Payment payment,
                         ReadPaymentDocument("payment_document", request.payment_document()));
  if (!out.settlement.is_empty() && out.settlement != payment.id) {
    return Error(Reason::kIdMismatch,
                 absl::StrCat("settlement_id: saw \"", request.settlement_id(),
                              "\", wanted what the payment_document gives, ", payment.id.text()))
        .With("field", "settlement_id")
        .With("seen", request.settlement_id())
        .With("wanted", payment.id.text());
  }
  out.settlement = payment.id;
  out.slot = payment.slot.text;
  out.is_weak = payment.is_weak;
  if (out.purchase_id.empty()) out.purchase_id = payment.payment_identifier;
  return absl::OkStatus();
}

absl::Status ReadLease(const v1::ClaimExecutionRequest& request, absl::Duration& out) {
  if (!request.has_lease()) return absl::OkStatus();
  const absl::Duration lease =
      absl::Seconds(request.lease().seconds()) + absl::Nanoseconds(request.lease().nanos());
  if (lease <= absl::ZeroDuration()) {
    return FieldError("lease", absl::FormatDuration(lease), "more than 0 and at most 24h");
  }
  if (lease > kLeaseMax) {
    return Error(Reason::kLimitExceeded, "lease: longer than 24 hours")
        .With("field", "lease")
        .With("seen", absl::FormatDuration(lease))
        .With("wanted", "at most 24h");
  }
  // Times are kept to the microsecond.
  out = absl::Ceil(lease, absl::Microseconds(1));
  return absl::OkStatus();
}

absl::Status CheckDigest(const std::string& digest) {
  constexpr absl::string_view kWanted = "64 lower-case hex digits";
  if (digest.empty()) return MissingField("arguments_sha256", kWanted);
  const bool is_hex = digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (digest.size() == 64 && is_hex) return absl::OkStatus();
  return FieldError("arguments_sha256", digest, kWanted);
}

absl::StatusOr<settlement::ClaimExecution> ReadClaim(const v1::ClaimExecutionRequest& request,
                                                     const store::Ledger& ledger,
                                                     const std::string& caller) {
  settlement::ClaimExecution out;
  out.caller = caller;
  TALLY_RETURN_IF_ERROR(CheckId("request_id", request.request_id(), true));
  TALLY_RETURN_IF_ERROR(CheckId("purchase_id", request.purchase_id(), false));
  TALLY_RETURN_IF_ERROR(CheckId("resource.tool", request.resource().tool(), true));
  TALLY_RETURN_IF_ERROR(CheckDigest(request.arguments_sha256()));
  TALLY_RETURN_IF_ERROR(ReadLease(request, out.lease));
  out.purchase_id = request.purchase_id();
  TALLY_RETURN_IF_ERROR(ReadPayment(request, out));
  if (!request.resource().endpoint().empty()) {
    out.resource.endpoint = EndpointIn(ledger, request.resource().endpoint());
  }
  out.resource.tool = request.resource().tool();
  out.arguments_sha256 = request.arguments_sha256();
  out.request_id = request.request_id();
  out.is_tool_idempotent = request.is_tool_idempotent();
  out.is_operator_override = request.is_operator_override();
  return out;
}

struct Writing {
  v1::ClaimExecutionResponse& out;
  void operator()(const settlement::ClaimGranted& granted) const {
    v1::ClaimGranted* to = out.mutable_granted();
    to->set_execution_id(granted.execution_id);
    to->set_fence(granted.fence);
    protocol::ToProto(granted.lease_until, to->mutable_lease_until());
    to->set_is_replayed(granted.is_replayed);
  }
  void operator()(const settlement::ClaimRefused& refused) const {
    v1::ClaimRefused* to = out.mutable_refused();
    to->set_refusal(protocol::ToProto(refused.refusal));
    to->set_reason(refused.reason);
    to->set_holder_execution_id(refused.holder_execution_id);
  }
};

Outcome TooManyInSlot() {
  return settlement::ClaimRefused{
      settlement::ClaimRefusal::kAlreadyGranted,
      "More payments with the same nonce are on file than can be looked at.", ""};
}

// The other settlements of the slot; nullopt when there are too many.
absl::StatusOr<std::optional<std::vector<settlement::State>>> LoadSlotSiblings(
    store::View& view, const std::string& slot, const settlement::Subject& self) {
  std::vector<settlement::State> siblings;
  if (slot.empty()) return std::optional(std::move(siblings));
  TALLY_ASSIGN_OR_RETURN(const std::vector<settlement::Subject> subjects,
                         view.Find({settlement::AliasKind::kSlot, slot}, kSlotSiblingsMax + 2));
  if (subjects.size() > kSlotSiblingsMax + 1) return std::nullopt;
  for (const settlement::Subject& subject : subjects) {
    if (subject == self) continue;
    TALLY_ASSIGN_OR_RETURN(siblings.emplace_back(), view.Load(subject));
  }
  return std::optional(std::move(siblings));
}

// Runs in the decider: between what was written before and what comes after.
absl::StatusOr<Outcome> DecideOn(settlement::ClaimExecution claim, absl::string_view execution_id,
                                 store::View& view, absl::Time now) {
  const settlement::Subject subject = settlement::SubjectOf(claim.settlement);
  TALLY_ASSIGN_OR_RETURN(settlement::State state, view.Load(subject));
  state.subject = subject;
  if (claim.slot.empty()) claim.slot = settlement::SlotOf(state);
  TALLY_ASSIGN_OR_RETURN(const auto siblings, LoadSlotSiblings(view, claim.slot, subject));
  if (!siblings.has_value()) return TooManyInSlot();
  std::vector<const settlement::State*> pointers;
  for (const settlement::State& sibling : *siblings) pointers.push_back(&sibling);
  return settlement::Decide(state, pointers, claim, execution_id, now);
}

}  // namespace

void LedgerService::ClaimExecution(const CallContext& context,
                                   const v1::ClaimExecutionRequest& request,
                                   Done<v1::ClaimExecutionResponse> done) {
  const absl::StatusOr<std::shared_ptr<Book>> book = OpenBook(request.ledger());
  if (!book.ok()) return done(book.status());
  absl::StatusOr<settlement::ClaimExecution> claim =
      ReadClaim(request, (*book)->ledger, context.principal);
  if (!claim.ok()) return done(claim.status());
  v1::ClaimExecutionResponse response;
  response.set_settlement_id(claim->settlement.text());
  // Written by the decider, read after the commit: what is answered is what is on disk.
  const auto outcome = std::make_shared<Outcome>();
  store_.Decide(
      (*book)->ledger.name,
      [claim = *std::move(claim), execution_id = ids_.NewExecutionId(), outcome](
          store::View& view, absl::Time now) -> absl::StatusOr<std::vector<settlement::Event>> {
        TALLY_ASSIGN_OR_RETURN(*outcome, DecideOn(claim, execution_id, view, now));
        const auto* granted = std::get_if<settlement::ClaimGranted>(outcome.get());
        return granted == nullptr ? std::vector<settlement::Event>() : granted->events;
      },
      [response = std::move(response), outcome,
       done = std::move(done)](const absl::StatusOr<std::vector<store::Receipt>>& receipts) {
        if (!receipts.ok()) return done(receipts.status());
        v1::ClaimExecutionResponse answer = response;
        std::visit(Writing{answer}, *outcome);
        done(std::move(answer));
      });
}

}  // namespace tally::service
