// The choices that DMAP leaves open, and those where its paper and its code differ.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/option.h"

#include "pipelines/dmap/expansion.h"
#include "pipelines/reading/side_by_side.h"
#include "pipelines/reading/stream_agents.h"

namespace fineprint::pipelines::dmap {

// full: all agents read again, with the added pages. single: one call reads the images of the added
// pages.
enum class Reanswer { full, single };

// How the scorer "map" chooses the documents whose maps it reads.
struct FindingOptions {
  std::vector<std::string> document_scorers = {"bm25", "text"};
  int documents = 1;
};

// Options of DMAP; options.cpp gives the source of each.
struct Options {
  SideBySideOptions sides = {};  // what text and image retrieval rank, and which of them run
  // Whether the map says where to look, and where to look again.
  bool structure = true;
  int rounds = 1;  // rounds of reflecting and answering again
  Reanswer reanswer = Reanswer::full;
  StreamAgentsOptions agents = {.critical = false};
  int locate_max_tokens = 12'000;  // tokens of summaries shown at once
  ExpansionLimits expansion = {};
  FindingOptions finding = {};
};

const OptionTable<Options>& dmap_options();

}  // namespace fineprint::pipelines::dmap
