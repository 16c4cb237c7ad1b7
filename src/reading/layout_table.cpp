// Finds tables without ruled lines: consecutive rows with cells one below the other.
#include "reading/layout_table.h"

#include <algorithm>
#include <string>

namespace fineprint::reading {
namespace {

constexpr std::size_t kMinRows = 3;       // rows with several cells; two may be aligned by chance
constexpr std::size_t kMinRuledRows = 2;  // ruled lines are evidence, too
constexpr std::size_t kMaxSingles = 4;    // rows of one cell (labels, sub-headings) in between
constexpr std::size_t kMaxHeaders = 4;
constexpr std::size_t kMaxLabels = 1;
constexpr std::size_t kRecent = 3;       // rows with which the columns of a row are compared
constexpr float kRowGap = 2.6F;          // of the font size; white between two rows of a table
constexpr float kLabelGap = 0.7F;        // of the font size; white between the lines of one label
constexpr float kLargerHeading = 1.15F;  // times the size of the row above
// of the table's width; a row of one cell in the table is narrower
constexpr float kNarrow = 0.75F;
constexpr std::uint32_t kShortCell = 32;
constexpr double kShortShare = 0.6;  // share of the cells after the label that are short or numbers

bool meet(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1; }

bool follows(const Row& above, const Row& row) {
  const float size = std::max(above.size_pt, row.size_pt);
  return row.box.y0 - above.box.y1 <= kRowGap * size && row.figure < 0;
}

class TableFinder {
 public:
  TableFinder(const pdf::RawPage& page, const std::vector<Row>& rows) : page_(page), rows_(rows) {}

  std::vector<TableRange> find() {
    std::vector<TableRange> tables;
    std::size_t at = 0, free_from = 0;
    while (at < rows_.size()) {
      TableRange range = run_from(at);
      if (!is_table(range)) {
        ++at;
        continue;
      }
      at = range.last;
      add_headers(range, free_from);
      free_from = range.last;
      if (!tables.empty() && tables.back().last == range.first && near(range.first)) {
        tables.back().last = range.last;  // the columns changed, but the table continues
      } else {
        tables.push_back(range);
      }
    }
    return tables;
  }

 private:
  bool near(std::size_t row) const { return row > 0 && follows(rows_[row - 1], rows_[row]); }

  // Returns the rows from `first` on that share columns.
  TableRange run_from(std::size_t first) const {
    if (rows_[first].cells.size() < 2) return {first, first};
    std::vector<std::size_t> several{first};
    Box width = rows_[first].box;
    std::size_t singles = 0;
    for (std::size_t at = first + 1; at < rows_.size() && near(at); ++at) {
      const Row& row = rows_[at];
      if (row.boxed) break;
      if (row.cells.size() >= 2) {
        if (!keeps_columns(row, several)) break;
        several.push_back(at);
        width = united(width, row.box);
        singles = 0;
      } else if (++singles > kMaxSingles || row.box.width() > kNarrow * width.width() ||
                 begins_another(at, several)) {
        break;
      }
    }
    return {first, several.back() + 1};
  }

  // Returns whether the row, of one cell, is the heading of the next table: it is set larger than
  // the table, or the row below it has the first head of the table again.
  bool begins_another(std::size_t at, const std::vector<std::size_t>& several) const {
    const Row& row = rows_[at];
    if (row.size_pt >= kLargerHeading * rows_[several.back()].size_pt) return true;
    if (at + 1 >= rows_.size() || rows_[at + 1].cells.size() < 2) return false;
    const std::string head = text_of(page_, rows_[several.front()].cells[0].words);
    return several.size() > 1 && !rows_[several.front()].cells[0].numeric &&
           text_of(page_, rows_[at + 1].cells[0].words) == head;
  }

  // Returns whether two cells are each below exactly one cell of a recent row. One cell is enough
  // if it is below the previous row and the last cell is a number. A cell below several cells says
  // nothing. Several rows are compared, because one may lack a value.
  bool keeps_columns(const Row& row, const std::vector<std::size_t>& several) const {
    const std::size_t from = several.size() > kRecent ? several.size() - kRecent : 0;
    for (std::size_t i = from; i < several.size(); ++i) {
      const Row& above = rows_[several[i]];
      std::size_t matched = 0;
      for (const Cell& cell : row.cells) {
        const auto over =
            std::count_if(above.cells.begin(), above.cells.end(),
                          [&](const Cell& other) { return meet(cell.box, other.box); });
        matched += over == 1;
      }
      if (matched >= 2 || (matched == 1 && row.cells.back().numeric && i + 1 == several.size())) {
        return true;
      }
    }
    return false;
  }

  // Text in columns has long cells, so that most cells of a table must be short or numbers.
  bool is_table(const TableRange& range) const {
    std::size_t several = 0, cells = 0, suited = 0, ruled = 0;
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (rows_[i].cells.size() < 2) continue;
      ++several;
      ruled += rows_[i].ruled;
      for (std::size_t c = 1; c < rows_[i].cells.size(); ++c) {
        const Cell& cell = rows_[i].cells[c];
        ++cells;
        suited += cell.numeric || cell.characters <= kShortCell;
      }
    }
    if (several >= kMinRuledRows && ruled == several) return true;
    return several >= kMinRows &&
           static_cast<double>(suited) >= kShortShare * static_cast<double>(cells);
  }

