// Tables with ruled lines: what lies between two lines is one row, whatever number of text lines.
#include <algorithm>
#include <cmath>

#include "documents/layout_table.h"

namespace fineprint::documents {
namespace {

constexpr float kSameLine = 1.5F;         // points, between pieces of one ruled line
constexpr float kPieceGap = 8;            // points; borders are often drawn cell by cell
constexpr float kSameEdge = 6;            // points, between the ends of the lines of one grid
constexpr float kMaxRowHeight = 250;      // points, between two lines of a grid
constexpr std::size_t kMinLines = 3;      // ruled lines of a grid
constexpr std::size_t kMaxRowLines = 14;  // text lines of one row

std::vector<Box> whole_lines(const std::vector<Box>& rules) {
  std::vector<Box> pieces;
  for (const Box& rule : rules) {
    if (rule.x1 - rule.x0 > 4 * (rule.y1 - rule.y0)) pieces.push_back(rule);
  }
  std::sort(pieces.begin(), pieces.end(), [](const Box& a, const Box& b) {
    const float ay = std::round(a.y0 / kSameLine), by = std::round(b.y0 / kSameLine);
    return ay != by ? ay < by : a.x0 < b.x0;
  });
  std::vector<Box> lines;
  for (const Box& piece : pieces) {
    const bool goes_on = !lines.empty() && std::abs(piece.y0 - lines.back().y0) <= kSameLine &&
                         piece.x0 <= lines.back().x1 + kPieceGap;
    if (goes_on) {
      lines.back().x1 = std::max(lines.back().x1, piece.x1);
    } else {
      lines.push_back(piece);
    }
  }
  std::erase_if(lines, [](const Box& line) { return line.x1 - line.x0 < 60; });
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  return lines;
}

// Extents of columns: the cells' own extents, run together where they overlap.
std::vector<Box> column_extents(const std::vector<Row>& rows, std::size_t first, std::size_t last,
                                float width) {
  std::vector<Box> cells;
  for (std::size_t i = first; i < last; ++i) {
    for (const Cell& cell : rows[i].cells) {
      if (cell.box.width() < 0.7F * width) cells.push_back(cell.box);
    }
  }
  std::sort(cells.begin(), cells.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  std::vector<Box> columns;
  for (const Box& cell : cells) {
    if (!columns.empty() && cell.x0 < columns.back().x1) {
      columns.back().x1 = std::max(columns.back().x1, cell.x1);
    } else {
      columns.push_back(cell);
    }
  }
  return columns;
}

std::size_t column_of(const Cell& cell, const std::vector<Box>& columns) {
  const float middle = (cell.box.x0 + cell.box.x1) / 2;
  std::size_t at = 0;
  while (at + 1 < columns.size() && middle > columns[at].x1) ++at;
  return at;
}

// The rows [first, last) as one row, or nothing when a column holds several numbers: then the
// lines rule off groups of rows, not rows.
bool join(std::vector<Row>& rows, std::size_t first, std::size_t last,
          const std::vector<Box>& columns) {
  if (last - first < 2 || last - first > kMaxRowLines || columns.size() < 2) return false;
  std::vector<Cell> cells(columns.size());
  std::vector<int> numbers(columns.size(), 0);
  Row whole = rows[first];
  for (std::size_t i = first; i < last; ++i) {
    if (rows[i].figure >= 0) return false;
    for (const Cell& part : rows[i].cells) {
      const std::size_t column = column_of(part, columns);
      if (part.numeric && ++numbers[column] > 1) return false;
      Cell& cell = cells[column];
      cell.words.insert(cell.words.end(), part.words.begin(), part.words.end());
      cell.box = united(cell.box, part.box);
      cell.characters += part.characters;
      cell.numeric = part.numeric && cell.words.size() == part.words.size();
    }
    whole.box = united(whole.box, rows[i].box);
    whole.bold = whole.bold && rows[i].bold;
  }
  std::erase_if(cells, [](const Cell& cell) { return cell.words.empty(); });
  if (cells.size() < 2) return false;
  whole.cells = std::move(cells);
  rows[first] = std::move(whole);
  for (std::size_t i = first + 1; i < last; ++i) rows[i].cells.clear();
  return true;
}

void join_grid(std::vector<Row>& rows, const Grid& grid) {
  const auto middle = [](const Row& row) { return (row.box.y0 + row.box.y1) / 2; };
  const auto inside = [&](const Row& row, std::size_t band) {
    return middle(row) > grid.heights[band] && middle(row) < grid.heights[band + 1] &&
           row.box.x0 > grid.x0 - kSameEdge && row.box.x1 < grid.x1 + kSameEdge;
  };
  std::vector<TableRange> bands;
  std::size_t at = 0;
  for (std::size_t band = 0; band + 1 < grid.heights.size(); ++band) {
    while (at < rows.size() && middle(rows[at]) < grid.heights[band]) ++at;
    TableRange range{at, at};
    while (range.last < rows.size() && inside(rows[range.last], band)) ++range.last;
    if (range.last > range.first) bands.push_back(range);
    at = range.last;
  }
  if (bands.size() < 2) return;
  const std::vector<Box> columns =
      column_extents(rows, bands.front().first, bands.back().last, grid.x1 - grid.x0);
  if (columns.size() < 2) return;
  for (const TableRange& band : bands) {
    for (std::size_t i = band.first; i < band.last; ++i) rows[i].ruled = true;
  }
  for (const TableRange& band : bands) join(rows, band.first, band.last, columns);
}

}  // namespace

std::vector<Grid> find_grids(const std::vector<Box>& rules) {
  constexpr std::size_t kMaxOpen = 16;
  std::vector<Grid> grids;
  for (const Box& line : whole_lines(rules)) {
    const std::size_t from = grids.size() > kMaxOpen ? grids.size() - kMaxOpen : 0;
    const auto grid = std::find_if(grids.begin() + static_cast<std::ptrdiff_t>(from), grids.end(),
                                   [&](const Grid& open) {
                                     return std::abs(open.x0 - line.x0) < kSameEdge &&
                                            std::abs(open.x1 - line.x1) < kSameEdge &&
                                            line.y0 - open.heights.back() < kMaxRowHeight;
                                   });
    if (grid == grids.end()) {
      grids.push_back({line.x0, line.x1, {line.y0}});
    } else if (line.y0 - grid->heights.back() > 4) {
      grid->heights.push_back(line.y0);
    }
  }
  std::erase_if(grids, [](const Grid& grid) { return grid.heights.size() < kMinLines; });
  return grids;
}

std::vector<Row> join_ruled_rows(std::vector<Row> rows, const std::vector<Grid>& grids) {
  for (const Grid& grid : grids) join_grid(rows, grid);
  std::erase_if(rows, [](const Row& row) { return row.cells.empty() && row.figure < 0; });
  return rows;
}

}  // namespace fineprint::documents
