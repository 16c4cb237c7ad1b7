// SHA-256, by which a golden case names weights that it does not carry.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fineprint::models {

// 64 lower-case hexadecimal digits. Throws Error(internal) when OpenSSL has no SHA-256.
// Source: NIST, FIPS 180-4 (2015), section 6.2.
std::string sha256(std::span<const std::uint8_t> bytes);

}  // namespace fineprint::models
