// Figures that papers state, for orientation only: they are from other models and judges, and
// sometimes from other rules.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/bench/judge.h"

namespace fineprint::bench {

// What a published figure measures.
struct PublishedMeasure {
  std::string_view name;              // as the paper defines it
  JudgeKind judge = JudgeKind::none;  // what a judge was asked; none: rankings are measured
};

struct PublishedFigure {
  std::string_view benchmark;
  std::string_view subset;  // of opendocvqa, with "/all" for the pool of all sets; else empty
  std::string_view system;  // method and model
  PublishedMeasure measure;
  double percent = 0;
  std::string_view source;  // paper and table
};

const std::vector<PublishedFigure>& published_figures();

}  // namespace fineprint::bench
