// Finds the words of a page that are nearest to a quote that is not on it.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/document.h"

namespace fineprint::report {

// Returns the run of words, as many as the quote has, that contains the most words of the quote;
// the first of several equal runs. Returns an empty string if it has less than a third of them.
std::string nearest_words(const Page& page, std::string_view quote);

}  // namespace fineprint::report
