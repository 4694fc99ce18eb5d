#include "ledger/crypto/sha256.h"

#include <openssl/evp.h>

#include <cstdlib>
#include <memory>

#include "ledger/base/encoding.h"

namespace tally::crypto {
namespace {

constexpr std::size_t kDigestBytes = 32;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// Looking the algorithm up on every call would take a lock and most of the time of a short hash.
// Never freed, as threads may outlive main.
const EVP_MD* Algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

}  // namespace

std::string Sha256(absl::string_view bytes) {
  thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  std::string digest(kDigestBytes, '\0');
  unsigned size = 0;
  // OpenSSL fails here only without memory or without its own provider; no id could be right then.
  if (context == nullptr || Algorithm() == nullptr ||
      EVP_DigestInit_ex2(context.get(), Algorithm(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(digest.data()), &size) !=
          1 ||
      size != kDigestBytes) {
    std::abort();
  }
  return digest;
}

std::string Sha256Hex(absl::string_view bytes) { return HexEncode(Sha256(bytes)); }

}  // namespace tally::crypto
