// What the hybrid mask does with single pages, for explanations.
#pragma once

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

// By the exact vectors where they are kept. For sets of many vectors the sums over the question's
// vectors, each with its best row, and the means of the shares. nullopt for a page without vectors.
std::optional<MaskParts> mask_parts(const PageSearch& search, std::uint32_t page);

}  // namespace fineprint::retrieve
