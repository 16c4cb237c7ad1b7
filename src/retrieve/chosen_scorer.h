// Scorers as options name them.
#pragma once

#include <string>
#include <vector>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

// What a scorer looks at; its rank among the lists of a union.
enum class Sight { image, text };

using RankFunction = Ranking (*)(const PageSearch&);

struct ChosenScorer {
  std::string name;  // without the weight: "late-2"
  double weight = 1;
  std::string set;  // that it scores; empty for keywords and rankers
  RankFunction rank = nullptr;
  RankFunction rank_chunks = nullptr;    // nullptr for scorers of page images
  RankFunction rank_elements = nullptr;  // over elements_set(set); nullptr where there is no set
  const PageRanker* ranker = nullptr;    // of the options, in place of `rank`; a scorer of images
  Sight sight = Sight::text;
  bool masks = false;
};

// Those of options.scorers, each "NAME" or "NAME:WEIGHT", NAME perhaps with the number of a set.
// The options must outlive them. Throws Error(usage), also for a name that stands there twice.
std::vector<ChosenScorer> choose_scorers(const SearchOptions& options);

}  // namespace fineprint::retrieve
