// Joins the pieces of ruled lines.
#pragma once

#include <vector>

#include "fineprint/core/geometry.h"

namespace fineprint::reading {

// A line at height or distance `at`, from `from` to `to` along it. In points.
struct RuledLine {
  float at = 0, from = 0, to = 0;
};

// The lines of a page, each kind ordered by `at`.
struct RuledLines {
  std::vector<RuledLine> across, down;
};

// Returns the lines that pieces such as the borders of single cells make.
RuledLines ruled_lines(const std::vector<Box>& rules);

}  // namespace fineprint::reading
