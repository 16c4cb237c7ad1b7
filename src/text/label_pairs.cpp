// Recognises labels by what follows them: a colon, a column of values, a value set differently.
#include "fineprint/text/label_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fineprint/core/unicode.h"
#include "fineprint/text/check_marks.h"

#include "text/label_lines.h"

namespace fineprint::text {
namespace {

// In font sizes.
constexpr float kAligned = 1.5F;     // ends of the cells of one column differ by at most this
constexpr float kCentred = 0.6F;     // the same of their middles
constexpr float kRowGap = 3.5F;      // white between two rows of a sheet
constexpr float kWrapGap = 0.8F;     // white between two lines of one value
constexpr float kStackGap = 1.2F;    // white between a label and the value below it
constexpr float kMostIndent = 4.5F;  // of a value below its label
constexpr std::size_t kMostValueWords = 25, kMostStackedWords = 12, kMostStackedLabel = 6;
constexpr std::size_t kMostBelowWords = 18;    // of a label in parentheses
constexpr std::size_t kMostSentenceWords = 8;  // a longer value with a full stop is a sentence
constexpr std::size_t kMostWraps = 3;          // further lines of a value
constexpr std::size_t kFewPairs = 2;           // that show where the labels of a form begin
constexpr double kMostly = 0.8;

bool is_aligned(const Box& a, const Box& b, float size) {
  const float off_centre = std::abs((a.x0 + a.x1) - (b.x0 + b.x1)) / 2;
  return std::abs(a.x0 - b.x0) <= kAligned * size || std::abs(a.x1 - b.x1) <= kAligned * size ||
         off_centre <= kCentred * size;
}

float white_between(const Box& above, const Box& below) { return below.y0 - above.y1; }

bool overlap_across(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1; }

// A row of columns: the label and the value of each pair. A value may go on in further lines.
struct SheetRow {
  std::vector<LabelPiece> pieces;
};

// Rows with equally many aligned pieces, and the line after the last of them.
struct Sheet {
  std::vector<SheetRow> rows;
  std::size_t end = 0;
  // Text to the left of the pairs, for example an address next to the number of an invoice: the
  // first piece of each row that has any.
  bool has_left = false;
  std::vector<LabelPiece> left;

  std::size_t pairs() const { return rows.front().pieces.size() / 2; }
  const LabelPiece& label(std::size_t row, std::size_t pair) const {
    return rows[row].pieces[2 * pair];
  }
  const LabelPiece& value(std::size_t row, std::size_t pair) const {
    return rows[row].pieces[2 * pair + 1];
  }
};

class PairFinder {
 public:
  explicit PairFinder(const Page& page) : page_(page), lines_(label_lines(page)) {}

  std::vector<LabelPair> find() {
    for (std::size_t at = 0; at < lines_.size();) {
      std::size_t next = at;
      if (lines_[at].is_two_lines) next = add_boxed(at);
      if (next == at) next = add_marked(at);
      if (next == at) next = add_columns(at);
      if (next == at) next = add_after_colons(at);
      if (next == at && at >= table_end_) next = add_stacked(at);
      if (next == at && at >= table_end_) next = add_above_label(at);
      if (next == at && at >= table_end_) note_lone_row(at);
      at = std::max(next, at + 1);
    }
    add_lone_rows();
    return std::move(pairs_);
  }

 private:
  const std::string& word(std::uint32_t index) const { return page_.words[index].text; }

  void add(const WordRun& label, const WordRun& value) {
    if (label.count() > 0 && value.count() > 0) pairs_.push_back({label, value});
  }

  // Returns the line if it is one piece, or nullptr.
  const LabelPiece* single(std::size_t at) const {
    if (at >= lines_.size() || lines_[at].is_two_lines || lines_[at].pieces.size() != 1) {
      return nullptr;
    }
    return &lines_[at].pieces.front();
  }

  // Returns whether a line is right below another, in reading order and on the page.
  bool is_near(std::size_t above, std::size_t below, float most) const {
    if (below >= lines_.size()) return false;
    const float size = size_of_line(above);
    const float gap = white_between(lines_[above].box, lines_[below].box);
    return gap <= most * size && gap > -0.5F * size;
  }

  float size_of_line(std::size_t at) const {
    return lines_[at].pieces.empty() ? 1 : lines_[at].pieces.front().size_pt;
  }

  // --- Rows of their own

  // A row alone does not show a column.
  void note_lone_row(std::size_t at) {
    const LabelLine& line = lines_[at];
    if (line.is_two_lines || line.pieces.size() != 2) return;
    const LabelPiece &label = line.pieces[0], &value = line.pieces[1];
    const bool fits = is_label(label) && !label.has_digit && value.colons == 0 &&
                      value.words.count() <= kMostStackedWords;
    if (fits) lone_rows_.push_back({label.words, value.words});
  }

