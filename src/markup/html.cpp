// Implements Html: headings, paragraphs and tables as XHTML.
#include "markup/html.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <glib.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
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
    "td,th{border:0.5pt solid #999;padding:1pt 4pt;text-align:left;vertical-align:top}"
    "pre{white-space:pre-wrap}"
    ".new{page-break-before:always}";

std::size_t columns_of(const std::vector<Row>& rows) {
  std::size_t columns = 0;
  for (const Row& row : rows) columns = std::max(columns, row.size());
  return columns;
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows, std::size_t columns) {
  std::vector<std::size_t> widths(columns, kNarrowestColumn);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], std::min(count_code_points(row[i]), kWidestColumn));
    }
  }
  return widths;
}

// Returns how many lines a row takes when its cells wrap.
std::size_t lines_of(const Row& row, const std::vector<std::size_t>& widths) {
  std::size_t lines = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto breaks = static_cast<std::size_t>(std::ranges::count(row[i], '\n'));
    lines = std::max(lines, breaks + (count_code_points(row[i]) + widths[i] - 1) / widths[i]);
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

void Html::begin_block(std::string_view tag) {
  body_ += '<';
  body_ += tag;
  // The break is an attribute of the next block, so that a break at the end makes no empty page.
  if (std::exchange(breaks_, false)) body_ += " class=\"new\"";
  body_ += '>';
}

void Html::element(std::string_view tag, std::string_view text) {
  if (is_blank(text)) return;
  begin_block(tag);
  std::string lines = escaped(text);
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 5) {
    lines.replace(at, 1, "<br/>");
  }
  body_ += lines;
  body_ += format("</{}>\n", tag);
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

void Html::row(const Row& cells, std::size_t columns, std::string_view tag) {
  body_ += "<tr>";
  for (std::size_t i = 0; i < columns; ++i) {
    body_ += format("<{}>", tag);
    std::string text = i < cells.size() ? escaped(cells[i]) : "";
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5) {
      text.replace(at, 1, "<br/>");
    }
    body_ += text;
    body_ += format("</{}>", tag);
  }
  body_ += "</tr>\n";
}

void Html::rows(const std::vector<Row>& all, std::size_t first, std::size_t end,
                std::size_t columns, bool has_header) {
  begin_block("table");
  if (has_header) row(all.front(), columns, "th");
  for (std::size_t i = std::max<std::size_t>(first, has_header ? 1 : 0); i < end; ++i) {
    row(all[i], columns, "td");
  }
  body_ += "</table>\n";
}

void Html::table(const std::vector<Row>& all, bool has_header) {
  const std::size_t columns = columns_of(all);
  if (columns > 0) rows(all, 0, all.size(), columns, has_header);
}

// MuPDF does not repeat table headers, so every page gets a table of its own.
void Html::table_on_pages(const std::vector<Row>& all, bool has_header) {
  const std::size_t columns = columns_of(all);
  if (columns == 0) return;
  const std::vector<std::size_t> widths = column_widths(all, columns);
  std::size_t width = 0;
  for (const std::size_t one : widths) width += one + 2;
  // The widest table decides the width of all pages, because a document has one page size.
  widest_ = std::max(widest_, width);
  std::size_t first = 0, lines = 0;
  const std::size_t header_lines = has_header ? lines_of(all.front(), widths) : 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t more = lines_of(all[i], widths);
    if (lines > 0 && lines + more > kLinesOfAPage) {
      rows(all, first, i, columns, has_header);
      page_break();
      first = i;
      lines = header_lines;
    }
    lines += more;
  }
  rows(all, first, all.size(), columns, has_header);
}

void Html::page_break() { breaks_ = !body_.empty(); }

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
