// The form of pages and quotes in which quotes are searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// A character as it is compared. White space has no glyphs.
struct Glyph {
  char32_t c = 0;
  std::uint32_t word = 0;  // index of the word that it belongs to
  bool optional = false;   // a hyphen that may exist only because a line ended
};

// Return the glyphs of a page or a quote, folded.
std::vector<Glyph> page_glyphs(const Page& page);
std::vector<Glyph> quote_glyphs(std::string_view quote);

// Returns true if a match may begin or end between glyphs `i - 1` and `i`, that is, not inside a
// word or number.
bool is_border(const std::vector<Glyph>& glyphs, std::size_t i);

// The glyphs without hyphens after letters, for comparisons that allow differences.
struct QuoteForm {
  std::u32string glyphs;
  std::vector<std::uint32_t> word;  // for each glyph, its word
  // 1 if the glyph begins a word that no hyphen joins to the one before.
  std::vector<std::uint8_t> gap;
  std::vector<std::uint8_t> border;  // is_border before each glyph and at the end; [glyphs + 1]
};
// Builds the form.
QuoteForm form_of(const std::vector<Glyph>& glyphs);

}  // namespace fineprint::text
