// Encodes bytes as base64 text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fineprint {

// Appends the bytes to `out` in base64, with padding and without line breaks. For example, the
// bytes of "ab" become "YWI=". Source: RFC 4648, section 4.
void append_base64(std::span<const std::uint8_t> bytes, std::string* out);

}  // namespace fineprint
