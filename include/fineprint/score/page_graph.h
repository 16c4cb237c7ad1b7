// The page graph of a document: which pages resemble each other.
// Source: MoLoRAG, section 3.2, with the readings of its published code.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::score {

// How similar two pages are. mean_cosine: the cosine of their mean vectors. max_sim: the MaxSim of
// each page as query of the other, divided by the page's MaxSim with itself, averaged over both.
// mean_dot: the inner product of their mean vectors, which are not scaled to length 1, so that it
// is the mean product over all pairs of vectors; equation <E_i, E_j> of MoLoRAG taken literally.
// Stores keep the numbers of these values.
enum class GraphSimilarity { mean_cosine, max_sim, mean_dot };

// Returns the names by which options and errors call them.
const OptionNames<GraphSimilarity>& graph_similarity_names();
// Returns the name of one of them.
std::string_view name_of(GraphSimilarity similarity);

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
