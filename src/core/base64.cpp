// Encodes three bytes at a time into four base64 digits, and decodes these.
#include "fineprint/core/base64.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fineprint {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Returns the value of each character, -1 for all that are no digits.
constexpr std::array<std::int8_t, 256> digit_values() {
  std::array<std::int8_t, 256> values{};
  for (std::int8_t& value : values) value = -1;
  for (std::size_t i = 0; i < kBase64Digits.size(); ++i) {
    values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}

}  // namespace

void append_base64(std::span<const std::uint8_t> bytes, std::string* out) {
  out->reserve(out->size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    // Missing bytes of the last group count as 0; the loop below replaces their digits by '='.
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) {
      *out += k <= count ? kBase64Digits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
}

std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text) {
  static constexpr std::array<std::int8_t, 256> kValues = digit_values();
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;  // six bits are less than a byte
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  int bits = 0;  // of `group` that are not yet in `bytes`
  for (const char c : text) {
    const std::int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::uint8_t>(group >> bits & 255));
  }
  return bytes;
}

}  // namespace fineprint
