// Bytes as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fineprint {

// Appends the bytes in base64 with padding, without line ends. Source: RFC 4648, section 4.
void append_base64(std::span<const std::uint8_t> bytes, std::string* out);

}  // namespace fineprint
