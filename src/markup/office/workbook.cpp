// Reads workbooks (SpreadsheetML). Source: ECMA-376, part 1, 18.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/superscripts.h"

#include "markup/office/cell_format.h"
#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

using Cells = std::map<int, std::string>;  // by column, counted from 0

// A row that has text.
struct SheetRow {
  int number = 0;  // in the sheet
  int place = 0;   // without the hidden rows above
  Cells cells;
};

// A merged range of cells, with its last row and column.
struct Merge {
  int row = 0, column = 0, last_row = 0, last_column = 0;
  bool covers(int at_row, int at_column) const {
    return row <= at_row && at_row <= last_row && column <= at_column && at_column <= last_column;
  }
};

bool is_true(const std::string& value) { return value == "1" || value == "true"; }

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

// Returns the row of a cell reference, counted from 1 as in files, or 0 if there are no digits.
int row_of(const std::string& reference) {
  const std::size_t digits = std::min(reference.find_first_of("0123456789"), reference.size());
  int row = 0;
  std::from_chars(reference.data() + digits, reference.data() + reference.size(), row);
  return row;
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
      const auto aligned = descendants(*one, "vertAlign");
      const bool raised = !aligned.empty() && attribute(*aligned.front(), "val") == "superscript";
      out += raised ? raised_text(rich_text(*one)) : rich_text(*one);
    }
  }
  return out;
}

// Adds the sheets of one workbook.
class Workbook {
 public:
  Workbook(const Package& package, const std::string& main, const Node& root, Html* html)
      : package_(package), html_(html), formats_(cell_formats(package, main)) {
    const Node* properties = child(root, "workbookPr");
    const std::string since = properties == nullptr ? "" : attribute(*properties, "date1904");
    since_1904_ = is_true(since);
    const auto part = package.target(main, "sharedStrings");
    const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
    if (!tree || tree->root() == nullptr) return;
    for (const Node* one : children(*tree->root(), "si")) texts_.push_back(rich_text(*one));
  }

  void add_sheet(const std::string& name, const std::string& part) {
    html_->page_break();
    html_->heading(2, name);
    const Tree tree = package_.need_xml(part);
    begin_sheet(*tree.root());
    const Node* data = child(*tree.root(), "sheetData");
    if (data != nullptr) add_blocks(rows_of(*data));
    add_sheet_drawing(package_, part, html_);
    add_comments(part);
    html_->check_size(package_.name());
  }

  // Reports the texts of a sheet that is not shown.
  void hide_sheet(const std::string& part) {
    const Tree tree = package_.need_xml(part);
    begin_sheet(*tree.root());
    const Node* data = child(*tree.root(), "sheetData");
    if (data == nullptr) return;
    for (const SheetRow& row : rows_of(*data)) hide(row.cells);
  }

 private:
  // Reads which columns are hidden and which cells are merged.
  void begin_sheet(const Node& root) {
    hidden_columns_.clear();
    merges_.clear();
    for (const Node* column : descendants(root, "col")) {
      if (!is_true(attribute(*column, "hidden"))) continue;
      const int first = number_in(attribute(*column, "min"), 1) - 1;
      hidden_columns_.emplace_back(first, number_in(attribute(*column, "max"), first + 1) - 1);
    }
    for (const Node* one : descendants(root, "mergeCell")) {
      const std::string range = attribute(*one, "ref");
      const std::size_t colon = range.find(':');
      if (colon == std::string::npos) continue;
      const std::string last = range.substr(colon + 1);
      merges_.push_back({row_of(range), column_of(range), row_of(last), column_of(last)});
    }
  }

  bool is_hidden_column(int column) const {
    return std::ranges::any_of(hidden_columns_, [&](const auto& range) {
      return range.first <= column && column <= range.second;
    });
  }

  const Merge* merge_at(int row, int column) const {
    const auto found = std::ranges::find_if(
        merges_, [&](const Merge& merge) { return merge.covers(row, column); });
    return found == merges_.end() ? nullptr : &*found;
  }

  void hide(const Cells& cells) {
    std::string text;
    for (const auto& [column, value] : cells) text += (text.empty() ? "" : " ") + value;
    html_->hide(text);
  }