  // Adds header rows: rows above the table that are over the value columns ("Year ended December
  // 31,") or name the unit.
  void add_headers(TableRange& range, std::size_t free_from) const {
    float values_from = rows_[range.first].box.x1;
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (rows_[i].cells.size() < 2) continue;
      values_from = std::min(values_from, rows_[i].cells[1].box.x0);
    }
    // A label ("Operating Activities") may be between the header and the first numbers.
    std::size_t labels = 0;
    for (std::size_t at = range.first; at > free_from && range.first - at < kMaxHeaders; --at) {
      const std::size_t above = at - 1;
      if (rows_[above].figure >= 0 || !follows(rows_[above], rows_[at])) return;
      if (is_header(rows_[above], values_from)) {
        range.first = above;
        at = above + 1;
      } else if (++labels > kMaxLabels || !is_label(rows_[above], values_from)) {
        return;
      }
    }
  }

  static bool is_label(const Row& row, float values_from) {
    return row.cells.size() == 1 && !row.boxed && row.box.x1 < values_from;
  }

  bool is_header(const Row& row, float values_from) const {
    if (row.cells.empty() || row.boxed || row.characters() > 120) return false;
    // Headers are centred or set to the right of their columns, and may begin a little earlier.
    if (row.box.x0 >= values_from - 2 * row.size_pt) return true;
    if (row.cells.size() >= 2) return row.cells[1].box.x0 >= values_from - 2 * row.size_pt;
    const std::string& first = page_.words[row.cells[0].words.front()].text;
    return first.front() == '(' && row.characters() <= 80;
  }

  const pdf::RawPage& page_;
  const std::vector<Row>& rows_;
};

bool starts_lower(const std::string& text) {
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z';
}

// Returns whether a label that ends with `word` is cut in the middle of a phrase.
bool is_unfinished(const std::string& word) {
  static constexpr std::string_view kOpen[] = {"of", "and", "for",  "the",  "in", "to", "by",
                                               "or", "on",  "with", "from", "at", "&",  "net"};
  return word.back() == ',' || word.back() == '-' ||
         std::find(std::begin(kOpen), std::end(kOpen), word) != std::end(kOpen);
}

void put_before(Row& row, const Row& label) {
  Cell cell = label.cells[0];
  Cell& first = row.cells[0];
  cell.words.insert(cell.words.end(), first.words.begin(), first.words.end());
  cell.box = united(cell.box, first.box);
  cell.characters += first.characters;
  row.cells[0] = std::move(cell);
  row.box = united(row.box, label.box);
}

void put_after(Row& row, const Row& label) {
  Cell& first = row.cells[0];
  const Cell& more = label.cells[0];
  first.words.insert(first.words.end(), more.words.begin(), more.words.end());
  first.box = united(first.box, more.box);
  first.characters += more.characters;
  row.box = united(row.box, label.box);
}

// Returns whether `row` lies between two rows and covers parts of both, in columns that they leave
// empty: its cells are centred over both rows.
bool is_centred_over(const Row& above, const Row& row, const Row& below) {
  // Figures and stated tables have no cells here, and stay rows of their own.
  if (above.figure >= 0 || row.figure >= 0 || below.figure >= 0) return false;
  if (row.box.y0 >= above.box.y1 || row.box.y1 <= below.box.y0) return false;
  if (row.box.y0 <= above.box.y0 || row.box.y1 >= below.box.y1) return false;
  return std::ranges::none_of(row.cells, [&](const Cell& cell) {
    const auto meets = [&](const Cell& other) { return meet(cell.box, other.box); };
    return std::ranges::any_of(above.cells, meets) || std::ranges::any_of(below.cells, meets);
  });
}

}  // namespace

std::vector<TableRange> find_tables(const pdf::RawPage& page, const std::vector<Row>& rows) {
  return TableFinder(page, rows).find();
}

std::vector<Row> join_centred(std::vector<Row> rows) {
  std::vector<Row> joined;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    const bool centred =
        !joined.empty() && i + 1 < rows.size() && is_centred_over(joined.back(), row, rows[i + 1]);
    if (!centred) {
      joined.push_back(std::move(row));
      continue;
    }
    Row& first = joined.back();
    first.cells.insert(first.cells.end(), row.cells.begin(), row.cells.end());
    std::ranges::stable_sort(first.cells, {}, [](const Cell& cell) { return cell.box.x0; });
    first.box = united(first.box, row.box);
  }
  return joined;
}

std::vector<Row> join_labels(const pdf::RawPage& page, std::vector<Row> rows) {
  // The numbers are next to the first or the last line of a label. Only the words show which: the
  // lower line continues a phrase. A label that ends with a colon is a heading of rows.
  std::vector<Row> joined;
  for (Row& row : rows) {
    const auto text = [&](std::uint32_t index) -> const std::string& {
      return page.words[index].text;
    };
    const bool close = !joined.empty() && !joined.back().cells.empty() && !row.cells.empty() &&
                       row.box.y0 - joined.back().box.y1 < kLabelGap * row.size_pt &&
                       meet(joined.back().cells[0].box, row.cells[0].box) &&
                       !row.cells[0].numeric && !joined.back().cells[0].numeric;
    if (close) {
      Row& above = joined.back();
      const std::string& first = text(row.cells[0].words.front());
      const bool goes_on = starts_lower(first) || is_unfinished(text(above.cells[0].words.back()));
      const bool label_above = above.cells.size() == 1 && row.cells.size() >= 2;
      if (goes_on && label_above && text(above.cells[0].words.back()).back() != ':') {
        put_before(row, above);
        above = std::move(row);
        continue;
      }
      if (goes_on && above.cells.size() >= 2 && row.cells.size() == 1 &&
          row.box.x1 <= above.cells[1].box.x0) {
        put_after(above, row);
        continue;
      }
    }
    joined.push_back(std::move(row));
  }
  return joined;
}

}  // namespace fineprint::reading