  // Adds the lone rows whose labels begin where the labels of other pairs do, as in a form.
  void add_lone_rows() {
    const std::size_t found = pairs_.size();
    for (const LabelPair& row : lone_rows_) {
      const LabelPiece label = piece_of(page_, row.label);
      std::size_t alike = 0;
      for (std::size_t i = 0; i < found; ++i) {
        const Box& other = page_.words[pairs_[i].label.first].box;
        alike += std::abs(other.x0 - label.box.x0) <= label.size_pt ? 1 : 0;
      }
      if (alike >= kFewPairs) pairs_.push_back(row);
    }
    std::ranges::sort(pairs_, {}, [](const LabelPair& pair) { return pair.all().first; });
  }

  // --- Boxes, which layout has written as lines

  // The label is the first text line, and further ones that look like it and not like the last.
  std::size_t add_boxed(std::size_t at) {
    const WordRun all = lines_[at].pieces.front().words;
    std::vector<WordRun> rows;
    for (std::uint32_t i = all.first; i < all.end; ++i) {
      const bool begins =
          i == all.first ||
          page_.words[i].box.y0 > page_.words[i - 1].box.y1 - 0.3F * page_.words[i].box.height();
      if (begins) rows.push_back({i, i});
      rows.back().end = i + 1;
    }
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (!word(rows[i].first).starts_with('(') || !word(all.end - 1).ends_with(')')) continue;
      add({rows[i].first, all.end}, {all.first, rows[i].first});
      return at + 1;
    }
    std::size_t labels = 1;
    const LabelPiece first = piece_of(page_, rows.front()), last = piece_of(page_, rows.back());
    while (look_different(first, last) && labels + 1 < rows.size() &&
           !look_different(first, piece_of(page_, rows[labels]))) {
      ++labels;
    }
    add({all.first, rows[labels].first}, {rows[labels].first, all.end});
    return at + 1;
  }

  // --- Boxes to tick

  // A box is in front of what it is about, or at the end of the line. If there are words in front
  // of the first of several boxes, these are the choices: "Insured [x] yes [ ] no".
  std::size_t add_marked(std::size_t at) {
    const LabelLine& line = lines_[at];
    if (line.is_two_lines || line.pieces.empty()) return at;
    const WordRun all{line.pieces.front().words.first, line.pieces.back().words.end};
    std::vector<std::uint32_t> marks;
    for (std::uint32_t i = all.first; i < all.end; ++i) {
      if (check_mark(word(i)) != CheckMark::none) marks.push_back(i);
    }
    if (marks.empty()) return at;
    if (marks.front() == all.first) {
      for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::uint32_t end = i + 1 < marks.size() ? marks[i + 1] : all.end;
        add({marks[i] + 1, end}, {marks[i], marks[i] + 1});
      }
    } else if (marks.size() == 1 && marks.front() + 1 == all.end) {
      add({all.first, marks.front()}, {marks.front(), all.end});
    } else if (marks.back() + 1 < all.end) {
      add({all.first, marks.front()}, {marks.front(), all.end});
    }
    return at + 1;
  }

  // --- Columns of labels and values

  std::size_t add_columns(std::size_t at) {
    if (at < table_end_) return at;  // a part of a table is no sheet either
    const std::optional<Sheet> sheet = sheet_at(at);
    if (!sheet) return at;
    if (sheet->rows.size() > 1) table_end_ = std::max(table_end_, sheet->end);
    if (!is_sheet(*sheet)) return at;
    for (std::size_t row = 0; row < sheet->rows.size(); ++row) {
      for (std::size_t pair = 0; pair < sheet->pairs(); ++pair) {
        add(sheet->label(row, pair).words, sheet->value(row, pair).words);
      }
    }
    return sheet->end;
  }

  // Returns the pieces from which on a line may be a row of pairs: all, or the last two of an odd
  // number. Returns none if the line is no such row.
  std::vector<LabelPiece> row_pieces(const LabelLine& line, std::size_t width) const {
    if (line.is_two_lines || line.pieces.size() < std::max<std::size_t>(width, 2)) return {};
    if (width == 0) width = line.pieces.size() % 2 == 0 ? line.pieces.size() : 2;
    std::vector<LabelPiece> pieces(line.pieces.end() - static_cast<std::ptrdiff_t>(width),
                                   line.pieces.end());
    if (!is_label(pieces.front()) || pieces[1].colons > 0) return {};
    return pieces;
  }

  // Returns whether the piece is all label: "Skipper", "Skipper:", but not "Skipper: Ines".
  bool is_label(const LabelPiece& piece) const {
    return is_label_like(page_, piece) && (piece.colons == 0 || piece.colon_end == piece.words.end);
  }

