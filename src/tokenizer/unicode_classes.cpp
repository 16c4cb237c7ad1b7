// Character classes from ICU, limited to the Unicode version of the reference library's tables.
#include "tokenizer/unicode_classes.h"

#include <unicode/uchar.h>

#include "fineprint/core/unicode.h"

namespace fineprint::tokenizer {

bool is_known_to(int version, char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  // An age of 0 means that the character is unassigned.
  return age[0] <= version && age[0] != 0;
}

std::uint32_t category_mask(char32_t c) {
  switch (c) {  // characters whose category has changed since Unicode 8
    case 0x166D:
    case 0x111C9:
      return U_GC_PO_MASK;
    case 0x1734:
      return U_GC_MN_MASK;
    case 0x1885:
    case 0x1886:
      return U_GC_LO_MASK;
    case 0xA9BD:
      return U_GC_MC_MASK;
    default:
      break;
  }
  return is_known_to(kCategoryVersion, c) ? U_GET_GC_MASK(static_cast<UChar32>(c)) : 0;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7F && !is_letter(c) && !is_digit(c);
  return (category_mask(c) & U_GC_P_MASK) != 0;
}

bool is_combining_mark(char32_t c) {
  if (c < 0x300 || c == 0x111C9) return false;  // U+111C9 became a mark later
  return is_known_to(kDecompositionVersion, c) &&
         (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_M_MASK) != 0;
}

// Not limited to an old version of Unicode, unlike the classes above: expressions use current
// tables.
bool is_word_character(char32_t c) {
  if (c < 0x80) return is_letter(c) || is_digit(c) || c == '_';
  constexpr std::uint32_t kWord = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
  const auto code = static_cast<UChar32>(c);
  return (U_GET_GC_MASK(code) & kWord) != 0 || u_hasBinaryProperty(code, UCHAR_ALPHABETIC) != 0 ||
         u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL) != 0;
}

bool is_numeric(char32_t c) {
  if (c < 0x80) return is_digit(c);
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_N_MASK) != 0;
}

}  // namespace fineprint::tokenizer
