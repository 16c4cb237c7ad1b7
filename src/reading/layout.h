// Arranges the words of a page for reading: into lines, table rows, headings, paragraphs and
// figures.
#pragma once

#include <span>

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

#include "reading/pictured_layout.h"
#include "reading/stated_tables.h"

namespace fineprint::reading {

// Returns the page with its words in reading order, each in one line, and each line in one element.
// The stated tables are elements of their own with their cells; all else is found by its geometry,
// and if `pictured` is not null, by what the page's picture shows.
// Takes time almost linear in the number of words. Does not throw on odd geometry: anything that
// cannot be classified is a paragraph.
Page lay_out(const pdf::RawPage& raw, std::span<const PlacedTable> tables = {},
             const PicturedLayout* pictured = nullptr);

}  // namespace fineprint::reading
