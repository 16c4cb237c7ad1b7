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

}  // namespace fineprint::docmap
