// The printable characters that stand for the 256 bytes in byte-level vocabularies.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::tokenizer {

// The character for a byte. Source: GPT-2's encoder: printable Latin-1 stands for itself, the
// rest takes U+0100 upward in order.
char32_t character_of_byte(unsigned char byte);

// The bytes that a token's characters stand for; the token itself when one of them stands for none.
std::string bytes_of_token(std::string_view token);

}  // namespace fineprint::tokenizer
