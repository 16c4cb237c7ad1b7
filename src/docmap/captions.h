// What a caption says of its figure or table.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

struct CaptionParts {
  std::string name;  // "Figure 3" of "FIG. III: Catches"; empty when it has no number
  std::string text;  // what stands behind the number
  MappedKind kind = MappedKind::figure;
};

// `kind` is what the page's layout found; the caption's word decides where it has one.
CaptionParts caption_parts(std::string_view caption, MappedKind kind);

// "IV" is "4"; all else stays, "C" and "L" too, which letter exhibits and figures.
std::string arabic_number(const std::string& number);
// Without ".:,;)-" at its end.
std::string without_last_signs(std::string_view word);

}  // namespace fineprint::docmap
