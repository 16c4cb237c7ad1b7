// Finds rows of pairs, and distinguishes a sheet of labels from a table of numbers, names or pages.
#include "text/label_sheet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

constexpr float kRowGap = 3.5F;  // in font sizes: white between two rows of a sheet
constexpr double kMostly = 0.8;

class SheetRows {
 public:
  explicit SheetRows(const LabelPage& on) : on_(on) {}

  std::optional<Sheet> find(std::size_t at) const {
    const std::vector<LabelPiece> first = row_pieces(on_.lines()[at], 0);
    if (first.empty()) return std::nullopt;
    Sheet sheet;
    sheet.has_left = first.size() < on_.lines()[at].pieces.size();
    add_row(on_.lines()[at], first, &sheet);
    std::size_t last = at;  // line of the last row, or of what continues it
    std::size_t blanks = 0, wraps = 0;
    for (std::size_t next = at + 1;
         next < on_.lines().size() && on_.is_close_below(next - 1, next, kRowGap); ++next) {
      const LabelLine& line = on_.lines()[next];
      const LabelPiece* piece = on_.single(next);
      const std::vector<LabelPiece> row = row_pieces(line, sheet.rows.front().pieces.size());
      if (is_row_of(sheet, row, line)) {
        add_row(line, row, &sheet);
        last = next;
        blanks = wraps = 0;
      } else if (piece != nullptr &&
                 on_.continues_value(sheet.rows.back().pieces.back(), *piece, last, next) &&
                 ++wraps <= kMostWraps) {
        sheet.rows.back().pieces.back().words.end = piece->words.end;
        last = next;
      } else if (piece == nullptr || line.is_heading || ++blanks > 1) {
        break;
      }
    }
    sheet.end = last + 1;
    return sheet;
  }

 private:
  // Returns the pieces from which on a line may be a row of pairs: all, or the last two of an odd
  // number. Returns none if the line is no such row.
  std::vector<LabelPiece> row_pieces(const LabelLine& line, std::size_t width) const {
    if (line.is_two_lines || line.pieces.size() < std::max<std::size_t>(width, 2)) return {};
    if (width == 0) width = line.pieces.size() % 2 == 0 ? line.pieces.size() : 2;
    std::vector<LabelPiece> pieces(line.pieces.end() - static_cast<std::ptrdiff_t>(width),
                                   line.pieces.end());
    if (!on_.is_label(pieces.front()) || pieces[1].colons > 0) return {};
    return pieces;
  }

  static void add_row(const LabelLine& line, const std::vector<LabelPiece>& pieces, Sheet* sheet) {
    if (pieces.size() < line.pieces.size()) sheet->left.push_back(line.pieces.front());
    sheet->rows.push_back({pieces});
  }

  static bool is_row_of(const Sheet& sheet, const std::vector<LabelPiece>& row,
                        const LabelLine& line) {
    const std::vector<LabelPiece>& first = sheet.rows.front().pieces;
    if (row.size() != first.size()) return false;
    if (!sheet.has_left && row.size() != line.pieces.size()) return false;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (!is_aligned(first[i].box, row[i].box, first[i].size_pt)) return false;
    }
    return true;
  }

  const LabelPage& on_;
};

class SheetTest {
 public:
  explicit SheetTest(const LabelPage& on) : on_(on) {}