  std::optional<Sheet> sheet_at(std::size_t at) const {
    const std::vector<LabelPiece> first = row_pieces(lines_[at], 0);
    if (first.empty()) return std::nullopt;
    Sheet sheet;
    sheet.has_left = first.size() < lines_[at].pieces.size();
    add_row(lines_[at], first, &sheet);
    std::size_t last = at;  // line of the last row, or of what continues it
    std::size_t blanks = 0, wraps = 0;
    for (std::size_t next = at + 1; next < lines_.size() && is_near(next - 1, next, kRowGap);
         ++next) {
      const LabelLine& line = lines_[next];
      const LabelPiece* piece = single(next);
      const std::vector<LabelPiece> row = row_pieces(line, sheet.rows.front().pieces.size());
      if (is_row_of(sheet, row, line)) {
        add_row(line, row, &sheet);
        last = next;
        blanks = wraps = 0;
      } else if (piece != nullptr &&
                 continues_value(sheet.rows.back().pieces.back(), *piece, last, next) &&
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

  // Returns whether the text on the left is another text and not the first column of a table, which
  // would have a cell in each row, all set alike.
  static bool is_apart_from_left(const Sheet& sheet) {
    if (!sheet.has_left || sheet.left.size() < sheet.rows.size()) return true;
    return std::ranges::any_of(sheet.left, [&](const LabelPiece& piece) {
      return look_different(piece, sheet.left.front());
    });
  }

  bool continues_value(const LabelPiece& value, const LabelPiece& piece, std::size_t above,
                       std::size_t line) const {
    return above + 1 == line && value.words.end == piece.words.first &&
           is_near(above, line, kWrapGap) &&
           std::abs(piece.box.x0 - value.box.x0) <= value.size_pt &&
           !look_different(piece, value) && piece.colons == 0;
  }

  bool is_sheet(const Sheet& sheet) const {
    const std::size_t rows = sheet.rows.size();
    if (!is_apart_from_left(sheet)) return false;
    bool set_apart = true, leads = true;
    std::size_t colons = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t pair = 0; pair < sheet.pairs(); ++pair) {
        const LabelPiece &label = sheet.label(row, pair), &value = sheet.value(row, pair);
        if (!is_label(label) || value.words.count() > kMostValueWords) return false;
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
      ++names[fold(joined_words(page_, sheet.label(row, 0).words))];
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
      if (word(i)[0] < 'A' || word(i)[0] > 'Z') return false;
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
      for (std::size_t at = 0; at < word(i).size();) {
        const char32_t c = next_code_point(word(i), &at);
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
      const std::string& text = word(value.words.first);
      const bool is_page = value.words.count() == 1 && text.size() <= 4 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
      if (!is_page) return false;
      const int page = std::stoi(text);
      if (page < before) return false;
      before = page;
    }
    return true;
  }

  // --- Colons

  std::size_t add_after_colons(std::size_t at) {
    const LabelLine& line = lines_[at];
    if (line.is_two_lines) return at;
    std::size_t next = at;
    for (std::size_t i = 0; i < line.pieces.size(); ++i) {
      const LabelPiece& piece = line.pieces[i];
      if (piece.colons != 1) continue;
      const WordRun label{piece.words.first, piece.colon_end};
      if (!is_label_like(page_, piece_of(page_, label))) continue;
      const bool alone = piece.ends_with_colon;
      const bool has_next = i + 1 < line.pieces.size() && line.pieces[i + 1].colons == 0;
      if (alone && !has_next) continue;
      LabelPiece value =
          alone ? line.pieces[i + 1] : piece_of(page_, {piece.colon_end, piece.words.end});
      const bool is_last = i + (alone ? 2 : 1) == line.pieces.size();
      const std::size_t end = is_last ? end_of_value(at, &value) : at + 1;
      if (end == at || is_sentence(value)) continue;
      add(label, value.words);
      next = std::max(next, end);
      i += alone ? 1 : 0;
    }
    return next;
  }

  bool is_sentence(const LabelPiece& value) const {
    const std::size_t words = value.words.count();
    return words > kMostValueWords ||
           (words > kMostSentenceWords && word(value.words.end - 1).ends_with('.'));
  }

  // Adds the lines in which the value of line `at` goes on. Returns the line after it, or `at` if
  // the line is a part of running text.
  std::size_t end_of_value(std::size_t at, LabelPiece* value) const {
    std::size_t next = at + 1;
    while (next <= at + kMostWraps) {
      const LabelPiece* piece = single(next);
      if (piece == nullptr || !continues_value(*value, *piece, next - 1, next)) break;
      value->words.end = piece->words.end;
      ++next;
    }
    if (next > at + 1 || next >= lines_.size()) return next;
    // A line that fills the width and is followed by another at its left edge is running text.
    const LabelPiece* below = single(next);
    const Box& all = page_.elements[lines_[at].element].box;
    const bool is_prose = lines_[next].element == lines_[at].element && below != nullptr &&
                          below->colons == 0 && lines_[at].box.x1 > all.x1 - 0.15F * all.width() &&
                          is_near(at, next, kWrapGap) && lines_[at].pieces.size() == 1 &&
                          value->words.count() > 4;
    return is_prose ? at : next;
  }

  // --- Values below their labels

  // A label and the lines of its value.
  struct Stack {
    LabelPiece label, value;
    std::size_t end = 0;
  };

  std::optional<Stack> stack_at(std::size_t at) const {
    const LabelPiece* label = single(at);
    const LabelPiece* value = single(at + 1);
    if (label == nullptr || value == nullptr || !is_label(*label) || value->colons > 0 ||
        label->words.count() > kMostStackedLabel || label->words.end != value->words.first ||
        !is_near(at, at + 1, kStackGap) || starts_list(*value)) {
      return std::nullopt;
    }
    const float indent = value->box.x0 - label->box.x0;
    if (!overlap_across(label->box, value->box) &&
        (indent < 0 || indent > kMostIndent * label->size_pt)) {
      return std::nullopt;
    }
    Stack stack{*label, *value, at + 2};
    while (stack.end < at + 2 + kMostWraps) {
      const LabelPiece* more = single(stack.end);
      if (more == nullptr || !continues_value(stack.value, *more, stack.end - 1, stack.end)) {
        break;
      }
      stack.value.words.end = more->words.end;
      ++stack.end;
    }
    if (stack.value.words.count() > kMostStackedWords) return std::nullopt;
    return stack;
  }

  bool starts_list(const LabelPiece& piece) const {
    static const std::set<std::string> kBullets = {"•", "-", "–", "*", "▪", "‣"};
    return kBullets.contains(word(piece.words.first));
  }

  // Returns whether label and value differ in look, or the value is set to the right. A label that
  // is larger than its value is a heading.
  static bool stands_out(const Stack& stack) {
    if (stack.label.size_pt > 1.1F * stack.value.size_pt) return false;
    const float indent = stack.value.box.x0 - stack.label.box.x0;
    return look_different(stack.label, stack.value) || indent > 0.9F * stack.label.size_pt;
  }

  static bool are_alike(const Stack& a, const Stack& b) {
    return !look_different(a.label, b.label) && !look_different(a.value, b.value) &&
           is_aligned(a.label.box, b.label.box, a.label.size_pt);
  }

  std::size_t add_stacked(std::size_t at) {
    std::vector<Stack> stacks;
    std::size_t next = at;
    while (const std::optional<Stack> stack = stack_at(next)) {
      const bool fits =
          stack->label.ends_with_colon || (stands_out(*stack) && !stack->label.has_digit &&
                                           (stacks.empty() || are_alike(stacks.front(), *stack)));
      if (!fits) break;
      stacks.push_back(*stack);
      next = stack->end;
    }
    const bool is_sure = !stacks.empty() && (stacks.size() > 1 || stacks[0].label.ends_with_colon);
    if (!is_sure) return at;
    for (const Stack& stack : stacks) add(stack.label.words, stack.value.words);
    return next;
  }

  // --- Labels in parentheses below their values

  std::size_t add_above_label(std::size_t at) {
    const LabelPiece* value = single(at);
    const LabelPiece* first = single(at + 1);
    if (value == nullptr || first == nullptr || !is_near(at, at + 1, kStackGap) ||
        !begins_label_below(*first) || value->words.end != first->words.first ||
        value->words.count() > kMostStackedWords || !overlap_across(value->box, first->box)) {
      return at;
    }
    LabelPiece label = *first;
    std::size_t next = at + 2;
    while (!word(label.words.end - 1).ends_with(')') && next < at + 2 + kMostWraps) {
      const LabelPiece* more = single(next);
      if (more == nullptr || more->words.first != label.words.end) return at;
      label.words.end = more->words.end;
      ++next;
    }
    if (!word(label.words.end - 1).ends_with(')') || label.words.count() > kMostBelowWords) {
      return at;
    }
    add(label.words, value->words);
    return next;
  }

  // Matches "(State of", but not "(in millions)" and not "(1)".
  bool begins_label_below(const LabelPiece& piece) const {
    const std::string& text = word(piece.words.first);
    if (text.size() < 2 || text[0] != '(' || piece.words.count() < 2) return false;
    return text[1] >= 'A' && text[1] <= 'Z' && !piece.is_number;
  }

  const Page& page_;
  const std::vector<LabelLine> lines_;
  std::size_t table_end_ = 0;  // lines before it are rows of columns
  std::vector<LabelPair> pairs_, lone_rows_;
};

}  // namespace

std::vector<LabelPair> label_pairs(const Page& page) { return PairFinder(page).find(); }

}  // namespace fineprint::text
