// Found pages as a reader reads them.
#pragma once

#include <cstddef>
#include <vector>

#include "fineprint/evidence/page_passages.h"
#include "fineprint/models/reader.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// The reader that SearchOptions::rerank names; nullptr where it names none, or a model that points
// at nothing. Loaded at the first call.
const models::Reader* chosen_reader(const session::Session& session, const SearchOptions& options);

// A passage of a page that was found.
struct FoundPassage {
  std::size_t place = 0;  // of its page among those found
  evidence::PagePassage passage;
  double promise = 0;  // what speaks for reading it
};

// Of each page the most promising passage, from the first page on, then the most promising of all,
// until a reader of the question sees some `pieces` word pieces.
std::vector<FoundPassage> most_promising(std::vector<FoundPassage> passages, std::size_t pieces);

// Log-odds that a passage answers, of a reader's (which says too much of pages that it was not
// trained on) and of where its page was found: of pages that searches find, the one at rank r is
// right about 1 / r as often as the first.
double with_rank(double relevance, std::size_t place);

}  // namespace fineprint::retrieve
