// Unicode's normal forms, with origins.
#pragma once

#include "tokenizer/normal_text.h"

namespace fineprint::tokenizer {

enum class UnicodeForm { nfc, nfd, nfkc, nfkd };

// Brings the text into the form, by the tables of Unicode 9 as the reference does. Where characters
// join or change places, origins are handed out by place, as there.
void bring_into_form(UnicodeForm form, NormalText* text);

// The full decomposition of one character is appended; itself, if it has none.
void decompose(char32_t c, bool by_compatibility, std::u32string* out);

// By Unicode 9.
int combining_class(char32_t c);

}  // namespace fineprint::tokenizer
