// Encodes three bytes at a time into four base64 digits.
#include "fineprint/core/base64.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fineprint {

void append_base64(std::span<const std::uint8_t> bytes, std::string* out) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out->reserve(out->size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    // Missing bytes of the last group count as 0; the loop below replaces their digits by '='.
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) {
      *out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
}

}  // namespace fineprint
