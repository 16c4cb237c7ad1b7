// The choices that HKRAG leaves open, and the ablations of its Table 6.
#pragma once

#include <string>

#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/option.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::hkrag {

// Options of HKRAG; options.cpp gives the source of each.
struct Options {
  bool no_pruner = false, no_decoupler = false;
  bool drop_empty_pages = true;
  int iterations = 3;
  double threshold = 0.8;
  agents::UncertaintyOptions uncertainty = {};  // options_of fills in vocabulary and calibration
  std::string calibration = {};                 // the file of UncertaintyOptions::calibration
  bool recheck = false;
  bool images = true;  // the Decoupler sees the pages again
  int crops = 2;       // regions that it may ask for per step
  bool show_draft = false;
  bool seek = false;  // ViDoRAG's Seeker chooses the pages that the Pruner reads
};

const OptionTable<Options>& option_table();
// Returns the options with what the scale of the uncertainty needs. Throws Error(usage) for the
// scale quantile without a calibration file, for logv and for max with vocab if the generator does
// not report its vocabulary, for max with nll, and for a threshold that the scale cannot reach.
Options options_of(const PipelineOptions& options, const session::Session& session);

}  // namespace fineprint::pipelines::hkrag
