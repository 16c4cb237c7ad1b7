// Where a map leads from pages that did not suffice.
// Source: DMAP, section 3.3.2, and its code.
#pragma once

#include <span>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::pipelines::dmap {

struct ExpansionLimits {
  int nearest = 4;  // pages that a section adds around a seed
  int pages = 10;   // in all
};

// Pages around the seeds that are not among `shown`, ascending. Around each seed: of the deepest
// sections that it is in the nearest pages, then of their parents, and so on up; of a seed in no
// section the pages before and behind it. Over the limit those of deeper sections stay, then those
// nearer to their seed, then those of the earlier seed, then the lower ones. Numbers are from 1.
std::vector<int> expansion(const docmap::DocumentMap& map, std::span<const int> seeds,
                           std::span<const int> shown, const ExpansionLimits& limits);

}  // namespace fineprint::pipelines::dmap
