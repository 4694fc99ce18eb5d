#include "ledger/x402/payment_required.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ledger/base/status_macros.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/schema.h"

namespace tally::x402 {
namespace {

constexpr Field kEntryV1[] = {
    {"scheme", Rule::kNonEmpty},
    {"network", Rule::kNonEmpty},
    {"maxAmountRequired", Rule::kNonEmpty},
    {"resource", Rule::kNonEmpty},
    {"description", Rule::kString},
    {"mimeType", Rule::kStringOptional},
    {"outputSchema", Rule::kObjectNullish},
    {"payTo", Rule::kNonEmpty},
    {"maxTimeoutSeconds", Rule::kPositive},
    {"asset", Rule::kNonEmpty},
    {"extra", Rule::kObjectNullish},
};
constexpr Field kEntryV2[] = {
    {"scheme", Rule::kNonEmpty},     {"network", Rule::kNetworkV2},
    {"amount", Rule::kNonEmpty},     {"asset", Rule::kNonEmpty},
    {"payTo", Rule::kNonEmpty},      {"maxTimeoutSeconds", Rule::kPositive},
    {"extra", Rule::kObjectNullish},
};
constexpr Field kResource[] = {
    {"url", Rule::kNonEmpty},           {"description", Rule::kStringNullish},
    {"mimeType", Rule::kStringNullish}, {"serviceName", Rule::kLabelNullish},
    {"tags", Rule::kLabelsNullish},     {"iconUrl", Rule::kIconUrlNullish},
};
constexpr Field kRootV1[] = {{"error", Rule::kStringOptional}};
constexpr Field kRootV2[] = {{"error", Rule::kStringNullish}, {"extensions", Rule::kObjectNullish}};

absl::Status CheckAccepts(const json::Value& value, absl::Span<const Field> fields) {
  const json::Array* accepts = ArrayAt(value, "accepts");
  if (accepts == nullptr || accepts->empty()) {
    return Malformed("accepts", value.Find("accepts"), "an array with at least one entry",
                     kSchemaCondition);
  }
  for (std::size_t i = 0; i < accepts->size(); ++i) {
    const json::Value& entry = (*accepts)[i];
    const std::string path = absl::StrCat("accepts[", i, "]");
    if (entry.object() == nullptr) return Malformed(path, &entry, "an object", kSchemaCondition);
    TALLY_RETURN_IF_ERROR(CheckFields(entry, absl::StrCat(path, "."), fields));
  }
  return absl::OkStatus();
}

// 1, 2, or 0 for anything else; `2.0` is 2 to JavaScript, "2" is not.
int VersionOf(const json::Value& value) {
  const json::Value* version = value.Find("x402Version");
  if (version == nullptr || version->number() == nullptr) return 0;
  const std::int64_t number = version->number()->AsInteger().value_or(0);
  return number == 1 || number == 2 ? static_cast<int>(number) : 0;
}

absl::Status CheckSchema(const json::Value& value) {
  if (value.object() == nullptr)
    return Malformed("challenge", &value, "an object", kSchemaCondition);
  const int version = VersionOf(value);
  if (version == 0) {
    return Malformed("x402Version", value.Find("x402Version"), "the number 1 or 2",
                     kSchemaCondition);
  }
  if (version == 1) {
    TALLY_RETURN_IF_ERROR(CheckFields(value, "", kRootV1));
    return CheckAccepts(value, kEntryV1);
  }
  TALLY_RETURN_IF_ERROR(CheckFields(value, "", kRootV2));
  const json::Value* resource = value.Find("resource");
  if (resource == nullptr || resource->object() == nullptr) {
    return Malformed("resource", resource, "an object with a url", kSchemaCondition);
  }
  TALLY_RETURN_IF_ERROR(CheckFields(*resource, "resource.", kResource));
  return CheckAccepts(value, kEntryV2);
}

std::string ResourceUrlOf(const json::Value& value) {
  const json::Value* resource = value.Find("resource");
  const std::string* url = resource == nullptr ? nullptr : resource->FindString("url");
  if (url != nullptr) return *url;
  // V1 names the resource in each entry.
  const json::Array* accepts = ArrayAt(value, "accepts");
  if (accepts == nullptr || accepts->empty()) return "";
  url = accepts->front().FindString("resource");
  return url == nullptr ? std::string() : *url;
}

}  // namespace

PaymentRequired TermsOf(const json::Value& value) {
  PaymentRequired out;
  if (const int version = VersionOf(value); version != 0) out.version = version;
  if (const std::string* error = value.FindString("error"); error != nullptr) out.error = *error;
  out.resource_url = ResourceUrlOf(value);
  if (const json::Array* accepts = ArrayAt(value, "accepts"); accepts != nullptr) {
    for (const json::Value& entry : *accepts) out.accepts.push_back(ReadRequirements(entry));
  }
  out.challenge_id = ChallengeIdOf(value);
  out.purchase_id = PaymentIdentifierOf(value);
  return out;
}

absl::StatusOr<PaymentRequired> ReadPaymentRequired(const json::Value& value) {
  TALLY_RETURN_IF_ERROR(CheckSchema(value));
  return TermsOf(value);
}

}  // namespace tally::x402
