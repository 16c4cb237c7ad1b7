// The choices that MoLoRAG leaves open, where its code differs, and the ablations of its
// evaluation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/score/page_graph.h"
#include "fineprint/session/page_links.h"

namespace fineprint::pipelines::molorag {

// Selects the page graph to walk.
struct GraphChoice {
  std::string set = {};                  // the vector set of the graph; empty: see page_links
  std::optional<int> links = {};         // required `index --graph-knn`; absent: any
  std::optional<double> threshold = {};  // required `index --graph-theta`; absent: any
  std::optional<score::GraphSimilarity> similarity = {};  // required `--graph-sim`; absent: any
};

struct Ablations {
  bool logic_only = false, all_pages = false, no_logic = false;
};

// Options of MoLoRAG; options.cpp gives the source of each.
struct Options {
  std::vector<std::string> start_scorers = {"late"};  // if used as a scorer; otherwise --scorer
  int beam = 3, hops = 4;                             // w and n
  double semantic_weight = 0.5;                       // a
  double keep_from = 0;                               // drop pages with a lower combined score
  bool fill = true;
  bool soft_relevance = false;
  GraphChoice graph = {};
  Ablations ablations = {};
};

const OptionTable<Options>& option_table();
// Returns the graph over the named set, otherwise over the set of the first scorer of page images,
// otherwise over "late". If the store lacks these vectors and substitutes are allowed, the graph
// over "text".
session::PageLinks page_links(const session::Session& session, const GraphChoice& graph,
                              const retrieve::SearchOptions& search);
// Returns the search that finds the start of the walk: by start_scorers, without the caller's cuts.
retrieve::SearchOptions start_search(const PipelineOptions& options);
// Throws Error(usage) for ways of cutting the ranking that do not apply to a walk, and Error(store)
// if the store lacks the graph and the options walk it.
void check(const session::Session& session, const PipelineOptions& options);
// The same if the walk is a scorer of a search, whose ranking may be cut in any way. Also throws
// the errors of the start scorers and of the generator.
void check_finding(const session::Session& session, const PipelineOptions& options);

}  // namespace fineprint::pipelines::molorag
