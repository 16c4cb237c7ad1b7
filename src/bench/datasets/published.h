// Figures that papers state, for orientation only: they are from other models and judges, and
// sometimes from other rules.
#pragma once

#include <string_view>
#include <vector>

namespace fineprint::bench {

struct PublishedFigure {
  std::string_view benchmark;
  std::string_view subset;   // of opendocvqa, with "/all" for the pool of all sets; else empty
  std::string_view system;   // method and model
  std::string_view measure;  // as the paper defines it
  double percent = 0;
  std::string_view source;  // paper and table
};

const std::vector<PublishedFigure>& published_figures();

}  // namespace fineprint::bench
