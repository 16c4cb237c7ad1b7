// The best pages by MaxSim over 8-bit codes, and the bounds that they need.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::testing {

// Returns the largest distance |exact row - decoded row| for each page; NaN if one is NaN.
inline std::vector<float> page_errors(const score::VectorBags& codes,
                                      const score::VectorBags& exact) {
  std::vector<float> errors(codes.pages(), 0);
  for (std::size_t p = 0; p < codes.pages(); ++p) {
    for (const float error : score::code_errors(codes.page(p), exact.page(p))) {
      if (error > errors[p] || std::isnan(error)) errors[p] = error;
    }
  }
  return errors;
}

// Returns the k best pages, which must be those of max_sim over `exact` followed by top_k.
inline std::vector<score::Scored> exact_max_sim_top_k(const Matrix& query,
                                                      const score::VectorBags& codes,
                                                      std::span<const float> errors,
                                                      const score::VectorBags& exact,
                                                      std::size_t k) {
  std::vector<float> scores(codes.pages());
  score::ExactMaxSim(query, k).score(codes, errors, exact, scores.data());
  std::vector<score::Scored> found;
  for (std::uint32_t p = 0; p < scores.size(); ++p) {
    found.push_back({p, static_cast<double>(scores[p])});
  }
  return score::top_k(std::move(found), k);
}

}  // namespace fineprint::testing
