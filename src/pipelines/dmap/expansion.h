// Finds the pages to add when the located pages did not suffice.
// Source: DMAP, section 3.3.2, and its code.
#pragma once

#include <span>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::pipelines::dmap {

// Limits of one expansion.
struct ExpansionLimits {
  int nearest = 4;  // pages that each section adds around a seed
  int pages = 10;   // pages in all
};

// Returns pages around the seeds that are not among `shown`, ascending. Around each seed it takes
// the nearest pages of the deepest sections that contain the seed, then of their parents, and so on
// up; for a seed in no section, the pages before and after it. Over the limit, pages of deeper
// sections stay first, then pages nearer to their seed, then those of the earlier seed, then the
// lower ones. Page numbers are from 1.
std::vector<int> expansion(const docmap::DocumentMap& map, std::span<const int> seeds,
                           std::span<const int> shown, const ExpansionLimits& limits);

}  // namespace fineprint::pipelines::dmap
