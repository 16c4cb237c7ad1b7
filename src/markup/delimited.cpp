// Reads CSV and similar formats. Source: RFC 4180.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <string_view>

#include "fineprint/core/text.h"

#include "markup/decoding.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

// Fields in quotes may contain separators, line breaks and doubled quotes.
class DelimitedReader {
 public:
  DelimitedReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  std::vector<Row> read(std::size_t most_rows) {
    std::vector<Row> rows;
    while (at_ < text_.size() && rows.size() < most_rows) {
      Row row = read_row();
      if (std::ranges::any_of(row, [](const std::string& cell) { return !is_blank(cell); })) {
        rows.push_back(std::move(row));
      } else if (begins_.empty() || begins_.back() != rows.size()) {
        begins_.push_back(rows.size());
      }
    }
    return rows;
  }

  // The rows before which blank rows were read, which are left out.
  const std::vector<std::size_t>& begins() const { return begins_; }

 private:
  Row read_row() {
    Row row(1);
    while (at_ < text_.size()) {
      const char c = text_[at_];
      // A quote in the middle of a field is an ordinary character.
      if (c == '"' && row.back().empty()) {
        read_quoted(&row.back());
        continue;
      }
      ++at_;
      if (c == '\n') break;
      if (c == separator_) {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
    return row;
  }

  void read_quoted(std::string* field) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != '"') {
        *field += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        *field += text_[++at_];
      } else {
        ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::vector<std::size_t> begins_;
};

std::size_t filled_cells(const Row& row) {
  return static_cast<std::size_t>(
      std::ranges::count_if(row, [](const std::string& cell) { return !is_blank(cell); }));
}

// Returns the number of columns of most rows that have several; 1 if none has.
std::size_t usual_columns(const std::vector<Row>& rows) {
  std::map<std::size_t, std::size_t> counts;  // of rows, by columns
  for (const Row& row : rows) {
    if (filled_cells(row) > 1) ++counts[row.size()];
  }
  const auto most = std::ranges::max_element(
      counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? 1 : most->first;
}

bool has_digit(const Row& row) {
  return std::ranges::any_of(row, [](const std::string& cell) {
    return cell.find_first_of("0123456789") != std::string::npos;
  });
}

// Returns whether a row above the table is a title or a remark: it fills one cell, begins as a
// comment, or has too few cells for the table whose header follows.
bool is_remark(const Row& row, const Row* next, std::size_t columns) {
  if (filled_cells(row) <= 1) return true;
  if (row.front().starts_with('#') && row.size() != columns) return true;
  return row.size() < columns && next != nullptr && next->size() == columns && !has_digit(*next);
}

// Returns the first row below the titles; 0 if there is no table.
std::size_t first_of_table(const std::vector<Row>& rows) {
  const std::size_t columns = usual_columns(rows);
  std::size_t first = 0;
  if (columns == 1) return 0;
  while (is_remark(rows[first], first + 1 < rows.size() ? &rows[first + 1] : nullptr, columns)) {
    if (++first == rows.size()) return 0;
  }
  return first;
}

// Returns the number of columns that the rows with several texts fill; 1 if there are none.
std::size_t filled_columns(std::span<const Row> rows) {
  std::size_t columns = 1;
  for (const Row& row : rows) {
    if (filled_cells(row) < 2) continue;
    for (std::size_t at = columns; at < row.size(); ++at) {
      if (!is_blank(row[at])) columns = at + 1;
    }
  }
  return columns;
}

// Returns whether rows below a blank row are a table of their own: a header without digits, and
// another number of columns than the table above, which has `columns`.
bool is_other_table(std::size_t columns, std::span<const Row> rows) {
  const auto several = [](const Row& row) { return filled_cells(row) > 1; };
  const auto header = std::ranges::find_if(rows, several);
  if (header == rows.end() || has_digit(*header)) return false;
  const std::size_t own = filled_columns(rows);
  return columns > 1 && columns != own && std::ranges::count_if(rows, several) > 1;
}

// Cuts the rows into tables, each with its titles. `begins` are the rows below blank ones.
std::vector<std::span<Row>> tables_in(std::vector<Row>& rows, std::vector<std::size_t> begins) {
  begins.push_back(rows.size());
  const std::span<Row> all = rows;
  std::vector<std::span<Row>> tables;
  std::size_t first = 0, at = 0, columns = 1;
  for (const std::size_t end : begins) {
    const std::span<Row> block = all.subspan(at, end - at);
    if (is_other_table(columns, block)) {
      tables.push_back(all.subspan(first, at - first));
      first = at;
      columns = 1;
    }
    columns = std::max(columns, filled_columns(block));
    at = end;
  }
  tables.push_back(all.subspan(first));
  return tables;
}

// How evenly a separator splits the rows of the table, without the titles above it.
struct Evenness {
  std::size_t columns = 1;  // of most rows
  std::size_t share = 0;    // of the rows that have so many, in thousandths
  bool whole = false;       // every row has so many, and there are no titles
};

Evenness evenness_of(std::string_view text, char separator) {
  constexpr std::size_t kRows = 100;
  const std::vector<Row> rows = DelimitedReader(text, separator).read(kRows);
  const std::size_t columns = usual_columns(rows);
  if (columns == 1) return {};
  const std::size_t first = first_of_table(rows);
  const auto alike = static_cast<std::size_t>(
      std::count_if(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                    [&](const Row& row) { return row.size() == columns; }));
  return {.columns = columns,
          .share = alike * 1000 / (rows.size() - first),
          .whole = alike == rows.size()};
}

// Returns the text with blanks in place of the commas between digits, which may be decimal commas.
std::string without_decimal_commas(std::string_view text) {
  std::string out(text);
  const auto is_digit_at = [&](std::size_t at) { return out[at] >= '0' && out[at] <= '9'; };
  for (std::size_t i = 1; i + 1 < out.size(); ++i) {
    if (out[i] == ',' && is_digit_at(i - 1) && is_digit_at(i + 1)) out[i] = ' ';
  }
  return out;
}

// Returns the separator that splits the rows most evenly and, among those, into the most columns.
// Commas between digits count only if no other separator can be meant, or if they and all other
// commas split every row alike and no other separator does.
char likely_separator(std::string_view text) {
  constexpr std::size_t kLooked = 65'536, kMost = 500;
  const std::string_view head = text.substr(0, kLooked);
  const auto merit = [](const Evenness& one) {
    return one.share + std::min<std::size_t>(one.columns, 100);
  };
  char best = ',';
  Evenness most;
  for (const char separator : {';', '\t', '|'}) {
    const Evenness found = evenness_of(head, separator);
    if (merit(found) <= merit(most)) continue;
    most = found;
    best = separator;
  }
  Evenness commas = evenness_of(head, ',');
  const bool is_doubtful = most.share >= kMost && (!commas.whole || most.whole);
  if (is_doubtful) commas = evenness_of(without_decimal_commas(head), ',');
  return merit(commas) >= merit(most) ? ',' : best;
}

}  // namespace

void add_delimited(const std::string& name, const std::string& bytes, char separator, Html* html) {
  const std::string text = decoded(name, bytes);
  std::string_view rest = text;
  // Spreadsheets write such a first line to announce the separator.
  if (rest.starts_with("sep=") && rest.size() > 5 && rest[5] == '\n') {
    separator = rest[4];
    rest.remove_prefix(6);
  }
  if (separator == 0) separator = likely_separator(rest);
  DelimitedReader reader(rest, separator);
  std::vector<Row> all = reader.read(rest.size());
  const std::vector<std::span<Row>> tables = tables_in(all, reader.begins());
  for (const std::span<Row> table : tables) {
    std::vector<Row> rows(std::make_move_iterator(table.begin()),
                          std::make_move_iterator(table.end()));
    const std::size_t first = first_of_table(rows);
    for (std::size_t i = 0; i < first; ++i) {
      // Empty fields only fill the row of a title up to the width of the table.
      std::erase_if(rows[i], [](const std::string& field) { return is_blank(field); });
      html->paragraph(join_texts(rows[i], std::string(1, separator)));
    }
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
    // Of several tables, each has the columns that it fills.
    const std::size_t columns = filled_columns(rows);
    for (Row& row : rows) {
      if (tables.size() > 1 && columns > 1 && row.size() > columns) row.resize(columns);
    }
    html->table_on_pages(cells_of_rows(rows, true));
  }
}

}  // namespace fineprint::markup
