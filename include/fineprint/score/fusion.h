// Joins several rankings of the same pages (fusion), and picks the best pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fineprint::score {

// A page, by its page id, with its score. Chunks are scored the same way, by chunk id.
struct Scored {
  std::uint32_t item = 0;
  double score = 0;
  bool operator==(const Scored&) const = default;
};

// Returns the k best by score, or all if k is 0. Of equal scores the smaller item comes first. NaN
// counts as lowest.
std::vector<Scored> top_k(std::vector<Scored> items, std::size_t k);

// Return the same for scores[item], without items whose score is not finite.
std::vector<Scored> top_items(std::span<const float> scores, std::size_t k);
std::vector<Scored> top_items(std::span<const double> scores, std::size_t k);

// The scores of one scorer for all items. A score that is not finite means "no score".
struct ScoreList {
  std::span<const float> scores;
  double weight = 1;
};

// The functions below take lists of one length and return a score for every item, or NaN for an
// item that no list scores. They throw Error(internal) if the lengths differ.

// Reciprocal rank fusion: the sum over all lists of weight / (constant + rank). Ranks start at 1;
// of equal scores the smaller item ranks first. For example, ranks 1 and 3 give 1/61 + 1/63.
// Source: Cormack, Clarke and Buettcher 2009.
std::vector<double> reciprocal_rank_fusion(std::span<const ScoreList> lists, double constant = 60);

// The sum over all lists of weight * score, for scores on one scale. An item that a list does not
// score gets 0 from it.
std::vector<double> weighted_sum(std::span<const ScoreList> lists);

// The sum over all lists of weight * (score - mean) / std, with mean and std of that list. An item
// that a list does not score gets the lowest score of the list.
std::vector<double> weighted_fusion(std::span<const ScoreList> lists);

}  // namespace fineprint::score
