#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ledger/types/ids.h"

namespace tally {
namespace {

struct DefaultPort {
  absl::string_view scheme;
  absl::string_view port;
};
constexpr DefaultPort kDefaultPorts[] = {
    {"http", "80"}, {"https", "443"}, {"ws", "80"}, {"wss", "443"}};

// RFC 3986 section 3.1.
bool IsScheme(absl::string_view text) {
  return !text.empty() && absl::ascii_isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' ||
                  c == '.';
         });
}

// Host in lower case and port where it says something; nullopt when there is no host.
std::optional<std::string> NormalizeAuthority(absl::string_view scheme, absl::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at != absl::string_view::npos) text.remove_prefix(at + 1);

  // The colons inside the brackets of an IPv6 address start no port.
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == absl::string_view::npos ? 0 : bracket);
  const absl::string_view host = text.substr(0, colon);
  if (host.empty()) return std::nullopt;
  absl::string_view port =
      colon == absl::string_view::npos ? absl::string_view() : text.substr(colon + 1);
  if (port.find_first_not_of("0123456789") != absl::string_view::npos) return std::nullopt;
  while (port.size() > 1 && port[0] == '0') port.remove_prefix(1);
  for (const DefaultPort& known : kDefaultPorts) {
    if (known.scheme == scheme && known.port == port) port = {};
  }
  return absl::StrCat(absl::AsciiStrToLower(host), port.empty() ? "" : ":", port);
}

}  // namespace

std::string NormalizeEndpoint(absl::string_view endpoint) {
  const std::size_t separator = endpoint.find("://");
  const bool is_plain = std::none_of(endpoint.begin(), endpoint.end(), [](char c) {
    return absl::ascii_isspace(static_cast<unsigned char>(c)) ||
           absl::ascii_iscntrl(static_cast<unsigned char>(c));
  });
  if (separator == absl::string_view::npos || !is_plain ||
      !IsScheme(endpoint.substr(0, separator))) {
    return std::string(endpoint);
  }
  const std::string scheme = absl::AsciiStrToLower(endpoint.substr(0, separator));
  absl::string_view rest = endpoint.substr(separator + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::optional<std::string> authority = NormalizeAuthority(scheme, rest.substr(0, slash));
  if (!authority.has_value()) return std::string(endpoint);
  absl::string_view path = rest.substr(slash);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return absl::StrCat(scheme, "://", *authority, path);
}

}  // namespace tally
