// Reads the tables of Markdown. Source: GitHub Flavored Markdown Spec, 4.10.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

#include "markup/readers.h"
#include "markup/xml.h"

namespace fineprint::markup {
namespace {

bool is_word(std::string_view text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                              (static_cast<unsigned char>(text[at]) & 0x80) != 0);
}

// Returns the cells of a line. A pipe after a backslash does not end a cell.
Row cells_in(std::string_view line) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  Row row(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      if (line[i + 1] != '|') row.back() += line[i];
      row.back() += line[++i];
    } else if (line[i] != '|') {
      row.back() += line[i];
    } else if (i + 1 < line.size()) {
      row.emplace_back();
    }
  }
  for (std::string& cell : row) cell = trim(cell);
  return row;
}

// Returns whether the line divides heads from rows: "| --- | :-: |".
bool is_divider(std::string_view line) {
  const Row cells = cells_in(line);
  return line.find('|') != std::string_view::npos &&
         std::ranges::all_of(cells, [](std::string_view cell) {
           if (cell.starts_with(':')) cell.remove_prefix(1);
           if (cell.ends_with(':')) cell.remove_suffix(1);
           return !cell.empty() && cell.find_first_not_of('-') == std::string_view::npos;
         });
}

// Returns the text of a link or picture that begins at `at`, or nothing; moves `at` behind it.
bool take_link(std::string_view text, std::size_t* at, std::string_view* label) {
  const std::size_t open = text.find('[', *at), close = text.find("](", open);
  if (open == std::string_view::npos || close == std::string_view::npos) return false;
  const std::size_t end = text.find(')', close);
  if (end == std::string_view::npos) return false;
  *label = text.substr(open + 1, close - open - 1);
  *at = end + 1;
  return true;
}

// Returns the text without emphasis, code marks, escapes and the addresses of links. Entities and
// tags are read as HTML.
std::string without_marks(std::string_view text) {
  std::string out;
  bool in_code = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::string_view label;
    if (c == '`') {
      in_code = !in_code;
      ++i;
    } else if (in_code) {
      out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
      ++i;
    } else if (c == '\\' && i + 1 < text.size() &&
               std::ispunct(static_cast<unsigned char>(text[i + 1])) != 0) {
      out += text[i + 1] == '<' ? "&lt;" : std::string(1, text[i + 1]);
      i += 2;
    } else if (c == '[' && take_link(text, &i, &label)) {
      out += without_marks(label);
    } else if (c == '*' || c == '~' ||
               (c == '_' && !(is_word(text, i - 1) && is_word(text, i + 1)))) {
      // An underscore within a word, and a sign between blanks, are themselves.
      const bool alone =
          (i == 0 || text[i - 1] == ' ') && (i + 1 == text.size() || text[i + 1] == ' ');
      if (alone || c == '~') out += c == '~' && text.substr(i, 2) == "~~" ? "" : std::string(1, c);
      i += c == '~' && text.substr(i, 2) == "~~" ? 2 : 1;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}

// Returns the text that the cell shows.
std::string shown_cell(const std::string& cell) {
  const std::string text = without_marks(cell);
  if (text.find_first_of("&<") == std::string::npos) return text;
  const Tree tree = Tree::of_html("<p>" + text + "</p>");
  return tree.root() == nullptr ? text : one_line(text_of(*tree.root()));
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::vector<StatedTable> read_pipe_tables(std::string_view markdown) {
  std::vector<StatedTable> tables;
  const std::vector<std::string_view> lines = lines_in(markdown);
  bool in_code = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trim(lines[i]).starts_with("```") || trim(lines[i]).starts_with("~~~")) in_code = !in_code;
    if (in_code || i + 1 == lines.size() || !is_divider(lines[i + 1])) continue;
    const std::size_t columns = cells_in(lines[i + 1]).size();
    if (cells_in(lines[i]).size() != columns) continue;
    std::vector<Row> rows = {cells_in(lines[i])};
    for (i += 2; i < lines.size() && !is_blank(lines[i]); ++i) rows.push_back(cells_in(lines[i]));
    for (Row& row : rows) {
      row.resize(columns);
      for (std::string& cell : row) cell = shown_cell(cell);
    }
    tables.push_back({.caption = {}, .cells = cells_of_rows(rows, true)});
  }
  return tables;
}

}  // namespace fineprint::markup
