// Walks over the elements of a page and writes Markdown.
#include "fineprint/evidence/page_markdown.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "fineprint/text/label_pairs.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/stated_grid.h"

#include "evidence/table_cells.h"

namespace fineprint::evidence {
namespace {

constexpr int kDeepestHeading = 6;  // Markdown has six levels
constexpr std::array<std::string_view, 12> kBullets = {"•", "◦", "▪", "▫", "■", "□",
                                                       "●", "○", "‣", "·", "–", "-"};

// Escapes what has a meaning anywhere in a line; with_plain_start() adds the start of lines.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

bool is_number_of_list(std::string_view word) {
  const std::size_t digits =
      std::ranges::find_if_not(
          word, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }) -
      word.begin();
  // CommonMark allows at most nine digits in the number of a list item.
  return digits > 0 && digits <= 9 && digits + 1 == word.size() &&
         (word.back() == '.' || word.back() == ')');
}

// Escapes the start of a line that Markdown would take for a heading, a list, a rule or a quote.
std::string with_plain_start(std::string text) {
  const std::string_view first = std::string_view(text).substr(0, text.find(' '));
  if (is_number_of_list(first)) return text.insert(first.size() - 1, "\\");
  if (!text.empty() && std::string_view("#+-=~").find(text.front()) != std::string_view::npos) {
    return "\\" + text;
  }
  return text;
}

std::string list_item(const std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string first = text.substr(0, end);
  const std::string rest = end < text.size() ? text.substr(end + 1) : "";
  if (std::ranges::find(kBullets, first) != kBullets.end())
    return "- " + with_plain_start(escaped(rest));
  if (is_number_of_list(first)) return first + " " + with_plain_start(escaped(rest));
  return "- " + with_plain_start(escaped(text));
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + escaped(cell) + " |";
  return line + "\n";
}

// Returns the heads of the columns in one row, from the top. A head over several rows is there
// once.
std::vector<std::string> joined_heads(const PageTable& table) {
  std::vector<std::string> heads(table.rows.front().size());
  for (std::size_t column = 0; column < heads.size(); ++column) {
    std::string_view last;
    for (int row = 0; row < table.header_rows; ++row) {
      const std::string& text = table.rows[static_cast<std::size_t>(row)][column];
      if (!text.empty() && text != last) append_word(text, &heads[column]);
      last = text;
    }
  }
  return heads;
}

// Returns a table in GitHub's form, which requires a row of heads; it may be empty.
std::string pipe_table(const PageTable& table) {
  const std::size_t columns = table.rows.front().size();
  std::string out = table_row(joined_heads(table));
  out += "|";
  for (std::size_t column = 0; column < columns; ++column) out += " --- |";
  out += "\n";
  for (auto row = static_cast<std::size_t>(table.header_rows); row < table.rows.size(); ++row) {
    out += table_row(table.rows[row]);
  }
  return out;
}

// Returns text that is not a table after all, with the page's line breaks.
std::string plain_lines(const Page& page, const std::vector<Line>& lines) {
  std::string out;
  for (const Line& line : lines) {
    if (line.word_count == 0) continue;
    // Two spaces before the line end are a line break in Markdown.
    out += (out.empty() ? "" : "  \n") +
           with_plain_start(escaped(text::joined_words(page, text::run_of({&line, 1}))));
  }
  return out.empty() ? out : out + "\n";
}

std::string caption_block(const std::string& caption) {
  return caption.empty() ? "" : "*" + escaped(caption) + "*\n";
}

std::string joined_blocks(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "\n" + b;
}

std::string block_of(const Page& page, const Element& element) {
  const std::string text = text::joined_words(page, text::run_of(text::lines_of(page, element)));
  switch (element.kind) {
    case ElementKind::furniture:
      return "";
    case ElementKind::table: {
      const PageTable table = page_table(page, element);
      return joined_blocks(caption_block(element.caption),
                           table.rows.empty()
                               ? plain_lines(page, lines_beside_caption(page, element))
                               : pipe_table(table));
    }
    case ElementKind::figure:
      return joined_blocks(caption_block(element.caption),
                           plain_lines(page, lines_beside_caption(page, element)));
    default:
      break;
  }
  if (text.empty()) return "";
  if (element.kind == ElementKind::heading) {
    const int level = std::clamp<int>(element.level, 1, kDeepestHeading);
    return std::string(static_cast<std::size_t>(level), '#') + " " + escaped(text) + "\n";
  }
  if (element.kind == ElementKind::caption) return caption_block(text);
  if (element.kind == ElementKind::list_item) return list_item(text) + "\n";
  return with_plain_start(escaped(text)) + "\n";
}

// Returns the table with its heads as they are printed, in as many rows.
PageTable printed_table(const Page& page, const TableCells& cells) {
  PageTable table;
  for (const HeadCell& head : cells.heads) {
    table.header_rows = std::max(table.header_rows, static_cast<int>(head.row + head.rows));
  }
  const auto heads = static_cast<std::size_t>(table.header_rows);
  table.rows.assign(heads, std::vector<std::string>(cells.columns()));
  const auto small = [](std::size_t value) { return static_cast<std::uint16_t>(value); };
  for (const HeadCell& head : cells.heads) {
    StatedCell& cell = table.cells.emplace_back();
    cell.row = small(head.row);
    cell.column = small(head.column);
    cell.rows = small(head.rows);
    cell.columns = small(head.columns);
    cell.is_head = true;
    cell.text = cell_text(page, head.words);
    for (std::size_t row = head.row; row < head.row + head.rows; ++row) {
      for (std::size_t i = 0; i < head.columns; ++i) table.rows[row][head.column + i] = cell.text;
    }
  }
  const auto first = static_cast<std::size_t>(cells.header_rows);
  for (std::size_t row = first; row < cells.texts.size(); ++row) {
    for (std::size_t column = 0; column < cells.columns(); ++column) {
      StatedCell& cell = table.cells.emplace_back();
      cell.row = small(heads + row - first);
      cell.column = small(column);
      cell.text = cells.texts[row][column];
    }
    table.rows.push_back(cells.texts[row]);
  }
  return table;
}

// Returns the labels of a form with their values, one pair a row, and no header. No rows if most
// words of the element belong to none.
PageTable form_table(const Page& page, const Element& element) {
  constexpr double kMostlyLabels = 0.8;
  const text::WordRun all = text::run_of(text::lines_of(page, element));
  const text::PageLabels labels = text::page_labels(page);
  std::vector<std::pair<text::WordRun, text::WordRun>> rows;
  for (const text::LabelPair& pair : labels.pairs) rows.emplace_back(pair.label, pair.value);
  for (const text::WordRun& label : labels.empty) rows.emplace_back(label, text::WordRun{});
  std::erase_if(rows, [&](const auto& row) {
    return row.first.first < all.first || row.first.end > all.end;
  });
  std::ranges::sort(rows, {}, [](const auto& row) { return row.first.first; });
  double held = 0;
  for (const auto& [label, value] : rows) held += label.count() + value.count();
  if (rows.size() < 2 || held < kMostlyLabels * all.count()) return {};
  PageTable table;
  for (const auto& [label, value] : rows) {
    std::vector<std::string>& texts = table.rows.emplace_back();
    for (const text::WordRun& run : {label, value}) {
      StatedCell& cell = table.cells.emplace_back();
      cell.row = static_cast<std::uint16_t>(table.rows.size() - 1);
      cell.column = static_cast<std::uint16_t>(texts.size());
      cell.text = text::joined_words(page, run);
      texts.push_back(cell.text);
    }
  }
  return table;
}

}  // namespace

