// What MoLoRAG leaves open, where its code differs, and the ablations of its evaluation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/page_links.h"

namespace fineprint::pipelines::molorag {

// Which graph is walked.
struct GraphChoice {
  std::string set = {};                  // the vector set that it lies over; empty: see graph_set
  std::optional<int> links = {};         // as `index --graph-knn` made it; absent: any
  std::optional<double> threshold = {};  // as `index --graph-theta` made it; absent: any
};

struct Ablations {
  bool logic_only = false, all_pages = false, no_logic = false;
};

struct Options {
  std::vector<std::string> start_scorers = {"late"};  // as a scorer of others; else --scorer
  int beam = 3, hops = 4;                             // w and n
  double semantic_weight = 0.5;                       // a
  double keep_from = 0;                               // pages of a lower combined score are dropped
  bool fill = true;
  bool soft_relevance = false;
  GraphChoice graph = {};
  Ablations ablations = {};
};

const OptionTable<Options>& option_table();
// The graph over the set that is named, else over that of the first scorer of page images, else
// over "late"; where the store has no such vectors and others may stand in for them, over "text".
session::PageLinks page_links(const session::Session& session, const GraphChoice& graph,
                              const retrieve::SearchOptions& search);
// What the walk of a search begins with: its pages, all by start_scorers.
retrieve::SearchOptions start_search(const PipelineOptions& options);
// Throws Error(usage) for ways of cutting the ranking that a walk has no use for, and, when it
// walks, Error(store) for a store without the graph.
void check(const session::Session& session, const PipelineOptions& options);
// The same of the walk of a search, whose ranking may be cut in any way; and what the scorers of
// its start, and the generator, throw.
void check_finding(const session::Session& session, const PipelineOptions& options);

}  // namespace fineprint::pipelines::molorag
