// The byte alphabet as two small tables.
#include "tokenizer/byte_alphabet.h"

#include <array>

#include "fineprint/core/unicode.h"

namespace fineprint::tokenizer {
namespace {

struct Tables {
  std::array<char32_t, 256> characters{};
  std::array<int, 512> bytes{};  // the byte of each character below U+0200; -1 if none

  Tables() {
    bytes.fill(-1);
    char32_t next = 256;
    for (int byte = 0; byte < 256; ++byte) {
      // Soft hyphen (0xAD) is not printable, so it is not in the ranges.
      const bool is_printable =
          (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      const char32_t c = is_printable ? static_cast<char32_t>(byte) : next++;
      characters[static_cast<std::size_t>(byte)] = c;
      bytes[c] = byte;
    }
  }
};

const Tables& tables() {
  static const Tables kTables;
  return kTables;
}

}  // namespace

char32_t character_of_byte(unsigned char byte) { return tables().characters[byte]; }

std::string bytes_of_token(std::string_view token) {
  std::string out;
  for (std::size_t at = 0; at < token.size();) {
    const char32_t c = next_code_point(token, &at);
    const int byte = c < tables().bytes.size() ? tables().bytes[c] : -1;
    if (byte < 0) return std::string(token);
    out.push_back(static_cast<char>(byte));
  }
  return out;
}

}  // namespace fineprint::tokenizer
