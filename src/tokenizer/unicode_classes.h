// Classes of characters as the reference library's tables know them, which are of several ages.
#pragma once

#include <cstdint>

namespace fineprint::tokenizer {

// The reference sorts characters into categories by Unicode 8 where it cleans and finds
// punctuation, and decomposes by Unicode 9: later characters are nothing special to it there.
constexpr int kCategoryVersion = 8;
constexpr int kDecompositionVersion = 9;

// Whether the character was assigned in that version of Unicode.
bool is_known_to(int version, char32_t c);

// The category by Unicode 8 as one bit (ICU's U_GC_*_MASK); 0 for later characters.
std::uint32_t category_mask(char32_t c);

// ASCII punctuation and symbols, and what Unicode 8 calls punctuation.
bool is_punctuation(char32_t c);

// Mn, Mc, Me by Unicode 9.
bool is_combining_mark(char32_t c);

// What \w means to Rust's and Oniguruma's expressions: letters, marks, decimal digits, connectors.
bool is_word_character(char32_t c);

// Any kind of number: digits, letter numbers, fractions.
bool is_numeric(char32_t c);

}  // namespace fineprint::tokenizer
