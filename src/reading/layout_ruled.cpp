// Handles tables with ruled lines: everything between two lines is one row, however many text lines
// it has.
#include <algorithm>
#include <cmath>

#include "reading/layout_table.h"

namespace fineprint::reading {
namespace {

// points; pieces of one ruled line differ in height by at most this
constexpr float kSameLine = 1.5F;
constexpr float kPieceGap = 8;  // points; borders are often drawn cell by cell
constexpr float kSameEdge = 6;  // points; ends of the lines of one grid differ by at most this
constexpr float kMaxRowHeight = 250;      // points between two lines of a grid
constexpr std::size_t kMinRules = 3;      // ruled lines in a grid
constexpr std::size_t kMaxRowLines = 14;  // text lines in one row
constexpr float kWide = 0.7F;             // of the grid's width: the text of more than one column
constexpr float kTallRow = 4.5F;          // of the font size: more than about three text lines
constexpr float kCrossing = 1;            // points by which a cell may reach into another column

// Returns the lines that run across, each joined from its pieces. Short lines are left out, because
// they underline words or close the boxes of a form.
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

// Returns whether a band may be text: it has several text lines, and one of them fills the width
// alone, as in paragraphs between two lines. The rule under a page's header and the rules of a
// table below the text may have the same extent.
bool may_be_prose(const std::vector<Row>& rows, const TableRange& band, float width) {
  if (band.last - band.first < 2) return false;
  return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(band.first),
                     rows.begin() + static_cast<std::ptrdiff_t>(band.last), [&](const Row& row) {
                       return row.cells.size() == 1 && row.box.width() >= kWide * width;
                     });
}

// Returns whether a cell is over several cells of one row, such as a head that spans columns.
bool spans_cells(const Box& cell, const std::vector<Row>& rows,
                 const std::vector<TableRange>& bands) {
  for (const TableRange& band : bands) {
    for (std::size_t i = band.first; i < band.last; ++i) {
      const auto met = std::ranges::count_if(rows[i].cells, [&](const Cell& other) {
        return !other.bullet &&
               std::min(cell.x1, other.box.x1) - std::max(cell.x0, other.box.x0) > kCrossing;
      });
      if (met > 1) return true;
    }
  }
  return false;
}

// Returns the extents of columns: the extents of the cells, merged where they overlap.
std::vector<Box> column_extents(const std::vector<Row>& rows, const std::vector<TableRange>& bands,
                                float width) {
  std::vector<Box> cells;
  for (const TableRange& band : bands) {
    const bool prose = may_be_prose(rows, band, width);
    for (std::size_t i = band.first; i < band.last; ++i) {
      // the last lines of paragraphs would look like columns
      if (prose && rows[i].cells.size() == 1) continue;
      for (const Cell& cell : rows[i].cells) {
        if (cell.box.width() < kWide * width) cells.push_back(cell.box);
      }
    }
  }
  std::vector<Box> narrow = cells;
  std::erase_if(narrow, [&](const Box& cell) { return spans_cells(cell, rows, bands); });
  if (!narrow.empty()) cells = std::move(narrow);
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

bool crosses_columns(const Row& row, const std::vector<Box>& columns) {
  return std::any_of(row.cells.begin(), row.cells.end(), [&](const Cell& cell) {
    return std::count_if(columns.begin(), columns.end(), [&](const Box& column) {
             return std::min(cell.box.x1, column.x1) - std::max(cell.box.x0, column.x0) > kCrossing;
           }) > 1;
  });
}

// Returns whether a row is one text of many lines with a label or number next to its first line.
// This is prose with a note in the margin, which is best read line by line.
bool is_noted_text(const Row& whole) {
  if (!is_tall(whole) || whole.cells.size() != 2) return false;
  const auto is_note = [&](const Cell& cell) {
    return cell.box.height() < 1.5F * whole.size_pt &&
           cell.box.y0 < whole.box.y0 + 0.5F * whole.size_pt;
  };
  return is_note(whole.cells[0]) != is_note(whole.cells[1]);
}

// Returns whether each of the rows begins with a label that ends with a colon: they are rows of
// their own.
bool are_labelled(const pdf::RawPage& page, const std::vector<Row>& rows, const TableRange& band) {
  return std::all_of(rows.begin() + static_cast<std::ptrdiff_t>(band.first),
                     rows.begin() + static_cast<std::ptrdiff_t>(band.last), [&](const Row& row) {
                       return row.cells.size() >= 2 &&
                              text_of(page, row.cells.front().words).ends_with(':');
                     });
}

// Joins the rows [first, last) into the first of them. Returns false and joins nothing if a column
// has several numbers, because the ruled lines then separate groups of rows.
bool join_rows(std::vector<Row>& rows, std::size_t first, std::size_t last,
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
  if (is_noted_text(whole)) {
    for (std::size_t i = first; i < last; ++i) rows[i].ruled = false;
    return false;
  }
  rows[first] = std::move(whole);
  for (std::size_t i = first + 1; i < last; ++i) rows[i].cells.clear();
  return true;
}

// Joins the rows of each band, which is the space between two lines of the grid. Columns are
// determined from all bands together, because one row alone seldom fills every column. If a cell of
// a band of several rows covers two columns (a title, a note), the band is not joined and the row
// of the cell is not marked as ruled, because it may be text.
void join_grid(const pdf::RawPage& page, std::vector<Row>& rows, const Grid& grid) {
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
  const std::vector<Box> columns = column_extents(rows, bands, grid.x1 - grid.x0);
  if (columns.size() < 2) return;
  const auto crosses = [&](const Row& row) { return crosses_columns(row, columns); };
  for (const TableRange& band : bands) {
    for (std::size_t i = band.first; i < band.last; ++i) {
      rows[i].ruled = band.last - band.first == 1 || !crosses(rows[i]);
    }
  }
  std::erase_if(bands, [&](const TableRange& band) {
    if (are_labelled(page, rows, band)) return true;
    return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(band.first),
                       rows.begin() + static_cast<std::ptrdiff_t>(band.last), crosses);
  });
  for (const TableRange& band : bands) join_rows(rows, band.first, band.last, columns);
}

}  // namespace

bool is_tall(const Row& row) {
  return row.ruled && row.cells.size() >= 2 &&
         row.box.height() > kTallRow * std::max(row.size_pt, 1.0F);
}

std::vector<Grid> find_grids(const std::vector<Box>& rules) {
  // Few grids are next to each other. Looking at all grids would take long on a page of ten
  // thousand lines.
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
    } else if (line.y0 - grid->heights.back() > 4) {  // points; less is a double line
      grid->heights.push_back(line.y0);
    }
  }
  std::erase_if(grids, [](const Grid& grid) { return grid.heights.size() < kMinRules; });
  return grids;
}

std::vector<Row> join_ruled_rows(const pdf::RawPage& page, std::vector<Row> rows,
                                 const std::vector<Grid>& grids) {
  for (const Grid& grid : grids) join_grid(page, rows, grid);
  std::erase_if(rows, [](const Row& row) { return row.cells.empty() && row.figure < 0; });
  return rows;
}

}  // namespace fineprint::reading
