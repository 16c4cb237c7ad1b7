// Arranges stated cells in rows and columns.
#include "fineprint/text/stated_grid.h"

#include <algorithm>

namespace fineprint::text {
namespace {

bool is_empty(const StatedCell& cell) { return cell.word_count == 0 && cell.text.empty(); }

// Returns how many rows at the top hold heads and nothing else.
std::size_t head_rows_of(const std::vector<std::vector<const StatedCell*>>& rows) {
  std::size_t heads = 0;
  const auto is_head_row = [](const std::vector<const StatedCell*>& row) {
    bool any = false;
    for (const StatedCell* cell : row) {
      if (cell == nullptr || is_empty(*cell)) continue;
      if (!cell->is_head) return false;
      any = true;
    }
    return any;
  };
  while (heads < rows.size() && is_head_row(rows[heads])) ++heads;
  return heads;
}

}  // namespace

std::vector<const StatedCell*> StatedGrid::heads_of(std::size_t column) const {
  std::vector<const StatedCell*> heads;
  for (std::size_t row = 0; row < head_rows; ++row) {
    const StatedCell* cell = rows[row][column];
    if (cell == nullptr || is_empty(*cell)) continue;
    if (heads.empty() || heads.back() != cell) heads.push_back(cell);
  }
  return heads;
}

StatedGrid stated_grid(const Element& element) {
  constexpr std::size_t kMostPlaces = 1'000'000;
  StatedGrid grid;
  std::size_t rows = 0, columns = 0;
  for (const StatedCell& cell : element.cells) {
    rows = std::max<std::size_t>(rows, cell.row + std::max<std::size_t>(1, cell.rows));
    columns = std::max<std::size_t>(columns, cell.column + std::max<std::size_t>(1, cell.columns));
  }
  if (rows * columns >= kMostPlaces) return grid;
  grid.rows.assign(rows, std::vector<const StatedCell*>(columns, nullptr));
  for (const StatedCell& cell : element.cells) {
    for (std::size_t down = 0; down < std::max<std::size_t>(1, cell.rows); ++down) {
      for (std::size_t right = 0; right < std::max<std::size_t>(1, cell.columns); ++right) {
        grid.rows[cell.row + down][cell.column + right] = &cell;
      }
    }
  }
  grid.head_rows = head_rows_of(grid.rows);
  return grid;
}

std::string text_of_cell(const Page& page, const StatedCell& cell) {
  if (cell.word_count == 0) return cell.text;
  std::string text;
  for (std::uint32_t i = 0; i < cell.word_count; ++i) {
    append_word(page.words[cell.first_word + i].text, &text);
  }
  return text;
}

std::string all_heads(const Page& page, const StatedGrid& grid) {
  std::string text;
  std::vector<const StatedCell*> seen;
  for (std::size_t row = 0; row < grid.head_rows; ++row) {
    for (const StatedCell* cell : grid.rows[row]) {
      if (cell == nullptr || is_empty(*cell)) continue;
      if (std::ranges::find(seen, cell) != seen.end()) continue;
      seen.push_back(cell);
      append_word(text_of_cell(page, *cell), &text);
    }
  }
  return text;
}

std::string column_head(const Page& page, const StatedGrid& grid, std::size_t column) {
  std::string text;
  for (const StatedCell* head : grid.heads_of(column)) {
    append_word(text_of_cell(page, *head), &text);
  }
  return text;
}

}  // namespace fineprint::text
