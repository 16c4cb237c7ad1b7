// Finds tables whose cells are drawn: ruled lines across and down that cross each other.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/pdf/document.h"

#include "reading/lattice_cells.h"
#include "reading/stated_tables.h"

namespace fineprint::reading {

// Returns the tables of a page whose lines enclose every cell, from the top, with the words of each
// cell in reading order. A cell that no line divides spans its rows and columns. Left to the layout
// are tables of which only some columns or rows are divided by lines, forms whose rows are divided
// differently, and frames around text or charts. The page must be upright and read from the left.
std::vector<PlacedTable> lattice_tables(const pdf::RawPage& page);
// Returns the table of one lattice, or nullopt if it is none.
std::optional<PlacedTable> lattice_table(const pdf::RawPage& page, const Lattice& lattice);

}  // namespace fineprint::reading
