// Reads tables that other programs have written as HTML.
#include "fineprint/markup/html_table.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "fineprint/core/unicode.h"

#include "markup/xml.h"

namespace fineprint::markup {
namespace {

constexpr int kMostSpanned = 1000;  // a larger span is a mistake of the writer

// Returns the value of a span attribute, at least 1.
int spanned(const Node& cell, const char* name) {
  const std::string text = attribute(cell, name);
  int count = 1;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return std::clamp(count, 1, kMostSpanned);
}

// Positions (row, column) that cells of earlier rows cover.
using Taken = std::set<std::pair<int, int>>;

void add_cells(const Node& row, int number, Taken* taken, std::vector<TableCell>* cells) {
  int column = 0;
  for (const Node* node : children(row)) {
    const bool is_head = is_named(*node, "th");
    if (!is_head && !is_named(*node, "td")) continue;
    while (taken->contains({number, column})) ++column;
    TableCell cell{.text = one_line(text_of(*node)),
                   .row = number,
                   .column = column,
                   .rows = spanned(*node, "rowspan"),
                   .columns = spanned(*node, "colspan"),
                   .is_head = is_head};
    for (int below = 1; below < cell.rows; ++below) {
      for (int right = 0; right < cell.columns; ++right) {
        taken->emplace(number + below, column + right);
      }
    }
    column += cell.columns;
    cells->push_back(std::move(cell));
  }
}

}  // namespace

std::vector<TableCell> read_html_table(std::string_view html) {
  std::vector<TableCell> cells;
  const Tree tree = Tree::of_html(html);
  if (tree.root() == nullptr) return cells;
  const std::vector<const Node*> tables = descendants(*tree.root(), "table");
  if (tables.empty()) return cells;
  Taken taken;
  int number = 0;
  for (const Node* row : descendants(*tables.front(), "tr")) {
    add_cells(*row, number++, &taken, &cells);
  }
  return cells;
}

}  // namespace fineprint::markup
