// Resolves the scorers that search options name.
#pragma once

#include <string>
#include <vector>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

// What a scorer looks at. In union_of_lists, lists of images come before lists of text.
enum class Sight { image, text };

using RankFunction = Ranking (*)(const PageSearch&);
using FirstFunction = FirstPages (*)(const PageSearch&, std::size_t count);

// A scorer with its weight and functions.
struct ChosenScorer {
  std::string name;  // without the weight: "late-2"
  double weight = 1;
  std::string set;  // vector set that it scores; empty for keywords and rankers
  RankFunction rank = nullptr;
  // The first pages only; nullptr if these take as long as all.
  FirstFunction rank_first = nullptr;
  RankFunction rank_chunks = nullptr;    // nullptr for scorers of page images
  RankFunction rank_elements = nullptr;  // over elements_set(set); nullptr if it has no set
  const PageRanker* ranker = nullptr;    // replaces `rank`; counts as a scorer of images
  Sight sight = Sight::text;
  bool masks = false;
};

// Returns the scorers of options.scorers, each "NAME" or "NAME:WEIGHT", where NAME may end in the
// number of a set. The options must outlive the result, which may point at their rankers. Throws
// Error(usage) if the list is empty, a scorer is unknown or a name occurs twice.
std::vector<ChosenScorer> choose_scorers(const SearchOptions& options);

}  // namespace fineprint::retrieve
