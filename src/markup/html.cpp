// Implements Html: headings, paragraphs and tables as XHTML.
#include "markup/html.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include <glib.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

namespace fineprint::markup {
namespace {

// Sizes of a page of 595 x 842 points with text of 11 points. Determines how many lines and
// characters fit.
constexpr float kPageWidth = 595;
constexpr float kMostWidth = 2400;
constexpr float kMargins = 80;
constexpr float kCharacterWidth = 5.8F;
constexpr std::size_t kLinesOfAPage = 44;
// In characters. Longer texts wrap within their column.
constexpr std::size_t kWidestColumn = 40;
constexpr std::size_t kNarrowestColumn = 3;
// More than 2,000 pages can hold, which is the limit of pages that are laid out.
constexpr std::size_t kMostHtml = std::size_t{64} << 20;

constexpr std::string_view kStyle =
    "table{border-collapse:collapse}"
    "td,th{border:0.5pt solid #999;padding:1pt 6pt;text-align:left;vertical-align:top}"
    "pre{white-space:pre-wrap}"
    ".end{page-break-after:always}";

using Widths = std::vector<std::size_t>;

// Returns the widths of columns in characters. Cells that span columns say nothing about them.
Widths column_widths(const std::vector<TableCell>& cells, int columns) {
  Widths widths(static_cast<std::size_t>(columns), kNarrowestColumn);
  for (const TableCell& cell : cells) {
    if (cell.columns > 1) continue;
    std::size_t& width = widths[static_cast<std::size_t>(cell.column)];
    width = std::max(width, std::min(count_code_points(cell.text), kWidestColumn));
  }
  return widths;
}

// Returns how many lines a cell takes when it wraps, for each of its rows.
std::size_t lines_of(const TableCell& cell, const Widths& widths) {
  std::size_t width = 0;
  for (int i = 0; i < cell.columns; ++i) width += widths[static_cast<std::size_t>(cell.column + i)];
  const auto breaks = static_cast<std::size_t>(std::ranges::count(cell.text, '\n'));
  const std::size_t lines = breaks + (count_code_points(cell.text) + width - 1) / width;
  const auto rows = static_cast<std::size_t>(cell.rows);
  return (lines + rows - 1) / rows;
}

// Returns how many lines each row takes.
std::vector<std::size_t> row_lines(const std::vector<TableCell>& cells, int rows,
                                   const Widths& widths) {
  std::vector<std::size_t> lines(static_cast<std::size_t>(rows), 1);
  for (const TableCell& cell : cells) {
    for (int i = 0; i < cell.rows; ++i) {
      std::size_t& of_row = lines[static_cast<std::size_t>(cell.row + i)];
      of_row = std::max(of_row, lines_of(cell, widths));
    }
  }
  return lines;
}

// Returns the rows [first, end) below the heads, as a table of their own.
std::vector<TableCell> part_of(const std::vector<TableCell>& cells, int heads, int first, int end) {
  std::vector<TableCell> part;
  for (const TableCell& cell : cells) {
    const int last = cell.row + cell.rows;
    if (cell.row < heads) {
      part.push_back(cell);
      part.back().rows = std::min(cell.rows, heads - cell.row);
    } else if (last > first && cell.row < end) {
      const int row = std::max(cell.row, first);
      part.push_back(cell);
      part.back().row = heads + row - first;
      part.back().rows = std::min(last, end) - row;
    }
  }
  return part;
}

std::string with_breaks(std::string_view text) {
  std::string lines = escaped(text);
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 5) {
    lines.replace(at, 1, "<br/>");
  }
  return lines;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
      out += c;
    }
  }
  return out;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

// A break is written with the block after it, so that a break at the end makes no empty page. MuPDF
// heeds breaks after blocks, but not all breaks before them.
void Html::begin_block(std::string_view tag) {
  if (std::exchange(breaks_, false)) body_ += "<div class=\"end\"></div>\n";
  body_ += format("<{}>", tag);
}

// A block that does not fit goes on on the next page.
void Html::use_lines(std::size_t count) { lines_used_ = (lines_used_ + count) % kLinesOfAPage; }

void Html::element(std::string_view tag, std::string_view text) {
  if (is_blank(text)) return;
  begin_block(tag);
  body_ += with_breaks(text);
  body_ += format("</{}>\n", tag);
  constexpr std::size_t kCharactersOfALine = 90, kLinesAround = 2;
  use_lines(kLinesAround + static_cast<std::size_t>(std::ranges::count(text, '\n')) +
            count_code_points(text) / kCharactersOfALine);
}

void Html::heading(int level, std::string_view text) {
  element(format("h{}", std::clamp(level, 1, 6)), text);
}

void Html::paragraph(std::string_view text) { element("p", text); }

void Html::preformatted(std::string_view text) {
  if (is_blank(text)) return;
  begin_block("pre");
  body_ += escaped(text);
  body_ += "</pre>\n";
}

