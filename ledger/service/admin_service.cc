#include "ledger/service/admin_service.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/service/checks.h"
#include "ledger/service/ledgers.h"
#include "ledger/types/ids.h"

namespace tally::service {
namespace {

constexpr std::size_t kEndpointNamesMax = 100;
constexpr std::size_t kEndpointBytesMax = 2048;

absl::Status CheckName(const std::string& name) {
  constexpr absl::string_view kWanted = "[a-z0-9][a-z0-9_-]{0,62}";
  if (name.empty()) return MissingField("name", kWanted);
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  bool is_name = name.size() <= 63 && is_plain(name.front());
  for (const char c : name) is_name = is_name && (is_plain(c) || c == '_' || c == '-');
  return is_name ? absl::OkStatus() : FieldError("name", name, kWanted);
}

absl::StatusOr<store::Ledger> LedgerOf(const v1::CreateLedgerRequest& request) {
  store::Ledger out;
  TALLY_RETURN_IF_ERROR(CheckName(request.name()));
  TALLY_RETURN_IF_ERROR(CheckId("request_id", request.request_id(), false));
  out.name = request.name();
  const auto role = protocol::FromProto<settlement::LedgerRole>(request.role());
  if (!role.has_value()) return UnspecifiedEnum("role", request.role());
  out.role = *role;
  const auto count = static_cast<std::size_t>(request.endpoint_names().size());
  if (count > kEndpointNamesMax) {
    return OverLimit("endpoint_names", count, kEndpointNamesMax, "names");
  }
  for (const auto& [name, endpoint] : request.endpoint_names()) {
    if (name.empty() || endpoint.empty()) {
      return MissingField("endpoint_names", "names and endpoints that are not empty");
    }
    if (name.size() > kEndpointBytesMax || endpoint.size() > kEndpointBytesMax) {
      return OverLimit("endpoint_names", std::max(name.size(), endpoint.size()), kEndpointBytesMax,
                       "bytes");
    }
    out.endpoint_names[NormalizeEndpoint(name)] = NormalizeEndpoint(endpoint);
  }
  return out;
}

void ToProto(const store::Ledger& in, v1::Ledger* out) {
  out->set_name(in.name);
  out->set_role(protocol::ToProto(in.role));
  for (const auto& [name, endpoint] : in.endpoint_names) {
    (*out->mutable_endpoint_names())[name] = endpoint;
  }
  protocol::ToProto(in.created_time, out->mutable_created_time());
  out->set_last_position(in.last_position);
}

}  // namespace

absl::StatusOr<v1::CreateLedgerResponse> AdminService::CreateLedger(
    const v1::CreateLedgerRequest& request) {
  TALLY_ASSIGN_OR_RETURN(const store::Ledger wanted, LedgerOf(request));
  bool is_created = false;
  TALLY_ASSIGN_OR_RETURN(const store::Ledger ledger, store_.CreateLedger(wanted, &is_created));
  v1::CreateLedgerResponse response;
  ToProto(ledger, response.mutable_ledger());
  response.set_is_created(is_created);
  return response;
}

absl::StatusOr<v1::GetLedgerResponse> AdminService::GetLedger(const v1::GetLedgerRequest& request) {
  TALLY_ASSIGN_OR_RETURN(const store::Ledger ledger, FindLedger(store_, request.name()));
  v1::GetLedgerResponse response;
  ToProto(ledger, response.mutable_ledger());
  return response;
}

absl::StatusOr<v1::ListLedgersResponse> AdminService::ListLedgers(
    const v1::ListLedgersRequest& /*request*/) {
  TALLY_ASSIGN_OR_RETURN(const std::vector<store::Ledger> ledgers, store_.ListLedgers());
  v1::ListLedgersResponse response;
  for (const store::Ledger& ledger : ledgers) ToProto(ledger, response.add_ledgers());
  return response;
}

absl::StatusOr<v1::BackupResponse> AdminService::Backup(const v1::BackupRequest& request) {
  constexpr absl::string_view kWanted = "the absolute path of a new file";
  if (request.path().empty()) return MissingField("path", kWanted);
  if (request.path().front() != '/') return FieldError("path", request.path(), kWanted);
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::symlink_status(request.path(), failed))) {
    return FieldError("path", request.path(), "the path of a new file: this one is there already");
  }
  // What was there before the copy began is in it for certain.
  TALLY_ASSIGN_OR_RETURN(const std::vector<store::Ledger> ledgers, store_.ListLedgers());
  TALLY_RETURN_IF_ERROR(store_.Backup(request.path()));
  v1::BackupResponse response;
  const std::uintmax_t bytes = std::filesystem::file_size(request.path(), failed);
  if (!failed) response.set_bytes(static_cast<std::int64_t>(bytes));
  std::int64_t events = 0;
  for (const store::Ledger& ledger : ledgers) events += ledger.last_position;
  response.set_events(events);
  return response;
}

}  // namespace tally::service
