// The printable characters that represent the 256 bytes in byte-level vocabularies.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::tokenizer {

// Returns the character for a byte. Source: GPT-2's encoder. Printable Latin-1 characters represent
// themselves; the other bytes get U+0100 and up, in order. For example, the blank is "Ġ" (U+0120).
char32_t character_of_byte(unsigned char byte);

// Returns the bytes that a token's characters represent; the token itself if one of them represents
// none.
std::string bytes_of_token(std::string_view token);

}  // namespace fineprint::tokenizer
