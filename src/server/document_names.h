// Names of documents as strangers give them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/session/corpus.h"

namespace fineprint::server {

// The most patterns of a request, and the most bytes of one.
inline constexpr std::size_t kMostPatterns = 100, kMostPatternBytes = 1000;

// Documents that names or globs mean, by what the store calls them: never by where their files lie.
// Throws Refusal(404) for a pattern that none matches, Refusal(400) for too many or too long ones.
session::Pool pool_of(const session::Corpus& corpus, const std::vector<std::string>& patterns);

// The dense number of a page of the document of exactly this name. Throws Refusal(404).
std::uint32_t dense_page(const session::Corpus& corpus, const PageRef& ref);

// Why a document cannot be taken in by this name; empty: it can.
std::string problem_of_name(const std::string& name);

}  // namespace fineprint::server
