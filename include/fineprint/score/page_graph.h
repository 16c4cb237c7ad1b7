// Which pages of a document resemble each other.
// Source: MoLoRAG, section 3.2, with the readings of its published code.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/score/max_sim.h"

namespace fineprint::score {

// mean_cosine: cosine of the pages' mean vectors. max_sim: MaxSim of each page as query of the
// other, both divided by the page's MaxSim with itself, averaged.
enum class GraphSimilarity { mean_cosine, max_sim };

struct GraphOptions {
  GraphSimilarity similarity = GraphSimilarity::mean_cosine;
  int neighbours = 5;      // each page names its most similar ones; 0: all
  double threshold = 0.8;  // of at least this similarity
  int smallest = 4;        // documents with fewer pages get no edges
  bool operator==(const GraphOptions&) const = default;
};

// neighbours[p]: the pages that p names or that name p, ascending, by index into `pages`.
using PageGraph = std::vector<std::vector<std::uint32_t>>;
PageGraph page_graph(const VectorBags& pages, const GraphOptions& options);

}  // namespace fineprint::score
