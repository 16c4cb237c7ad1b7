// What DMAP leaves open, and where its paper and its code differ.
#pragma once

#include "fineprint/core/option.h"

#include "pipelines/dmap/expansion.h"
#include "pipelines/reading/side_by_side.h"
#include "pipelines/reading/stream_agents.h"

namespace fineprint::pipelines::dmap {

// full: all agents read again, what they had before and the pages added. single: one call reads the
// images of the pages added.
enum class Reanswer { full, single };

struct Options {
  RankedUnit unit = RankedUnit::page;  // of the paths by text and by image
  // Whether the map is asked where to look, and where to look again.
  bool structure = true;
  int rounds = 1;  // of reflecting and answering again
  Reanswer reanswer = Reanswer::full;
  StreamAgentsOptions agents = {.critical = false};
  int locate_max_tokens = 12'000;  // of page summaries that are shown at once
  ExpansionLimits expansion = {};
};

const OptionTable<Options>& dmap_options();

}  // namespace fineprint::pipelines::dmap
