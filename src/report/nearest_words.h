// What of a page is nearest to words that do not stand on it.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/document.h"

namespace fineprint::report {

// The run of the page's words, as many as the quote has, in which most of the quote's words stand;
// of equals the first. Empty where that is less than a third of them.
std::string nearest_words(const Page& page, std::string_view quote);

}  // namespace fineprint::report
