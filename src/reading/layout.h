// Arranges the words of a page for reading: lines, table rows, headings, paragraphs, figures.
#pragma once

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// The page with its words in reading order, each in one line, each line in one element. Takes time
// close to linear in the number of words. Never throws on odd geometry: what can't be told apart
// is a paragraph.
Page lay_out(const pdf::RawPage& raw);

}  // namespace fineprint::reading
