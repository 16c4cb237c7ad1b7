// Reads workbooks (SpreadsheetML). Source: ECMA-376, part 1, 18.
#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "fineprint/core/format.h"

#include "markup/office/cell_format.h"
#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

using Cells = std::map<int, std::string>;  // by column, counted from 0

// A row that has text, with its number in the sheet.
struct SheetRow {
  int number = 0;
  Cells cells;
};

// Returns the column of a cell reference. For example, "BC12" is in column 54. Returns -1 if there
// are no letters.
int column_of(const std::string& reference) {
  constexpr int kMostColumns = 16'384;
  int column = 0;
  for (const char c : reference) {
    if (c < 'A' || c > 'Z') break;
    column = std::min(column * 26 + (c - 'A' + 1), kMostColumns);
  }
  return column - 1;
}

// Returns the number at the start of `text`, or `fallback` if there is none.
int number_in(const std::string& text, int fallback) {
  int value = fallback;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Returns the text of runs without phonetic hints.
std::string rich_text(const Node& node) {
  std::string out;
  for (const Node* one : children(node)) {
    if (is_named(*one, "t")) {
      out += text_of(*one);
    } else if (is_named(*one, "r")) {
      out += rich_text(*one);
    }
  }
  return out;
}

// Adds the sheets of one workbook.
class Workbook {
 public:
  Workbook(const Package& package, const std::string& main, const Node& root, Html* html)
      : package_(package), html_(html), kinds_(cell_kinds(package, main)) {
    const Node* properties = child(root, "workbookPr");
    const std::string since = properties == nullptr ? "" : attribute(*properties, "date1904");
    since_1904_ = since == "1" || since == "true";
    const auto part = package.target(main, "sharedStrings");
    const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
    if (!tree || tree->root() == nullptr) return;
    for (const Node* one : children(*tree->root(), "si")) texts_.push_back(rich_text(*one));
  }

  void add_sheet(const std::string& name, const std::string& part) {
    html_->page_break();
    html_->heading(2, name);
    const Tree tree = package_.need_xml(part);
    const Node* data = child(*tree.root(), "sheetData");
    if (data != nullptr) add_blocks(rows_of(*data));
    add_drawn_text(package_, part, html_);
    add_comments(part);
    html_->check_size(package_.name());
  }

 private:
  // Returns the cell's value as text, by its type.
  std::string value_of_cell(const Node& cell) const {
    const std::string type = attribute(cell, "t");
    if (type == "inlineStr") {
      const Node* text = child(cell, "is");
      return text == nullptr ? "" : rich_text(*text);
    }
    const Node* value = child(cell, "v");
    if (value == nullptr) return {};
    const std::string text = text_of(*value);
    if (type == "s") {
      const auto index = static_cast<std::size_t>(number_in(text, -1));
      return index < texts_.size() ? texts_[index] : "";
    }
    if (type == "b") return text == "1" ? "TRUE" : "FALSE";
    if (type == "str" || type == "e" || type == "d") return text;
    const auto style = static_cast<std::size_t>(number_in(attribute(cell, "s"), 0));
    const CellKind kind = style < kinds_.size() ? kinds_[style] : CellKind::number;
    return shown_number(text, kind, since_1904_);
  }

  // Returns the rows that are not blank, in order.
  std::vector<SheetRow> rows_of(const Node& data) const {
    std::vector<SheetRow> rows;
    int number = 0;
    for (const Node* row : children(data, "row")) {
      number = number_in(attribute(*row, "r"), number + 1);
      SheetRow out{.number = number, .cells = {}};
      int column = -1;
      for (const Node* cell : children(*row, "c")) {
        const std::string reference = attribute(*cell, "r");
        column = reference.empty() ? column + 1 : column_of(reference);
        std::string value = value_of_cell(*cell);
        if (!is_blank(value)) out.cells[column] = std::move(value);
      }
      if (!out.cells.empty()) rows.push_back(std::move(out));
    }
    return rows;
  }

  // Adds the rows as blocks. A block is a run of rows without a blank row between them. Rows of one
  // cell at its top are its title; the rest is a table.
  void add_blocks(const std::vector<SheetRow>& rows) {
    for (std::size_t first = 0; first < rows.size();) {
      std::size_t end = first + 1;
      while (end < rows.size() && rows[end].number <= rows[end - 1].number + 1) ++end;
      while (first < end && rows[first].cells.size() == 1) {
        html_->paragraph(rows[first++].cells.begin()->second);
      }
      if (first < end)
        add_block({rows.begin() + static_cast<std::ptrdiff_t>(first),
                   rows.begin() + static_cast<std::ptrdiff_t>(end)});
      first = end;
    }
  }

  // Adds a block as a table without its empty columns.
  void add_block(const std::vector<SheetRow>& rows) {
    std::map<int, std::size_t> places;
    for (const SheetRow& row : rows) {
      for (const auto& [column, text] : row.cells) places[column] = 0;
    }
    std::size_t count = 0;
    for (auto& [column, place] : places) place = count++;
    std::vector<Row> table;
    for (const SheetRow& row : rows) {
      Row cells(count);
      for (const auto& [column, text] : row.cells) cells[places[column]] = text;
      table.push_back(std::move(cells));
    }
    html_->table_on_pages(table, rows.size() > 1);
  }

  void add_comments(const std::string& part) {
    const auto comments = package_.target(part, "comments");
    const std::optional<Tree> tree = comments ? package_.xml(*comments) : std::nullopt;
    if (!tree || tree->root() == nullptr) return;
    for (const Node* one : descendants(*tree->root(), "comment")) {
      const Node* text = child(*one, "text");
      if (text == nullptr) continue;
      html_->paragraph(format("Comment on {}: {}", attribute(*one, "ref"), rich_text(*text)));
    }
  }

  const Package& package_;
  Html* html_;
  std::vector<CellKind> kinds_;
  bool since_1904_ = false;
  std::vector<std::string> texts_;  // texts that cells share
};

}  // namespace

void add_workbook(const Package& package, const std::string& main, Html* html) {
  const Tree tree = package.need_xml(main);
  Workbook workbook(package, main, *tree.root(), html);
  const std::vector<Relation>& relations = package.relations(main);
  for (const Node* sheet : descendants(*tree.root(), "sheet")) {
    const std::string id = relation_id(*sheet);
    const auto found = std::ranges::find(relations, id, &Relation::id);
    if (found == relations.end() || found->target.empty()) continue;
    if (found->kind == "worksheet") workbook.add_sheet(attribute(*sheet, "name"), found->target);
  }
}

}  // namespace fineprint::markup
