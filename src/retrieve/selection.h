// Which pages (or chunks) of the scorers' rankings are found, and in which order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fineprint/score/fusion.h"

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {

// A ranking with what its scorer is called and counts for.
struct NamedRanking {
  std::string name;
  double weight = 1;
  Sight sight = Sight::text;
  Ranking ranking;
  bool bonus = false;  // its scores are added to what the others come to, whatever their scale
};

// The document of a page, or of a chunk, by dense numbers.
using DocumentOf = std::function<std::uint32_t(std::uint32_t)>;

// In the order in which they are shown, with the score that they have then. Traces every choice
// of K.
std::vector<score::Scored> select_items(session::Context& context,
                                        const std::vector<NamedRanking>& rankings,
                                        const SearchOptions& options,
                                        const DocumentOf& document_of);

}  // namespace fineprint::retrieve
