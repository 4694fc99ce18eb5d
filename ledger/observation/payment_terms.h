// What x402 read of a payment, as events hold it.
#pragma once

#include "ledger/settlement/event.h"
#include "ledger/x402/documents.h"

namespace tally::observation {

settlement::Offer OfferOf(const x402::Requirements& requirements);
settlement::Terms TermsOf(const x402::Payment& payment);
// Terms, accepted entry and what the buyer echoed.
void FillFrom(const x402::Payment& payment, settlement::PaymentPresented& out);

}  // namespace tally::observation
