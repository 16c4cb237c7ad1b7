// The page graph of a document: which pages resemble each other.
// Source: MoLoRAG, section 3.2, with the readings of its published code.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/score/max_sim.h"

namespace fineprint::score {

// How similar two pages are. mean_cosine: the cosine of their mean vectors. max_sim: the MaxSim of
// each page as query of the other, divided by the page's MaxSim with itself, averaged over both.
enum class GraphSimilarity { mean_cosine, max_sim };

// The settings of a page graph.
struct GraphOptions {
  GraphSimilarity similarity = GraphSimilarity::mean_cosine;
  int neighbours = 5;      // each page names this many most similar pages; 0: all
  double threshold = 0.8;  // a named page is at least this similar
  int smallest = 4;        // documents with fewer pages get no edges
  bool operator==(const GraphOptions&) const = default;
};

// Returns, for each page, the pages that it names or that name it, ascending, as indices into
// `pages`. So the graph is symmetric.
using PageGraph = std::vector<std::vector<std::uint32_t>>;
PageGraph page_graph(const VectorBags& pages, const GraphOptions& options);

}  // namespace fineprint::score
