// Finds the gold pages of a question in place of a ranking.
#pragma once

#include <string>
#include <vector>

#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {

// Return the gold pages of the pool, by document and page, or all chunks of these pages in their
// order. The score of a page or chunk is 1 / its position. Throw Error(input) if the question is
// not annotated, or if it has gold pages but none is in the pool.
std::vector<FoundPage> gold_pages(const session::Corpus& corpus, const std::string& question,
                                  const SearchOptions& options);
std::vector<FoundChunk> gold_chunks(const session::Corpus& corpus, const std::string& question,
                                    const SearchOptions& options);

}  // namespace fineprint::retrieve
