// Joins several rankings of the same pages, and picks the best.
#pragma once

#include <cstddef>
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

// The same of scores[item], leaving out items whose score is not finite.
std::vector<Scored> top_items(std::span<const float> scores, std::size_t k);
std::vector<Scored> top_items(std::span<const double> scores, std::size_t k);

// What one scorer says of every item, by number. A score that is not finite says nothing.
struct ScoreList {
  std::span<const float> scores;
  double weight = 1;
};

// All below take lists of one length and return a score for every item; NaN for an item of which no
// list says anything. They throw Error(internal) for lists of different lengths.

// Reciprocal rank fusion: sum over lists of weight / (constant + rank), rank from 1, of equal
// scores the smaller item first.
// Source: Cormack, Clarke and Buettcher 2009.
std::vector<double> reciprocal_rank_fusion(std::span<const ScoreList> lists, double constant = 60);

// Sum over lists of weight * score, for scores that share a scale; an item missing from a list
// takes 0 there.
std::vector<double> weighted_sum(std::span<const ScoreList> lists);

// Sum over lists of weight * (score - mean) / std of that list; an item missing from a list takes
// the list's minimum.
std::vector<double> weighted_fusion(std::span<const ScoreList> lists);

}  // namespace fineprint::score
