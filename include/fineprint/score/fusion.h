// Joins several rankings of the same pages, and picks the best.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fineprint::score {

// A scored page by its dense number in the corpus.
struct Scored {
  std::uint32_t item = 0;
  double score = 0;
  bool operator==(const Scored&) const = default;
};

// The k best by score, ties by smaller item; all of them when k is 0. NaN counts as lowest.
std::vector<Scored> top_k(std::vector<Scored> items, std::size_t k);

// Reciprocal rank fusion: sum over lists of weight / (constant + rank), rank from 1.
// Source: Cormack, Clarke and Buettcher 2009. Lists sorted best first.
std::vector<Scored> reciprocal_rank_fusion(std::span<const std::vector<Scored>> lists,
                                           std::span<const double> weights, double constant = 60);

// Sum over lists of weight * score, for scores that share a scale; an item missing from a list
// takes 0 there.
std::vector<Scored> weighted_sum(std::span<const std::vector<Scored>> lists,
                                 std::span<const double> weights);

// Sum over lists of weight * (score - mean) / std of that list; an item missing from a list takes
// the list's minimum.
std::vector<Scored> weighted_fusion(std::span<const std::vector<Scored>> lists,
                                    std::span<const double> weights);

}  // namespace fineprint::score
