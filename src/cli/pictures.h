// The pictures that flags name: image files, and pages of documents.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Each of `names` is a PNG or JPEG file, or FILE#N: page N, from 1, of a document that the program
// reads, drawn at kPageDpi. In their order. Throws Error naming the file and what is wrong.
std::vector<Image> read_pictures(const std::vector<std::string>& names,
                                 const settings::Settings& settings);

// Fine enough for small print, and what published code for page retrieval draws at (M3DocRAG,
// MDocAgent, MoLoRAG).
inline constexpr double kPageDpi = 144;

}  // namespace fineprint::cli
