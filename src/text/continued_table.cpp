// Compares the columns of tables: the last of a page with the first of the next, and those of one
// page.
#include "fineprint/text/continued_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/page_parts.h"

namespace fineprint::text {
namespace {

constexpr int kMostPages = 60;  // of one table, to look back over
constexpr std::size_t kMostHeaderLines = 4;
constexpr float kCellGap = 0.8F;           // in heights of words; wider than a word space
constexpr float kNear = 1.0F;              // in heights of words; between borders of one column
constexpr float kMostShift = 90;           // points; between left and right pages of a book
constexpr float kTop = 0.4F, kEnd = 0.6F;  // of the page's height

// Some words of a line that are one cell.
struct Cell {
  float x0 = 0, x1 = 0;
  std::string text;
  bool bold = true;
};
using Cells = std::vector<Cell>;

Cells cells_of(const Page& page, const Line& line) {
  Cells cells;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    const Word& word = page.words[line.first_word + i];
    const float gap = cells.empty() ? 0 : word.box.x0 - cells.back().x1;
    if (cells.empty() || gap > kCellGap * word.box.height()) {
      cells.push_back({word.box.x0, word.box.x1, "", true});
    }
    Cell& cell = cells.back();
    append_word(word.text, &cell.text);
    cell.x1 = std::max(cell.x1, word.box.x1);
    cell.bold = cell.bold && word.bold;
  }
  return cells;
}

bool is_amount(const std::string& text) {
  return number_of_cell(text).has_value() && !is_bare_year(text);
}

// Returns whether a cell after the first is an amount.
bool has_amount(const Cells& row) {
  return !row.empty() && std::any_of(row.begin() + 1, row.end(),
                                     [](const Cell& cell) { return is_amount(cell.text); });
}

bool is_bold(const Cells& row) {
  return std::ranges::all_of(row, [](const Cell& cell) { return cell.bold; });
}

// A table, or lines that look like one.
struct Rows {
  std::vector<Cells> all;
  Cells columns;     // around the cells of the rows that have most often so many cells
  float height = 0;  // of a word, in points

  Rows(const Page& page, const Element& element) {
    std::map<std::size_t, std::size_t> rows_of_count;
    for (const Line& line : lines_of(page, element)) {
      if (line.word_count == 0) continue;
      all.push_back(cells_of(page, line));
      ++rows_of_count[all.back().size()];
      height = std::max(height, page.words[line.first_word].box.height());
    }
    if (all.empty()) return;
    const std::size_t usual = std::ranges::max_element(rows_of_count, {}, [](const auto& one) {
                                return one.second;
                              })->first;
    for (const Cells& row : all) {
      if (row.size() != usual) continue;
      if (columns.empty()) columns = row;
      for (std::size_t i = 0; i < usual; ++i) {
        columns[i].x0 = std::min(columns[i].x0, row[i].x0);
        columns[i].x1 = std::max(columns[i].x1, row[i].x1);
      }
    }
  }

  // Returns whether the first lines name the columns. A line of one cell only names a group of
  // rows.
  bool begins_with_header() const {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(header_lines());
    return std::any_of(all.begin(), end, [](const Cells& row) { return row.size() > 1; });
  }

  bool has_amounts() const { return std::ranges::any_of(all, has_amount); }

  // Returns the number of lines above the first row of the body. Without amounts, only the type
  // shows which line is a header.
  std::size_t header_lines() const {
    if (all.empty()) return 0;
    if (!has_amounts()) {
      return all.size() > 1 && is_bold(all[0]) && !is_bold(all[1]) ? 1 : 0;
    }
    std::size_t lines = 0;
    while (!has_amount(all[lines])) ++lines;
    return lines;
  }
};

bool is_body(const Element& element) {
  return element.kind != ElementKind::furniture && element.line_count > 0;
}

// Returns whether the columns of `next` are those of `rows`, so far to the right. Each keeps its
// left or its right border, or its middle.
bool has_columns_of(const Rows& rows, const Rows& next, float shift) {
  if (rows.columns.size() < 2 || rows.columns.size() != next.columns.size()) return false;
  const float near = kNear * std::max(rows.height, next.height);
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const Cell &a = rows.columns[i], &b = next.columns[i];
    const float left = std::abs(b.x0 - a.x0 - shift), right = std::abs(b.x1 - a.x1 - shift);
    const float middle = std::abs((b.x0 + b.x1) - (a.x0 + a.x1) - 2 * shift) / 2;
    if (std::min({left, right, middle}) > near) return false;
  }
  return true;
}

// Returns how far the columns of `next` are to the right of those of `rows`, or nullopt if they are
// other columns.
std::optional<float> shift_between(const Rows& rows, const Rows& next) {
  if (rows.columns.empty() || next.columns.empty()) return std::nullopt;
  const float shift = next.columns[0].x0 - rows.columns[0].x0;
  if (std::abs(shift) > kMostShift || !has_columns_of(rows, next, shift)) return std::nullopt;
  return shift;
}

