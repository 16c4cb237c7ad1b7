// Tables that other programs write as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

struct TableCell {
  std::string text;  // on one line
  int row = 0, column = 0;
  int rows = 1, columns = 1;  // that it spans
  bool is_head = false;
};

// The cells of the first table in a text of HTML, row by row, each at the place that the spans of
// the others leave it; none where there is no table. Tables inside cells are text.
std::vector<TableCell> read_html_table(std::string_view html);

}  // namespace fineprint::markup