  bool holds(const Sheet& sheet) const {
    const std::size_t rows = sheet.rows.size();
    if (!is_apart_from_left(sheet)) return false;
    bool set_apart = true, leads = true;
    std::size_t colons = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t pair = 0; pair < sheet.pairs(); ++pair) {
        const LabelPiece &label = sheet.label(row, pair), &value = sheet.value(row, pair);
        if (!on_.is_label(label) || value.words.count() > kMostValueWords) return false;
        set_apart = set_apart && look_different(label, value);
        leads = leads && label.leads_on;
        colons += label.ends_with_colon ? 1 : 0;
      }
    }
    const bool marked = set_apart || 2 * colons >= rows * sheet.pairs();
    if (leads && !lists_pages(sheet)) return true;
    if (marked) return rows > 1 || colons == sheet.pairs();
    if (rows < 2 || sheet.pairs() > 1 || leads) return false;
    if (sheet.has_left && !any_digit(sheet)) return false;
    return has_names(sheet) && !has_header(sheet) && !lists_names(sheet) && !is_all_numbers(sheet);
  }

 private:
  // Returns whether the text on the left is another text and not the first column of a table, which
  // would have a cell in each row, all set alike.
  static bool is_apart_from_left(const Sheet& sheet) {
    if (!sheet.has_left || sheet.left.size() < sheet.rows.size()) return true;
    return std::ranges::any_of(sheet.left, [&](const LabelPiece& piece) {
      return look_different(piece, sheet.left.front());
    });
  }

  static bool any_digit(const Sheet& sheet) {
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
      if (sheet.value(row, 0).has_digit) return true;
    }
    return false;
  }

  // Labels say what a value is, so few have digits, and none occurs more often than others: in a
  // sheet of several records, each occurs once in each.
  bool has_names(const Sheet& sheet) const {
    std::map<std::string, std::size_t> names;
    std::size_t plain = 0;
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
      ++names[fold(joined_words(on_.page(), sheet.label(row, 0).words))];
      plain += sheet.label(row, 0).has_digit ? 0 : 1;
    }
    const std::size_t often = names.begin()->second;
    const bool are_even =
        std::ranges::all_of(names, [&](const auto& name) { return name.second == often; });
    const auto rows = static_cast<double>(sheet.rows.size());
    return names.size() > 1 && are_even && static_cast<double>(plain) >= kMostly * rows;
  }

  // A header is set differently from the rows below it, or names what they count.
  static bool has_header(const Sheet& sheet) {
    const std::size_t rows = sheet.rows.size();
    if (rows < 3) return false;
    bool differs = false, numbers = true;
    for (std::size_t row = 1; row < rows; ++row) {
      differs = differs || look_different(sheet.value(0, 0), sheet.value(row, 0));
      numbers = numbers && is_number_like(sheet.value(row, 0));
    }
    return (differs && !look_different(sheet.label(0, 0), sheet.value(0, 0))) ||
           (numbers && !sheet.value(0, 0).has_digit);
  }

  // A list of people or places has names on the left, and a header that is none.
  bool lists_names(const Sheet& sheet) const {
    const std::size_t rows = sheet.rows.size();
    if (rows < 3 || is_proper_name(sheet.label(0, 0)) || is_proper_name(sheet.value(0, 0))) {
      return false;
    }
    for (std::size_t row = 1; row < rows; ++row) {
      if (!is_proper_name(sheet.label(row, 0))) return false;
    }
    return true;
  }

  // Returns whether the piece is several words that all begin with a capital.
  bool is_proper_name(const LabelPiece& piece) const {
    for (std::uint32_t i = piece.words.first; i < piece.words.end; ++i) {
      if (on_.word(i)[0] < 'A' || on_.word(i)[0] > 'Z') return false;
    }
    return piece.words.count() > 1;
  }

  static bool is_number_like(const LabelPiece& piece) {
    return piece.is_number || !piece.has_letter;
  }

  // Returns whether all values are numbers of one kind. Those of a data sheet have different units.
  bool is_all_numbers(const Sheet& sheet) const {
    std::set<std::string> units;
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
      const LabelPiece& value = sheet.value(row, 0);
      if (!is_number_like(value)) return false;
      units.insert(letters_of_piece(value));
    }
    return units.size() < 2;
  }

  std::string letters_of_piece(const LabelPiece& piece) const {
    std::string letters;
    for (std::uint32_t i = piece.words.first; i < piece.words.end; ++i) {
      for (std::size_t at = 0; at < on_.word(i).size();) {
        const char32_t c = next_code_point(on_.word(i), &at);
        if (is_letter(c)) append_utf8(c, &letters);
      }
    }
    return letters;
  }

  // A table of contents also has dots: its numbers are those of pages, which never fall.
  bool lists_pages(const Sheet& sheet) const {
    int before = 0;
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
      const LabelPiece& value = sheet.value(row, sheet.pairs() - 1);
      const std::string& text = on_.word(value.words.first);
      const bool is_page = value.words.count() == 1 && text.size() <= 4 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
      if (!is_page) return false;
      const int page = std::stoi(text);
      if (page < before) return false;
      before = page;
    }
    return true;
  }

  const LabelPage& on_;
};

}  // namespace

std::optional<Sheet> sheet_at(const LabelPage& on, std::size_t at) {
  return SheetRows(on).find(at);
}

bool is_sheet(const LabelPage& on, const Sheet& sheet) { return SheetTest(on).holds(sheet); }

}  // namespace fineprint::text
