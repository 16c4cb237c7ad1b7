// What ranks in place of scorers that the store has no vectors for.
#pragma once

#include <string>

#include "fineprint/retrieve/search.h"

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {

struct Substituted {
  SearchOptions options;  // with scorers that the store was prepared for, as far as there are any
  std::string said;       // "late: no such vectors; by bm25,text"; empty: they are as they were
  std::string remedy;     // what makes what is missing, behind "index PATH... --store DIR "
};

// See SearchOptions::substitute. Throws Error(usage) as search() does.
Substituted substituted(const session::Session& session, const SearchOptions& options);

// Whether the store has no vectors of elements beside those of pages or chunks that the scorer's
// set has.
bool lacks_elements(const session::Session& session, const ChosenScorer& scorer);
// Which scorers rank pages alone for that, told to all who follow the question.
void tell_lacking_elements(session::Context& context, const SearchOptions& options);

// The same for a question, told to all who follow it.
SearchOptions with_substitutes(session::Context& context, const SearchOptions& options);

}  // namespace fineprint::retrieve
