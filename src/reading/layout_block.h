// Makes blocks of rows: headings, paragraphs, list items, tables and figures.
#pragma once

#include <string>
#include <vector>

#include "reading/layout_figure.h"
#include "reading/layout_table.h"
#include "reading/region_map.h"
#include "reading/stated_tables.h"

namespace fineprint::reading {

// Rows that form one element.
struct Block {
  ElementKind kind = ElementKind::paragraph;
  std::vector<Row> rows;
  Box box;
  float size_pt = 0;
  bool bold = false;
  std::string caption;
  const PlacedTable* stated = nullptr;  // the table that the file states, whose rows these are
};

// Cuts the rows of one area into blocks. A row with a figure becomes a figure block; its contents
// are added later. `regions` is what the page's picture shows, or null.
std::vector<Block> make_blocks(const pdf::RawPage& page, const std::vector<Row>& rows,
                               float body_pt, const RegionMap* regions = nullptr);

// Joins each caption ("Table 2: ...") with the table or figure next to it in reading order.
// Captions without one stay separate blocks.
std::vector<Block> attach_captions(const pdf::RawPage& page, std::vector<Block> blocks);

}  // namespace fineprint::reading
