// Feeds any bytes to the decoding of texts: what it returns must be UTF-8, and a text that is UTF-8
// already and declares nothing else must stay as it is. Before the first zero byte is the name of
// the declared encoding.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "fineprint/core/encoding.h"
#include "fineprint/core/unicode.h"

namespace {

void require_utf8(const std::string& text) {
  if (fineprint::valid_utf8(text) != text) std::abort();
}

// Zero bytes are signs of UTF-16, and escapes of ISO-2022.
bool is_utf8_beyond_ascii(std::string_view bytes) {
  if (bytes.find('\0') != bytes.npos || bytes.find('\x1b') != bytes.npos) return false;
  const bool is_ascii =
      std::ranges::all_of(bytes, [](char c) { return static_cast<signed char>(c) >= 0; });
  return !is_ascii && fineprint::valid_utf8(bytes) == bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = std::min(input.find('\0'), size);
  const std::string_view declared = input.substr(0, zero);
  const std::string_view bytes = input.substr(std::min(zero + 1, size));
  if (const std::optional<std::string> text = fineprint::decode_text(bytes, declared)) {
    require_utf8(*text);
    // What is UTF-8 and more than ASCII is no other text.
    std::string_view plain = bytes;
    if (plain.starts_with("\xef\xbb\xbf")) plain.remove_prefix(3);
    const bool is_declared = fineprint::is_known_encoding(declared);
    if (!is_declared && is_utf8_beyond_ascii(plain) && *text != plain) std::abort();
  }
  const std::optional<std::string> certain = fineprint::decode_as(bytes, declared);
  if (certain.has_value() != fineprint::is_known_encoding(declared)) std::abort();
  if (certain) require_utf8(*certain);
  const std::string named = fineprint::declared_encoding(bytes);
  const std::string changed = fineprint::declared_as_utf8(std::string(bytes));
  if (named.empty() && changed != bytes) std::abort();
  return 0;
}
