// Checks and resolves names of documents that clients give.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/session/corpus.h"

namespace fineprint::server {

// The limits of patterns in a request, and of bytes in a pattern.
inline constexpr std::size_t kMostPatterns = 100, kMostPatternBytes = 1000;

// Returns the documents that the names or globs match, by the names that the store uses. File paths
// are never matched, because clients must not learn about the machine's folders. Throws
// Refusal(404) if a pattern matches nothing, and Refusal(400) if there are too many patterns or one
// is too long.
session::Pool pool_of(const session::Corpus& corpus, const std::vector<std::string>& patterns);

// Returns the page id of a page of the document with exactly this name. Throws Refusal(404).
PageId dense_page(const session::Corpus& corpus, const PageRef& ref);

// Returns why a document cannot have this name, or an empty string if it can.
std::string problem_of_name(const std::string& name);

}  // namespace fineprint::server
