// Decides which pages (or chunks) of the scorers' rankings are found, and in which order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/score/fusion.h"

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {

// A ranking with the name and the weight of its scorer.
struct NamedRanking {
  std::string name;
  double weight = 1;
  Sight sight = Sight::text;
  Ranking ranking;
  // Its scores are added after fusion, whatever the scale of the others; in a union, to the scores
  // of each list.
  bool bonus = false;
};

// Returns the page of a ranked unit.
using PageOf = std::function<PageId(UnitId)>;

// `found`: the found items in the order in which they are shown, with the scores that they have
// then. `ranking`: with SearchOptions::least_ranked, at least so many pages and those of all found
// items in order of relevance, each with the score of its best item; see RankedPages::ranking. Else
// empty.
struct SelectedItems {
  std::vector<score::Scored> found;
  std::vector<RankedPage> ranking;
};

// Selects the items. Traces every adaptive choice of K.
SelectedItems select_items(session::Context& context, const std::vector<NamedRanking>& rankings,
                           const SearchOptions& options, const PageOf& page_of);

}  // namespace fineprint::retrieve
