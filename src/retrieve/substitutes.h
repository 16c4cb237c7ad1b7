// What ranks in place of scorers that the store has no vectors for.
#pragma once

#include <string>

#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {

struct Substituted {
  SearchOptions options;  // with scorers that the store was prepared for, as far as there are any
  std::string said;       // "late: no such vectors; by bm25,text"; empty: they are as they were
};

// See SearchOptions::substitute. Throws Error(usage) as search() does.
Substituted substituted(const session::Session& session, const SearchOptions& options);

// The same for a question, told to all who follow it.
SearchOptions with_substitutes(session::Context& context, const SearchOptions& options);

}  // namespace fineprint::retrieve
