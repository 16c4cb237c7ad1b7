// Decides what ranks instead of scorers whose vectors the store lacks.
#pragma once

#include <string>

#include "fineprint/retrieve/search.h"

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {

// Search options after replacement, and how to report it.
struct Substituted {
  SearchOptions options;  // with scorers that the store can serve
  std::string said;       // the report; empty if nothing was replaced
  std::string remedy;     // how to make the vectors, after "index PATH... --store DIR "
};

// Replaces scorers as SearchOptions::substitute says. Throws Error(usage) as search() does.
Substituted substituted(const session::Session& session, const SearchOptions& options);

// Returns whether the scorer could rank elements but the store lacks the vectors of elements that
// belong to its set.
bool lacks_elements(const session::Session& session, const ChosenScorer& scorer);
// Reports, in the log, the trace and the record, which scorers rank only pages because the vectors
// of elements are missing.
void tell_lacking_elements(session::Context& context, const SearchOptions& options);

// Replaces scorers for a question, and reports it in the log, the trace and the record.
SearchOptions with_substitutes(session::Context& context, const SearchOptions& options);

}  // namespace fineprint::retrieve