void Html::picture(const std::string& bytes) {
  using namespace std::string_view_literals;
  // Of all pictures of one document together, because each takes memory in every stage that
  // follows.
  constexpr std::size_t kMostPictures = std::size_t{64} << 20;
  const std::string_view head = bytes;
  const char* kind = head.starts_with("\x89PNG"sv)        ? "png"
                     : head.starts_with("\xff\xd8\xff"sv) ? "jpeg"
                     : head.starts_with("GIF8"sv)         ? "gif"
                                                          : nullptr;
  if (kind == nullptr) return paragraph("(A picture of a kind that is not shown here.)");
  picture_bytes_ += bytes.size();
  if (picture_bytes_ > kMostPictures) return paragraph("(A picture is left out: too many bytes.)");
  // Pictures are embedded, because the document must not refer to anything outside.
  const std::unique_ptr<char, void (*)(void*)> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()), g_free);
  begin_block("p");
  body_ += format("<img src=\"data:image/{};base64,{}\"/></p>\n", kind, text.get());
}

std::vector<TableCell> cells_of_rows(const std::vector<Row>& rows, bool has_header) {
  std::vector<TableCell> cells;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      cells.push_back({.text = rows[row][column],
                       .row = static_cast<int>(row),
                       .column = static_cast<int>(column),
                       .is_head = has_header && row == 0});
    }
  }
  return cells;
}

// Adds a row of a table. `covered` has, for each column, the first row that no cell above covers.
void Html::row(const std::vector<const TableCell*>& cells, int number, std::vector<int>* covered) {
  body_ += "<tr>";
  std::size_t next = 0;
  for (std::size_t column = 0; column < covered->size(); ++column) {
    if ((*covered)[column] > number) continue;
    if (next == cells.size() || cells[next]->column != static_cast<int>(column)) {
      body_ += "<td></td>";
      continue;
    }
    const TableCell& cell = *cells[next++];
    const char* tag = cell.is_head ? "th" : "td";
    body_ += format("<{}", tag);
    if (cell.rows > 1) body_ += format(" rowspan=\"{}\"", cell.rows);
    if (cell.columns > 1) body_ += format(" colspan=\"{}\"", cell.columns);
    body_ += '>' + with_breaks(cell.text) + format("</{}>", tag);
    for (int i = 0; i < cell.columns; ++i) {
      (*covered)[column + static_cast<std::size_t>(i)] = number + cell.rows;
    }
  }
  body_ += "</tr>\n";
}

void Html::table(const std::vector<Row>& rows, bool has_header) {
  table(cells_of_rows(rows, has_header));
}

void Html::table(std::vector<TableCell> cells) {
  const auto [rows, columns] = extent_of(cells);
  if (columns == 0) return;
  std::ranges::stable_sort(cells, {},
                           [](const TableCell& cell) { return std::pair(cell.row, cell.column); });
  std::vector<std::vector<const TableCell*>> by_row(static_cast<std::size_t>(rows));
  for (const TableCell& cell : cells) by_row[static_cast<std::size_t>(cell.row)].push_back(&cell);
  std::vector<int> covered(static_cast<std::size_t>(columns), 0);
  begin_block("table");
  for (int number = 0; number < rows; ++number) {
    row(by_row[static_cast<std::size_t>(number)], number, &covered);
  }
  body_ += "</table>\n";
  use_lines(static_cast<std::size_t>(rows) + 1);
  tables_.push_back({.caption = {}, .cells = std::move(cells)});
}

// MuPDF does not repeat table headers, so every page gets a table of its own.
void Html::table_on_pages(const std::vector<TableCell>& cells) {
  const auto [rows, columns] = extent_of(cells);
  if (columns == 0) return;
  const Widths widths = column_widths(cells, columns);
  std::size_t width = 0;
  for (const std::size_t one : widths) width += one + 2;
  // The widest table decides the width of all pages, because a document has one page size.
  widest_ = std::max(widest_, width);
  const std::vector<std::size_t> lines = row_lines(cells, rows, widths);
  const int heads = head_rows(cells);
  const auto head_lines = std::accumulate(lines.begin(), lines.begin() + heads, std::size_t{0});
  std::size_t used = lines_used_ + head_lines;
  int first = heads;
  for (int i = heads; i < rows; ++i) {
    const std::size_t more = lines[static_cast<std::size_t>(i)];
    if (i > first && used + more > kLinesOfAPage) {
      table(part_of(cells, heads, first, i));
      page_break();
      first = i;
      used = head_lines;
    }
    used += more;
  }
  table(part_of(cells, heads, first, rows));
}

void Html::hide(std::string_view text) {
  const std::string valid = valid_utf8(trim(text));
  if (is_blank(valid) || hidden_.size() > kMostHtml) return;
  hidden_ += (hidden_.empty() ? "" : "\n") + valid;
}

void Html::page_break() {
  breaks_ = !body_.empty();
  lines_used_ = 0;
}

void Html::check_size(const std::string& name) const {
  // Pictures are base64, which takes four bytes for three.
  if (body_.size() <= kMostHtml + picture_bytes_ / 3 * 4 + 4) return;
  throw Error(ErrorCode::too_large,
              format("{}: has more text than {} pages can hold; split it", name, 2000));
}

float Html::width_pt() const {
  const float wanted = kMargins + kCharacterWidth * static_cast<float>(widest_);
  // Wider tables wrap, because a page must still be readable as a picture.
  return std::clamp(wanted, kPageWidth, kMostWidth);
}

std::string Html::take() {
  std::string out = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><style>" +
                    std::string(kStyle) + "</style></head><body>\n";
  out += body_;
  out += "</body></html>\n";
  body_.clear();
  return out;
}

}  // namespace fineprint::markup