// Moves the lines of a header above the element that continues.
void move_above(float shift, const Box& below, std::vector<std::vector<Word>>* lines) {
  float bottom = 0;
  for (const auto& line : *lines) {
    for (const Word& word : line) bottom = std::max(bottom, word.box.y1);
  }
  for (auto& line : *lines) {
    for (Word& word : line) {
      word.box.x0 += shift;
      word.box.x1 += shift;
      word.box.y0 += below.y0 - bottom;
      word.box.y1 += below.y0 - bottom;
    }
  }
}

// Returns the caption and the first lines of a table.
CarriedHeader header_of(const Page& page, const Element& table, std::size_t count) {
  CarriedHeader header;
  header.page = page.number;
  header.caption = table.caption.empty() ? headings_above(page, table) : table.caption;
  const auto lines = lines_of(page, table);
  for (std::size_t i = 0; i < std::min(count, lines.size()); ++i) {
    const auto words = std::span(page.words).subspan(lines[i].first_word, lines[i].word_count);
    header.lines.emplace_back(words.begin(), words.end());
  }
  return header;
}

std::optional<CarriedHeader> look_back(const Page& page, const EarlierPage& earlier, int pages) {
  const auto first = std::ranges::find_if(page.elements, is_body);
  if (pages == 0 || first == page.elements.end() || first->kind == ElementKind::heading ||
      first->box.y0 > kTop * page.height_pt) {
    return std::nullopt;
  }
  const Rows next(page, *first);
  if (next.columns.size() < 2 || next.begins_with_header()) return std::nullopt;
  const Page* before = earlier(page.number - 1);
  if (before == nullptr) return std::nullopt;
  const auto last = std::find_if(before->elements.rbegin(), before->elements.rend(), is_body);
  if (last == before->elements.rend() || last->kind != ElementKind::table ||
      last->box.y1 < kEnd * before->height_pt) {
    return std::nullopt;
  }
  const Rows rows(*before, *last);
  const std::optional<float> shift = shift_between(rows, next);
  // A table of words does not continue one of figures.
  if (!shift || rows.has_amounts() != next.has_amounts()) return std::nullopt;
  const std::size_t count = rows.header_lines();
  CarriedHeader header;
  if (!rows.begins_with_header()) {
    if (&*last != &*std::ranges::find_if(before->elements, is_body)) return std::nullopt;
    // The table began even earlier. A copy, because the next call may give up the page.
    const Page middle = *before;
    std::optional<CarriedHeader> further = look_back(middle, earlier, pages - 1);
    if (!further) return std::nullopt;
    header = *std::move(further);
  } else if (count <= kMostHeaderLines) {
    header = header_of(*before, *last, count);
  } else {
    return std::nullopt;
  }
  header.element = static_cast<std::size_t>(first - page.elements.begin());
  move_above(*shift, first->box, &header.lines);
  return header;
}

}  // namespace

std::optional<CarriedHeader> carried_header(const Page& page, const EarlierPage& earlier) {
  return look_back(page, earlier, kMostPages);
}

std::vector<CarriedHeader> repeated_headers(const Page& page) {
  std::vector<CarriedHeader> headers;
  const auto is_table = [](const Element& element) {
    return element.kind == ElementKind::table && element.line_count > 0;
  };
  if (std::ranges::count_if(page.elements, is_table) < 2) return headers;
  const Element* headed = nullptr;  // the last table with a header
  std::optional<Rows> above;
  for (const Element& element : page.elements) {
    if (!is_table(element)) continue;
    Rows rows(page, element);
    if (rows.begins_with_header()) {
      headed = &element;
      above = std::move(rows);
      continue;
    }
    if (headed == nullptr || above->header_lines() > kMostHeaderLines) continue;
    if (!has_columns_of(*above, rows, 0) || above->has_amounts() != rows.has_amounts()) continue;
    CarriedHeader header = header_of(page, *headed, above->header_lines());
    header.caption.clear();  // the text in between may be another
    header.element = static_cast<std::size_t>(&element - page.elements.data());
    move_above(0, element.box, &header.lines);
    headers.push_back(std::move(header));
  }
  return headers;
}

std::string header_text(const CarriedHeader& header) {
  std::string text;
  for (const auto& line : header.lines) {
    for (const Word& word : line) append_word(word.text, &text);
  }
  return header.caption.empty() ? text : header.caption + " | " + text;
}

Page with_header(Page page, const CarriedHeader& header) {
  Element& element = page.elements[header.element];
  std::vector<Line> lines;
  for (const std::vector<Word>& words : header.lines) {
    Line line{static_cast<std::uint32_t>(page.words.size()),
              static_cast<std::uint32_t>(words.size()),
              {}};
    for (const Word& word : words) line.box = united(line.box, word.box);
    page.words.insert(page.words.end(), words.begin(), words.end());
    lines.push_back(line);
  }
  const auto added = static_cast<std::uint32_t>(lines.size());
  const std::uint32_t at = element.first_line;
  page.lines.insert(page.lines.begin() + at, lines.begin(), lines.end());
  for (Element& other : page.elements) {
    if (&other != &element && other.first_line >= at) other.first_line += added;
  }
  element.line_count += added;
  element.kind = ElementKind::table;
  if (element.caption.empty()) element.caption = header.caption;
  return page;
}

}  // namespace fineprint::text
