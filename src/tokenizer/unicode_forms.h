// Unicode's normal forms for texts that know their origins.
#pragma once

#include "tokenizer/normal_text.h"

namespace fineprint::tokenizer {

enum class UnicodeForm { nfc, nfd, nfkc, nfkd };

// Brings the text into a normal form, by the tables of Unicode 9 as the reference library does.
// Where characters are joined or change places, origins are assigned by position, as there.
void bring_into_form(UnicodeForm form, NormalText* text);

// Appends the full decomposition of a character; the character itself if it has none.
void decompose(char32_t c, bool by_compatibility, std::u32string* out);

// Returns the canonical combining class by Unicode 9.
int combining_class(char32_t c);

}  // namespace fineprint::tokenizer
