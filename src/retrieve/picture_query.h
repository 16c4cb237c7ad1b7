// A picture of the question as one more query for the scorers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fineprint/retrieve/query.h"
#include "fineprint/session/context.h"

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {

// Scorers of text take the words that OCR read from the picture, scorers of page images the picture
// itself.
struct PictureQuery {
  session::Context* context = nullptr;  // outlives the query
  std::size_t number = 0;               // in context->pictures
  Query query;                          // of its words; without terms if it has none

  const QuestionPicture& picture() const { return context->pictures[number]; }
  // Returns whether the scorer can rank by this picture.
  bool is_query_of(const ChosenScorer& scorer) const;
  // Calls `rank` and records the use. If the encoder cannot be loaded or cannot take the picture,
  // records that as a note and returns false, because the words still find pages.
  bool try_to_rank(const ChosenScorer& scorer, const std::function<void()>& rank) const;
};

// Returns the queries of all pictures.
std::vector<PictureQuery> pictures_of(session::Context& context, const SearchOptions& options);

// Returns scorers over the store's page vectors for the pictures, if there are pictures and none of
// `chosen` looks at page images. A store without such vectors gives none.
std::vector<ChosenScorer> sets_for_pictures(const session::Session& session,
                                            const std::vector<PictureQuery>& pictures,
                                            const std::vector<ChosenScorer>& chosen);

}  // namespace fineprint::retrieve
