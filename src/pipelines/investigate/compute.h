// Calculates with the numbers of noted facts, so that no model has to.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipelines/investigate/state.h"

namespace fineprint::pipelines::investigate {

// The outcome of a calculation.
struct Computed {
  std::string derivation;         // "difference: 612 - 598 = 14 million"; empty if there is none
  std::vector<std::size_t> from;  // the facts that the numbers are in, each once
  std::string problem;            // why there is no result: "77 is in no fact"
};

// Calculates with `numbers`, each as a fact states it ("1,234", "$4.2 million"); a number that is
// in no fact is a problem. `operation`: sum, difference (of two), ratio (of two), change (from the
// first to the second, in per cent), mean, larger or smaller (one of the numbers, with its place).
// Figures below "(in millions)" and figures with a scale word count as such, so facts of documents
// with different units can be compared. Results have at most four decimals.
Computed compute(const State& state, std::string_view operation,
                 std::span<const std::string> numbers);

}  // namespace fineprint::pipelines::investigate