PageTable page_table(const Page& page, const Element& element) {
  const text::StatedGrid grid = text::stated_grid(element);
  if (grid.columns() > 0) {
    PageTable table{
        .rows = {}, .header_rows = static_cast<int>(grid.head_rows), .cells = element.cells};
    if (text::is_form(page, element)) {
      table.header_rows = 0;
      for (StatedCell& cell : table.cells) cell.is_head = false;
    }
    for (const auto& row : grid.rows) {
      std::vector<std::string>& texts = table.rows.emplace_back();
      for (const StatedCell* cell : row) {
        texts.push_back(cell == nullptr ? "" : text::text_of_cell(page, *cell));
      }
    }
    return table;
  }
  const std::vector<Line> lines = lines_beside_caption(page, element);
  // A table of only a caption has no cells.
  if (lines.empty()) return {};
  if (PageTable form = form_table(page, element); !form.rows.empty()) return form;
  const TableCells cells = table_cells(page, lines);
  if (cells.columns() < 2) return {};
  return printed_table(page, cells);
}

std::string page_markdown(const Page& page) {
  std::string out;
  bool after_item = false;
  for (const Element& element : page.elements) {
    const std::string block = block_of(page, element);
    if (block.empty()) continue;
    const bool is_item = element.kind == ElementKind::list_item;
    // No blank line between items, because it would make a loose list with paragraphs.
    if (!out.empty() && !(is_item && after_item)) out += "\n";
    out += block;
    after_item = is_item;
  }
  return out;
}

}  // namespace fineprint::evidence
