// The form of pages and quotes in which quotes are looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// Characters without white space, as they are compared.
struct Glyph {
  char32_t c = 0;
  std::uint32_t word = 0;
  bool optional = false;  // a hyphen that may only be there because a line ended
};

std::vector<Glyph> page_glyphs(const Page& page);
std::vector<Glyph> quote_glyphs(std::string_view quote);

// Whether a match may begin or end between glyphs `i - 1` and `i`: not inside a word or number.
bool is_border(const std::vector<Glyph>& glyphs, std::size_t i);

// The glyphs without hyphens behind letters, for comparisons that are not to the letter.
struct QuoteForm {
  std::u32string glyphs;
  std::vector<std::uint32_t> word;   // of each glyph
  std::vector<std::uint8_t> gap;     // whether another word begins with it that no hyphen joins
  std::vector<std::uint8_t> border;  // is_border before each glyph, and at the end; [glyphs + 1]
};
QuoteForm form_of(const std::vector<Glyph>& glyphs);

}  // namespace fineprint::text
