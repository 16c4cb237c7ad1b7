// SHA-256, by which a golden case identifies weights that it does not contain, and a record a
// picture.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fineprint::models {

// Returns 64 lower-case hexadecimal digits. Throws Error(internal) if OpenSSL has no SHA-256.
// Source: NIST, FIPS 180-4 (2015), section 6.2.
std::string sha256(std::span<const std::uint8_t> bytes);

}  // namespace fineprint::models
