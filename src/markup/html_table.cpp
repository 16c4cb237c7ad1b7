// Reads tables that other programs have written as HTML.
#include "fineprint/markup/html_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <set>
#include <sstream>
#include <utility>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/text.h"
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

bool ends_line(const Node& node) {
  static constexpr std::array<std::string_view, 12> kLineEnds = {
      "br", "p", "div", "li", "tr", "td", "th", "table", "ul", "ol", "dd", "pre"};
  return std::ranges::find(kLineEnds, name_of(node)) != kLineEnds.end();
}

// Appends the text that a browser shows: blocks and cells below are separated, styles and scripts
// are left out.
void append_shown(const Node& node, std::string* text) {
  for (const Node* one = node.children; one != nullptr; one = one->next) {
    if (one->type == XML_TEXT_NODE || one->type == XML_CDATA_SECTION_NODE) {
      *text += reinterpret_cast<const char*>(one->content);
    } else if (one->type == XML_ENTITY_REF_NODE) {
      *text += text_of(*one);
    } else if (one->type == XML_ELEMENT_NODE && !is_named(*one, "script") &&
               !is_named(*one, "style")) {
      if (ends_line(*one)) *text += ' ';
      const std::size_t begin = text->size();
      append_shown(*one, text);
      // A raised mark is apart from the figure before it, as on the page.
      if (is_named(*one, "sup")) {
        text->replace(begin, std::string::npos, raised_text(text->substr(begin)));
      }
      if (ends_line(*one)) *text += ' ';
    }
  }
}

std::string browser_text(const Node& node) {
  std::string text;
  append_shown(node, &text);
  return one_line(text);
}

bool is_in_head(const Node& row) { return row.parent != nullptr && is_named(*row.parent, "thead"); }

void add_cells(const Node& row, int number, int rows_left, Taken* taken,
               std::vector<TableCell>* cells) {
  int column = 0;
  for (const Node* node : children(row)) {
    const bool is_head = is_named(*node, "th");
    if (!is_head && !is_named(*node, "td")) continue;
    while (taken->contains({number, column})) ++column;
    const bool to_the_end = attribute(*node, "rowspan") == "0";
    TableCell cell{.text = browser_text(*node),
                   .row = number,
                   .column = column,
                   .rows = to_the_end ? rows_left : std::min(spanned(*node, "rowspan"), rows_left),
                   .columns = spanned(*node, "colspan"),
                   .is_head = is_head || is_in_head(row)};
    for (int below = 1; below < cell.rows; ++below) {
      for (int right = 0; right < cell.columns; ++right) {
        taken->emplace(number + below, column + right);
      }
    }
    column += cell.columns;
    cells->push_back(std::move(cell));
  }
}

// Returns the rows of a table without those of tables in it, in the order of the file, in which
// they are laid out.
std::vector<const Node*> rows_of(const Node& table) {
  std::vector<const Node*> rows;
  for (const Node* part : children(table)) {
    if (is_named(*part, "tr")) {
      rows.push_back(part);
    } else if (is_named(*part, "thead") || is_named(*part, "tbody") || is_named(*part, "tfoot")) {
      for (const Node* row : children(*part, "tr")) rows.push_back(row);
    }
  }
  return rows;
}

std::vector<TableCell> cells_of(const Node& table) {
  std::vector<TableCell> cells;
  Taken taken;
  const std::vector<const Node*> rows = rows_of(table);
  const auto count = static_cast<int>(rows.size());
  for (int i = 0; i < count; ++i) {
    add_cells(*rows[static_cast<std::size_t>(i)], i, count - i, &taken, &cells);
  }
  return cells;
}

// Returns whether a table only arranges others: those in its cells have most of its text.
bool only_arranges(const Node& table) {
  const std::size_t all = browser_text(table).size();
  std::size_t inner = 0;
  for (const Node* one : children(table)) {
    for (const Node* nested : descendants(*one, "table")) {
      if (extent_of(cells_of(*nested)).second > 1) inner += browser_text(*nested).size();
    }
  }
  return 2 * inner > all;
}

void add_tables(const Node& below, std::vector<StatedTable>* tables) {
  for (const Node* one : children(below)) {
    if (!is_named(*one, "table") || only_arranges(*one)) {
      add_tables(*one, tables);
      continue;
    }
    StatedTable table{.caption = {}, .cells = cells_of(*one)};
    if (const Node* caption = child(*one, "caption")) table.caption = browser_text(*caption);
    const auto [rows, columns] = extent_of(table.cells);
    if (rows < 2 || columns < 2) continue;
    mark_heads(&table.cells);
    tables->push_back(std::move(table));
  }
}

// Returns whether a text is an amount: it has digits, few letters, and is not a year.
bool is_amount(std::string_view text) {
  std::size_t digits = 0, alphabetic = 0;
  for (const char c : text) {
    digits += c >= '0' && c <= '9' ? 1 : 0;
    alphabetic += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0 ? 1 : 0;
  }
  const bool is_year = text.size() == 4 && digits == 4 && (text[0] == '1' || text[0] == '2');
  return digits > alphabetic && !is_year;
}

