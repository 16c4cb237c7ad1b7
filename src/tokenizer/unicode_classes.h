// Character classes as in the reference library, whose tables come from several versions of
// Unicode.
#pragma once

#include <cstdint>

namespace fineprint::tokenizer {

// The reference library takes categories from Unicode 8 where it cleans text and finds punctuation,
// and decompositions from Unicode 9. Later characters have no special properties there.
constexpr int kCategoryVersion = 8;
constexpr int kDecompositionVersion = 9;

// Returns true if the character was assigned in that version of Unicode.
bool is_known_to(int version, char32_t c);

// Returns the category of Unicode 8 as one bit (ICU's U_GC_*_MASK); 0 for later characters.
std::uint32_t category_mask(char32_t c);

// Returns true for ASCII punctuation and symbols, and for punctuation of Unicode 8.
bool is_punctuation(char32_t c);

// Returns true for Mn, Mc and Me of Unicode 9.
bool is_combining_mark(char32_t c);

// Returns true for what \w matches in Rust's and Oniguruma's expressions: letters, marks, decimal
// digits and connectors.
bool is_word_character(char32_t c);

// Returns true for any kind of number: digits, letter numbers and fractions.
bool is_numeric(char32_t c);

}  // namespace fineprint::tokenizer
