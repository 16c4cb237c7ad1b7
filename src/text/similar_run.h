// Searches a page for a part that resembles a quote.
#pragma once

#include <cstddef>
#include <optional>

#include "text/quote_glyphs.h"

namespace fineprint::text {

// Glyphs [begin, end) of the page's form.
struct SimilarRun {
  std::size_t begin = 0, end = 0;
  double similarity = 0;  // 1 - edit distance / length of the longer text
};

// Returns the most similar run that begins and ends at borders. Its similarity is at least 0.9, its
// decisive parts are the quote's, and it contains every word of the quote of 4 or more glyphs with
// at most a quarter of them wrong. Of equals it returns the one that begins, then ends, first. The
// work is limited: on pages that repeat themselves hundreds of times it may miss a better run, or
// every run.
std::optional<SimilarRun> find_similar(const QuoteForm& page, const QuoteForm& quote);

}  // namespace fineprint::text
