// Parses what a caption says about its figure or table.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

// The parts of a caption.
struct CaptionParts {
  std::string name;  // "Figure 3" for "FIG. III: Catches"; empty without a number
  std::string text;  // the text after the number
  MappedKind kind = MappedKind::figure;
};

// Splits a caption. `kind` is what the page's layout found; the caption's word overrides it if it
// has one.
CaptionParts caption_parts(std::string_view caption, MappedKind kind);

// Returns "4" for "IV". All else is unchanged, including "C" and "L", which letter exhibits and
// figures.
std::string arabic_number(const std::string& number);
// Returns the word without ".:,;)-" at its end.
std::string without_last_signs(std::string_view word);

}  // namespace fineprint::docmap
