// What HKRAG leaves open, and the ablations of its Table 6.
#pragma once

#include <vector>

#include "fineprint/agents/uncertainty.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::hkrag {

struct Options {
  bool pruner = true, decoupler = true;
  bool drop_empty_pages = true;
  int iterations = 3;
  double threshold = 0.8;
  agents::UncertaintyOptions uncertainty;
  bool recheck = false;
  bool images = true;  // the Decoupler sees the pages again
  int crops = 0;       // that it may ask for in a step
  bool show_draft = false;
  double min_confidence = -1;
};

std::vector<Setting> settings();
// Throws Error(usage) for a quantile without a calibration, and for logv with a generator that does
// not tell its vocabulary.
Options options_of(const PipelineOptions& options, const session::Session& session);

}  // namespace fineprint::pipelines::hkrag
