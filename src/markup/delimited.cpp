// Reads CSV and similar formats. Source: RFC 4180.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

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
      }
    }
    return rows;
  }

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
};

// Returns the separator that splits the rows most evenly and, among those, into the most fields.
char likely_separator(std::string_view text) {
  constexpr std::array kSeparators = {',', ';', '\t', '|'};
  constexpr std::size_t kRows = 20;
  char best = ',';
  std::size_t most = 0;
  for (const char separator : kSeparators) {
    const std::vector<Row> rows = DelimitedReader(text, separator).read(kRows);
    if (rows.empty() || rows.front().size() < 2) continue;
    const std::size_t columns = rows.front().size();
    const auto alike = static_cast<std::size_t>(
        std::ranges::count_if(rows, [&](const Row& row) { return row.size() == columns; }));
    // Evenness counts in thousandths. The number of columns decides between similar separators.
    const std::size_t merit = alike * 1000 / rows.size() + std::min<std::size_t>(columns, 100);
    if (merit <= most) continue;
    most = merit;
    best = separator;
  }
  return best;
}

}  // namespace

void add_delimited(const std::string& bytes, char separator, Html* html) {
  const std::string text = decoded(bytes);
  std::string_view rest = text;
  // Spreadsheets write such a first line to announce the separator.
  if (rest.starts_with("sep=") && rest.size() > 5 && rest[5] == '\n') {
    separator = rest[4];
    rest.remove_prefix(6);
  }
  if (separator == 0) separator = likely_separator(rest);
  html->table_on_pages(DelimitedReader(rest, separator).read(rest.size()), true);
}

}  // namespace fineprint::markup
