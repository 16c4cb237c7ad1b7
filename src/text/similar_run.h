// Looks for the part of a page that resembles a quote.
#pragma once

#include <cstddef>
#include <optional>

#include "text/quote_glyphs.h"

namespace fineprint::text {

// Glyphs [begin, end) of a page's form.
struct SimilarRun {
  std::size_t begin = 0, end = 0;
  double similarity = 0;  // 1 - edit distance / the longer one's length
};

// The most similar run that begins and ends at borders, of similarity 0.9 at least, in which the
// decisive parts are the quote's, and every word of the quote of 4 glyphs or more stands with no
// more than a quarter of them wrong. Of equals the first to begin, then to end. The work is
// limited: on pages that repeat themselves hundreds of times a better run may be overlooked, or all
// of them.
std::optional<SimilarRun> find_similar(const QuoteForm& page, const QuoteForm& quote);

}  // namespace fineprint::text
