// What bodies, envelopes and answers are made of: calls, resources, offers, terms, readings,
// subjects.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ledger/protocol/field_reader.h"
#include "ledger/settlement/event.h"
#include "ledger/types/ids.h"
#include "tallystick/v1/types.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;

inline constexpr std::size_t kOffersMax = 100;
inline constexpr std::size_t kNamesMax = 100;

// A protobuf string that is not UTF-8 can be written but not read again, so what is not becomes
// U+FFFD; the raw document holds the bytes as seen.
void Put(absl::string_view text, std::string* out);
void PutAll(const std::vector<std::string>& texts,
            google::protobuf::RepeatedPtrField<std::string>* out);

void ToProto(const CallId& in, v1::CallId* out);
void ToProto(const Resource& in, v1::Resource* out);
void ToProto(const settlement::Subject& in, v1::Subject* out);
void ToProto(const settlement::Observes& in, v1::Observes* out);
void ToProto(const settlement::RawDocument& in, v1::RawDocument* out);
void ToProto(const settlement::Offer& in, v1::Offer* out);
void ToProto(const settlement::Terms& in, v1::Terms* out);
void ToProto(const settlement::SettleReading& in, v1::SettleReading* out);

void Read(FieldReader& reader, const v1::CallId& in, CallId& out);
void Read(FieldReader& reader, const v1::Resource& in, Resource& out);
// FIELD_MISSING when none of the kinds is set.
void Read(FieldReader& reader, const v1::Subject& in, settlement::Subject& out);
void Read(FieldReader& reader, const v1::Observes& in, settlement::Observes& out);
// In requests digest and length are computed from the content where there is one, and a content
// over 64 KiB is dropped.
void Read(FieldReader& reader, const v1::RawDocument& in, settlement::RawDocument& out);
void Read(FieldReader& reader, const v1::Offer& in, settlement::Offer& out);
void Read(FieldReader& reader, const v1::Terms& in, settlement::Terms& out);
void Read(FieldReader& reader, const v1::SettleReading& in, settlement::SettleReading& out);
void ReadAll(FieldReader& reader, absl::string_view field,
             const google::protobuf::RepeatedPtrField<std::string>& in,
             std::vector<std::string>& out);

// AddressRule on an EVM network, IdRule elsewhere.
TextRule AccountRule(absl::string_view network);

}  // namespace tally::protocol
