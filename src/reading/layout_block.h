// Blocks: rows that form a heading, a paragraph, an item of a list, a table or a figure.
#pragma once

#include <string>
#include <vector>

#include "reading/layout_figure.h"
#include "reading/layout_table.h"

namespace fineprint::reading {

struct Block {
  ElementKind kind = ElementKind::paragraph;
  std::vector<Row> rows;
  Box box;
  float size_pt = 0;
  bool bold = false;
  std::string caption;
};

// The rows of one area cut into blocks. `figures` are what rows with a figure stand for.
std::vector<Block> make_blocks(const pdf::RawPage& page, const std::vector<Row>& rows,
                               float body_pt);

// Joins captions ("Table 2: ...") with the table or figure next to them, where the reading order
// has them side by side; other captions stay blocks of their own.
std::vector<Block> attach_captions(const pdf::RawPage& page, std::vector<Block> blocks);

}  // namespace fineprint::reading
