// Encodes bytes as base64 text, and decodes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint {

// Appends the bytes to `out` in base64, with padding and without line breaks. For example, the
// bytes of "ab" become "YWI=". Source: RFC 4648, section 4.
void append_base64(std::span<const std::uint8_t> bytes, std::string* out);

// Returns the bytes that `text` encodes, with or without padding. Returns nullopt if it holds any
// other character than the 64 digits and padding at its end, or ends within a byte.
std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

}  // namespace fineprint
