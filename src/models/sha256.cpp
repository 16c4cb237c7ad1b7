// SHA-256 over bytes in memory, by OpenSSL.
#include "fineprint/models/sha256.h"

#include <array>

#include <openssl/evp.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {

std::string sha256(std::span<const std::uint8_t> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorCode::internal, "OpenSSL does not provide SHA-256");
  }
  std::string digits;
  for (const unsigned char byte : std::span(digest).first(size)) digits += format("{:02x}", byte);
  return digits;
}

}  // namespace fineprint::models
