// Internal to service: what a key finds.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/service/answers.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::service {

// The one subject the key means within the cut. A challenge that a settlement answers is that
// settlement. Of several settlements those with standing are meant: anyone can file junk under
// another's alias. FIELD_MISSING, FIELD_MALFORMED, LIMIT_EXCEEDED, DOCUMENT_MALFORMED,
// NOT_RECORDED, ALIAS_AMBIGUOUS (metadata "hits": keys, separated by blanks).
absl::StatusOr<settlement::Subject> Resolve(const Answers& answers, const v1::SettlementKey& key);

}  // namespace tally::service