  // Returns what the cell shows.
  std::string shown(const Node& cell) {
    const auto style = static_cast<std::size_t>(number_in(attribute(cell, "s"), 0));
    const std::string_view code =
        style < formats_.size() ? std::string_view(formats_[style]) : std::string_view("General");
    const std::string type = attribute(cell, "t"), value = value_of_cell(cell);
    if (is_blank(value)) {
      const Node* formula = child(cell, "f");
      if (formula == nullptr || type == "str") return {};
      const std::string text = text_of(*formula);
      return "no stored value: " + (text.empty() ? "a formula" : "=" + text);
    }
    if (type == "b" || type == "e" || type == "d") return value;
    std::string text = type.empty() || type == "n" ? shown_value(value, code, since_1904_)
                                                   : shown_text(value, code);
    // A format without a section for the value, such as ";;;", hides it.
    if (is_blank(text)) html_->hide(value);
    return text;
  }

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
    if (type == "b" && !text.empty()) return text == "1" ? "TRUE" : "FALSE";
    return text;
  }

  // Returns the rows that are not blank, in order. Reports hidden ones.
  std::vector<SheetRow> rows_of(const Node& data) {
    std::vector<SheetRow> rows;
    int number = 0, hidden = 0;
    for (const Node* row : children(data, "row")) {
      number = number_in(attribute(*row, "r"), number + 1);
      Cells cells = cells_of(*row, number);
      if (is_true(attribute(*row, "hidden"))) {
        hide(cells);
        ++hidden;
      } else if (!cells.empty()) {
        rows.push_back({.number = number, .place = number - hidden, .cells = std::move(cells)});
      }
    }
    return rows;
  }

  // Returns the cells of a row that show something. Reports those of hidden columns, and those that
  // a merged cell covers.
  Cells cells_of(const Node& row, int number) {
    Cells cells, hidden;
    int column = -1;
    for (const Node* cell : children(row, "c")) {
      const std::string reference = attribute(*cell, "r");
      column = reference.empty() ? column + 1 : column_of(reference);
      std::string value = shown(*cell);
      if (is_blank(value)) continue;
      const Merge* merge = merge_at(number, column);
      const bool covered = merge != nullptr && (merge->row != number || merge->column != column);
      (covered || is_hidden_column(column) ? hidden : cells)[column] = std::move(value);
    }
    hide(hidden);
    return cells;
  }

  static std::size_t end_of_block(const std::vector<SheetRow>& rows, std::size_t first) {
    std::size_t end = first + 1;
    while (end < rows.size() && rows[end].place <= rows[end - 1].place + 1) ++end;
    return end;
  }

  // Adds the rows as blocks. A block is a run of rows without a blank row between them. Rows of one
  // cell at its top are its title; the rest is a table. One blank row may set heads off.
  void add_blocks(const std::vector<SheetRow>& rows) {
    for (std::size_t first = 0; first < rows.size();) {
      std::size_t end = end_of_block(rows, first);
      while (first < end && rows[first].cells.size() == 1 &&
             !is_head_of_columns(rows, first, end)) {
        html_->paragraph(rows[first++].cells.begin()->second);
      }
      std::size_t heads = 0;
      if (first < end && end < rows.size() && rows[end].place == rows[end - 1].place + 2) {
        const std::size_t next = end_of_block(rows, end);
        if (are_heads_of(std::span(rows).subspan(first, end - first),
                         std::span(rows).subspan(end, next - end))) {
          heads = end - first;
          end = next;
        }
      }
      if (first < end) add_block(std::span(rows).subspan(first, end - first), heads);
      first = end;
    }
  }

  // Returns whether a block has the heads of the block below: a few rows of words, of which one
  // names each column that the first row below has figures in.
  static bool are_heads_of(std::span<const SheetRow> block, std::span<const SheetRow> below) {
    constexpr std::size_t kMostHeads = 4;
    if (block.size() > kMostHeads || below.size() < 2) return false;
    std::set<int> named;
    for (const SheetRow& row : block) {
      for (const auto& [column, text] : row.cells) {
        if (is_figure(text)) return false;
        named.insert(column);
      }
    }
    std::size_t figures = 0;
    for (const auto& [column, text] : below.front().cells) {
      if (!is_figure(text)) continue;
      if (!named.contains(column)) return false;
      ++figures;
    }
    return figures >= 2;
  }

  // Returns whether a cell shows a number rather than words, or a dash in place of one.
  static bool is_figure(const std::string& text) {
    if (text == "-" || text == "\u2013" || text == "\u2014") return true;
    const bool has_letter = std::ranges::any_of(
        text, [](unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    return !has_letter && text.find_first_of("0123456789") != std::string::npos;
  }

  // Returns whether the only cell of a row is merged over several columns, but not over the first
  // one of its block.
  bool is_head_of_columns(const std::vector<SheetRow>& rows, std::size_t at,
                          std::size_t end) const {
    const int column = rows[at].cells.begin()->first;
    const Merge* merge = merge_at(rows[at].number, column);
    if (merge == nullptr || merge->last_column == merge->column) return false;
    return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(at),
                       rows.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const SheetRow& row) { return row.cells.begin()->first < column; });
  }

  // Adds a block as a table without its empty columns. The first `heads` rows are heads; if it is
  // 0, the cells show which.
  void add_block(std::span<const SheetRow> rows, std::size_t heads) {
    std::map<int, int> places;
    for (const SheetRow& row : rows) {
      for (const auto& [column, text] : row.cells) places[column] = 0;
    }
    int count = 0;
    for (auto& [column, place] : places) place = count++;
    std::vector<TableCell> table;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto& [column, text] : rows[i].cells) {
        TableCell cell{.text = text, .row = static_cast<int>(i), .column = places[column]};
        cell.is_head = i < heads;
        if (const Merge* merge = merge_at(rows[i].number, column)) {
          for (std::size_t k = i + 1; k < rows.size(); ++k) {
            cell.rows += rows[k].number <= merge->last_row ? 1 : 0;
          }
          const auto next = places.upper_bound(column);
          cell.columns += static_cast<int>(
              std::distance(next, places.upper_bound(std::max(column, merge->last_column))));
        }
        table.push_back(std::move(cell));
      }
    }
    mark_heads(&table);
    html_->table_on_pages(table);
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
  std::vector<std::string> formats_;  // codes by style
  bool since_1904_ = false;
  std::vector<std::pair<int, int>> hidden_columns_;  // first and last
  std::vector<Merge> merges_;
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
    const std::string state = attribute(*sheet, "state");
    if (state == "hidden" || state == "veryHidden") {
      if (found->kind == "worksheet") workbook.hide_sheet(found->target);
      continue;
    }
    // A sheet of a chart has a drawing and no cells.
    if (found->kind == "worksheet" || found->kind == "chartsheet") {
      workbook.add_sheet(attribute(*sheet, "name"), found->target);
    }
  }
}

}  // namespace fineprint::markup
