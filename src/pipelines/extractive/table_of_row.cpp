// Takes stated cells from elements, and shown ones from the passages for QA models.
#include "pipelines/extractive/table_of_row.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/evidence/page_passages.h"
#include "fineprint/text/stated_grid.h"

#include "pipelines/extractive/amounts.h"
#include "pipelines/extractive/row_value.h"

namespace fineprint::pipelines::extractive {
namespace {

std::optional<TableOfRow> stated_table(const Page& page, const Snippet& snippet,
                                       const Element& element) {
  const text::StatedGrid grid = text::stated_grid(element);
  const std::optional<std::size_t> row = stated_row(snippet, element);
  if (grid.columns() < 2 || grid.head_rows == 0 || !row || *row < grid.head_rows) {
    return std::nullopt;
  }
  TableOfRow table;
  table.row = *row - grid.head_rows;
  table.is_stated = true;
  for (std::size_t column = 0; column < grid.columns(); ++column) {
    table.heads.push_back(text::column_head(page, grid, column));
  }
  for (std::size_t i = grid.head_rows; i < grid.rows.size(); ++i) {
    TableRow& cells = table.rows.emplace_back();
    for (std::size_t column = 0; column < grid.columns(); ++column) {
      const StatedCell* cell = grid.rows[i][column];
      if (cell == nullptr) {
        cells.push_back({.text = {}, .words = 0, .origin = i * grid.columns() + column});
      } else {
        cells.push_back({.text = text::text_of_cell(page, *cell),
                         .words = cell->word_count,
                         .origin = cell->row * grid.columns() + cell->column});
      }
    }
  }
  return table;
}

// Returns the index of the row that has the word, or the number of rows.
std::size_t row_with(const evidence::PagePassage& passage, std::uint32_t word) {
  const auto row = std::ranges::find_if(passage.cell_words, [&](const auto& cells) {
    return std::ranges::any_of(
        cells, [&](const auto& words) { return std::ranges::find(words, word) != words.end(); });
  });
  return static_cast<std::size_t>(row - passage.cell_words.begin());
}

// A long table is cut into passages of equal heads, which are joined again.
std::optional<TableOfRow> shown_table(const Page& page, const Snippet& snippet) {
  const std::vector<evidence::PagePassage> passages = evidence::page_passages(page);
  const auto own = std::ranges::find_if(passages, [&](const evidence::PagePassage& passage) {
    return row_with(passage, snippet.first_word) < passage.cell_words.size();
  });
  if (own == passages.end() || own->passage.header_rows != 1 ||
      own->passage.rows.front().size() < 2) {
    return std::nullopt;
  }
  const std::size_t own_row = row_with(*own, snippet.first_word);
  if (own_row == 0) return std::nullopt;
  TableOfRow table;
  table.heads = own->passage.rows.front();
  for (const evidence::PagePassage& passage : passages) {
    const auto& rows = passage.passage.rows;
    if (rows.empty() || rows.front() != table.heads) continue;
    if (&passage == &*own) table.row = table.rows.size() + own_row - 1;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      TableRow& cells = table.rows.emplace_back();
      for (std::size_t column = 0; column < table.columns(); ++column) {
        cells.push_back({.text = rows[i][column],
                         .words = static_cast<std::uint32_t>(passage.cell_words[i][column].size()),
                         .origin = table.rows.size() * table.columns() + column});
      }
    }
  }
  return table;
}

// Returns whether the first cells are 1, 2, 3 and so on, perhaps with a point, below a head that
// names no thing ("Week" does). A sum may have none.
bool only_counts(const TableOfRow& table) {
  static constexpr std::array<std::string_view, 10> kHeads = {"",    "#",   "no",   "no.",  "nr",
                                                              "nr.", "pos", "pos.", "item", "line"};
  if (std::ranges::find(kHeads, fold(trim(table.heads.front()))) == kHeads.end()) return false;
  std::size_t count = 0;
  for (const TableRow& row : table.rows) {
    const std::string& text = row.front().text;
    if (text.empty()) continue;
    const std::string next = std::to_string(++count);
    if (text != next && text != next + ".") return false;
  }
  return count > 1 && table.columns() > 2;
}

bool has_figures(const TableRow& row) {
  return std::any_of(row.begin() + 1, row.end(),
                     [](const TableCell& cell) { return has_digit(cell.text); });
}

// Returns whether the row has a word in each cell, no figure, and no word twice, as heads do.
bool looks_like_heads(const TableRow& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (trim(row[i].text).empty() || has_digit(row[i].text)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (row[j].text == row[i].text) return false;
    }
  }
  return true;
}

// Two tables that follow each other are read as one if their columns are at the same places:
// opening hours, then a row "Prices, Single, Ten visits" and the prices. Returns the rows where
// such another table begins: they look like heads, all rows up to the next have figures, and rows
// above have.
std::vector<std::size_t> rows_with_new_heads(const TableOfRow& table) {
  std::vector<std::size_t> starts;
  const auto above = std::ranges::find_if(table.rows, has_figures);
  std::size_t last = table.rows.size();
  for (std::size_t row = table.rows.size(); row-- > 0;) {
    if (has_figures(table.rows[row])) continue;
    const bool begins = looks_like_heads(table.rows[row]) && row + 1 < last &&
                        above < table.rows.begin() + static_cast<std::ptrdiff_t>(row);
    if (!begins) break;
    starts.insert(starts.begin(), row);
    last = row;
  }
  return starts;
}

// Leaves the part of the table that has its own row, with the heads of that part.
void keep_part_of_row(TableOfRow* table) {
  const std::vector<std::size_t> starts = rows_with_new_heads(*table);
  const auto next = std::ranges::upper_bound(starts, table->row);
  const auto row_at = [&](std::size_t row) {
    return table->rows.begin() + static_cast<std::ptrdiff_t>(row);
  };
  if (next != starts.end()) table->rows.erase(row_at(*next), table->rows.end());
  if (next == starts.begin() || *std::prev(next) == table->row) return;
  const std::size_t heads = *std::prev(next);
  for (std::size_t column = 0; column < table->columns(); ++column) {
    table->heads[column] = table->rows[heads][column].text;
  }
  table->rows.erase(table->rows.begin(), row_at(heads + 1));
  table->row -= heads + 1;
}

}  // namespace

std::optional<TableOfRow> table_of_row(const Page& page, const Snippet& snippet) {
  const Element* element = stated_table_of(page, snippet);
  std::optional<TableOfRow> table =
      element == nullptr ? shown_table(page, snippet) : stated_table(page, snippet, *element);
  if (!table) return std::nullopt;
  keep_part_of_row(&*table);
  if (only_counts(*table)) table->label = 1;
  return table;
}

}  // namespace fineprint::pipelines::extractive