// Returns whether the row divides the heads above it: it has texts only below heads that span
// columns and below nothing, and none of them is an amount.
bool divides_heads(const std::vector<TableCell>& cells, int row) {
  const auto covers = [](const TableCell& cell, int at) {
    return cell.column <= at && at < cell.column + cell.columns;
  };
  bool any = false;
  for (const TableCell& cell : cells) {
    if (cell.row != row || cell.text.empty()) continue;
    const bool below_wide = std::ranges::any_of(cells, [&](const TableCell& head) {
      return head.row + head.rows == row && head.columns > cell.columns &&
             covers(head, cell.column);
    });
    const bool below_text = std::ranges::any_of(cells, [&](const TableCell& head) {
      return head.row < row && covers(head, cell.column) && !head.text.empty();
    });
    if ((!below_wide && below_text) || is_amount(cell.text)) return false;
    any = any || below_wide;
  }
  return any;
}

bool has_any_digit(const std::string& text) {
  return std::ranges::any_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Returns whether the text is a number or a date, or several words that all begin with a capital,
// as a name does. The head of a column is neither, but it may be a year or a quarter of one.
bool is_value_of_form(const std::string& text) {
  std::istringstream words(text);
  std::size_t count = 0, capitals = 0;
  bool has_number = false;
  for (std::string word; words >> word; ++count) {
    capitals += word[0] >= 'A' && word[0] <= 'Z' ? 1 : 0;
    const bool is_quarter = word.size() == 2 && (word[0] == 'Q' || word[1] == 'Q');
    has_number = has_number || (has_any_digit(word) && !is_bare_year(word) && !is_quarter);
  }
  return has_number || (count > 1 && capitals == count && !has_any_digit(text));
}

// How a value of a form is written. The cells of a column of figures are all written alike.
enum class Notation : std::uint8_t { words, number, code, time, date, percent };

Notation notation_of(const std::string& text) {
  if (!has_any_digit(text)) return Notation::words;
  if (text.ends_with('%')) return Notation::percent;
  if (text.find(':') != std::string::npos) return Notation::time;
  const auto marks =
      std::ranges::count_if(text, [](char c) { return c == '.' || c == '/' || c == '-'; });
  if (marks == 2) return Notation::date;
  const bool leads_with_zero =
      text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  const bool has_letter =
      std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c); });
  return leads_with_zero || has_letter ? Notation::code : Notation::number;
}

// Returns whether a table is a form: in two or four columns of single cells, each label is another
// one and has no digit, in the first row a value is next to a label, and the values below it are
// not all written alike, and some have digits.
bool begins_form(const std::vector<TableCell>& cells) {
  const auto [rows, columns] = extent_of(cells);
  if (rows < 3 || (columns != 2 && columns != 4)) return false;
  std::set<std::string> labels;
  std::set<Notation> notations;
  bool has_value = false;
  for (const TableCell& cell : cells) {
    if (cell.rows > 1 || cell.columns > 1) return false;
    if (cell.text.empty()) continue;
    const bool digit = has_any_digit(cell.text);
    if (cell.column % 2 == 0) {
      if (digit || !labels.insert(cell.text).second) return false;
    } else if (cell.row == 0) {
      has_value = has_value || is_value_of_form(cell.text);
    } else {
      notations.insert(notation_of(cell.text));
    }
  }
  return has_value && notations.size() > 1 && static_cast<int>(labels.size()) >= rows;
}

}  // namespace

std::pair<int, int> extent_of(const std::vector<TableCell>& cells) {
  std::pair<int, int> extent(0, 0);
  for (const TableCell& cell : cells) {
    extent.first = std::max(extent.first, cell.row + cell.rows);
    extent.second = std::max(extent.second, cell.column + cell.columns);
  }
  return extent;
}

int head_rows(const std::vector<TableCell>& cells) {
  std::set<int> with_heads, with_others;
  for (const TableCell& cell : cells) {
    if (!cell.text.empty()) (cell.is_head ? with_heads : with_others).insert(cell.row);
  }
  int rows = 0;
  while (with_heads.contains(rows) && !with_others.contains(rows)) ++rows;
  return rows;
}

void mark_heads(std::vector<TableCell>* cells) {
  if (std::ranges::any_of(*cells, &TableCell::is_head) || begins_form(*cells)) return;
  const int rows = extent_of(*cells).first;
  int heads = 1;
  for (int row = 0; row < heads; ++row) {
    for (const TableCell& cell : *cells) {
      if (cell.row == row) heads = std::max(heads, cell.row + cell.rows);
    }
    while (heads < rows && row + 1 == heads && divides_heads(*cells, heads)) ++heads;
  }
  // A table without anything below its heads has none.
  if (heads >= rows) return;
  for (TableCell& cell : *cells) cell.is_head = cell.row < heads;
}

std::vector<TableCell> read_html_table(std::string_view html) {
  const Tree tree = Tree::of_html(html);
  if (tree.root() == nullptr) return {};
  const std::vector<const Node*> tables = descendants(*tree.root(), "table");
  return tables.empty() ? std::vector<TableCell>() : cells_of(*tables.front());
}

std::vector<StatedTable> read_html_tables(std::string_view html) {
  std::vector<StatedTable> tables;
  const Tree tree = Tree::of_html(html);
  if (tree.root() != nullptr) add_tables(*tree.root(), &tables);
  return tables;
}

}  // namespace fineprint::markup
