// What HKRAG leaves open, and the ablations of its Table 6.
#pragma once

#include <string>

#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/option.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::hkrag {

struct Options {
  bool no_pruner = false, no_decoupler = false;
  bool drop_empty_pages = true;
  int iterations = 3;
  double threshold = 0.8;
  agents::UncertaintyOptions uncertainty = {};  // but for what options_of finds out
  std::string calibration = {};                 // the file of UncertaintyOptions::calibration
  bool recheck = false;
  bool images = true;  // the Decoupler sees the pages again
  int crops = 2;       // that it may ask for in a step
  bool show_draft = false;
};

const OptionTable<Options>& option_table();
// With what the scale of the uncertainty needs. Throws Error(usage) for a quantile without a
// calibration, and for logv with a generator that does not tell its vocabulary.
Options options_of(const PipelineOptions& options, const session::Session& session);

}  // namespace fineprint::pipelines::hkrag
