// Recognises labels by what follows them: a colon, a column of values, a value set differently.
#include "fineprint/text/label_pairs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>

#include "fineprint/core/unicode.h"
#include "fineprint/text/check_marks.h"

#include "text/label_form.h"
#include "text/label_number.h"
#include "text/label_page.h"
#include "text/label_sheet.h"
#include "text/label_stack.h"

namespace fineprint::text {
namespace {

constexpr std::size_t kMostSentenceWords = 8;   // a longer value with a full stop is a sentence
constexpr std::size_t kFewPairs = 2;            // that show where the labels of a form begin
constexpr std::size_t kFewColumns = 3;          // of a table with sums below it
constexpr std::size_t kMostNumberedWords = 12;  // of a line with the number of a thing
constexpr float kSameEdge = 0.3F;  // in font sizes; right ends of one column of amounts
constexpr float kSumGap = 3.5F;    // white above a sum, in font sizes

class PairFinder {
 public:
  explicit PairFinder(const Page& page) : page_(page), on_(page), lines_(on_.lines()) {}

  PageLabels find() {
    for (std::size_t at = 0; at < lines_.size();) {
      std::size_t next = add_form(at);
      if (next == at && lines_[at].is_two_lines) next = add_boxed(at);
      if (next == at) next = add_marked(at);
      if (next == at) next = add_sums(at);
      if (next == at) next = add_columns(at);
      if (next == at) next = add_after_colons(at);
      if (next == at) next = add_numbered(at);
      if (next == at && at >= table_end_) next = add_stacked(on_, at, &pairs_);
      if (next == at && at >= table_end_) next = add_above_label(on_, at, &pairs_);
      if (next == at && at >= table_end_) note_lone_row(at);
      if (next == at) note_lone_label(at);
      at = std::max(next, at + 1);
    }
    add_lone_rows();
    add_lone_labels();
    return {std::move(pairs_), std::move(empty_)};
  }

 private:
  void add(const WordRun& label, const WordRun& value) {
    if (label.count() > 0 && value.count() > 0) pairs_.push_back({label, value});
  }

  // --- Rows of their own

  // A line that may be one pair or two.
  struct LoneRow {
    std::vector<LabelPair> pairs;
    std::size_t line = 0;
  };

  // A row alone does not show a column.
  void note_lone_row(std::size_t at) {
    const LabelLine& line = lines_[at];
    if (line.is_two_lines) return;
    if (line.pieces.size() == 4) note_two_pairs(at);
    if (line.pieces.size() != 2) return;
    const LabelPiece &label = line.pieces[0], &value = line.pieces[1];
    const bool fits = on_.is_label(label) && !label.has_digit && value.colons == 0 &&
                      value.words.count() <= kMostStackedWords;
    if (fits) lone_rows_.push_back({.pairs = {{label.words, value.words}}, .line = at});
  }

  // "Invoice no.  30064443    Customer no.  47774" in a form of single pairs.
  void note_two_pairs(std::size_t at) {
    const LabelLine& line = lines_[at];
    std::vector<LabelPair> pairs;
    for (std::size_t i = 0; i < line.pieces.size(); i += 2) {
      const LabelPiece &label = line.pieces[i], &value = line.pieces[i + 1];
      if (!on_.is_label(label) || label.has_digit || !value.has_digit) return;
      pairs.push_back({label.words, value.words});
    }
    lone_rows_.push_back({.pairs = std::move(pairs), .line = at});
  }

  // Adds the lone rows whose labels begin where the labels of other pairs do, as in a form, or
  // whose values are in a column of amounts.
  void add_lone_rows() {
    const std::size_t found = pairs_.size();
    for (const LoneRow& row : lone_rows_) {
      const bool fits = begins_like_pairs(piece_of(page_, row.pairs.front().label), found) ||
                        ends_like_amounts(row);
      if (fits) pairs_.insert(pairs_.end(), row.pairs.begin(), row.pairs.end());
    }
    std::ranges::sort(pairs_, {}, [](const LabelPair& pair) { return pair.all().first; });
  }

  // Returns whether the value is an amount at the right end of a line, below or above at least two
  // others: a sum away from the table.
  bool ends_like_amounts(const LoneRow& row) const {
    constexpr std::size_t kColumnOfAmounts = 3;  // with the row itself
    const LabelPiece amount = piece_of(page_, row.pairs.front().value);
    if (row.pairs.size() > 1 || !amount.is_number || goes_on_as_row(row.line)) return false;
    const auto is_below = [&](const LabelLine& line) {
      return line.pieces.size() > 1 && line.pieces.back().is_number &&
             std::abs(line.pieces.back().box.x1 - amount.box.x1) <= kSameEdge * amount.size_pt;
    };
    return static_cast<std::size_t>(std::ranges::count_if(lines_, is_below)) >= kColumnOfAmounts;
  }

  // Returns whether the next line is a row of more cells in the same table.
  bool goes_on_as_row(std::size_t at) const {
    return at + 1 < lines_.size() && lines_[at + 1].element == lines_[at].element &&
           lines_[at + 1].pieces.size() >= kFewColumns;
  }

  // Returns whether a piece begins where the labels of the first pairs do.
  bool begins_like_pairs(const LabelPiece& piece, std::size_t pairs) const {
    std::size_t alike = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const Box& other = page_.words[pairs_[i].label.first].box;
      alike += std::abs(other.x0 - piece.box.x0) <= piece.size_pt ? 1 : 0;
    }
    return alike >= kFewPairs;
  }

  // --- Labels without a value

  void note_lone_label(std::size_t at) {
    const LabelPiece* piece = on_.single(at);
    if (piece == nullptr || lines_[at].is_heading || piece->has_digit || !on_.is_label(*piece)) {
      return;
    }
    if (on_.word(piece->words.end - 1).ends_with('.')) return;  // "tested in May."
    if (begins_with_capital_letter(on_.word(piece->words.first))) lone_labels_.push_back(at);
  }

  static bool begins_with_capital_letter(const std::string& word) {
    std::size_t end = 0;
    const char32_t first = next_code_point(word, &end);
    const std::string letter = word.substr(0, end);
    return is_letter(first) && fold(letter) != letter;
  }

  // Adds the lone labels that begin where other labels do and have no other text around them, which
  // they might be a part of.
  void add_lone_labels() {
    for (const std::size_t at : lone_labels_) {
      const LabelPiece& label = lines_[at].pieces.front();
      if (is_in_pair(at) || !begins_like_pairs(label, pairs_.size())) continue;
      if (at > 0 && !is_apart(at - 1)) continue;
      if (at + 1 < lines_.size() && !is_apart(at + 1)) continue;
      empty_.push_back(label.words);
    }
    std::ranges::sort(empty_, {}, &WordRun::first);
  }

  // Returns whether the line is a heading, a part of a pair, or a lone label itself.
  bool is_apart(std::size_t at) const {
    const LabelLine& line = lines_[at];
    return line.is_heading || line.pieces.empty() || std::ranges::count(lone_labels_, at) > 0 ||
           is_in_pair(at);
  }

  bool is_in_pair(std::size_t at) const {
    const std::uint32_t first = lines_[at].pieces.front().words.first;
    return std::ranges::any_of(pairs_, [&](const LabelPair& pair) {
      return pair.all().first <= first && first < pair.all().end;
    });
  }

  // --- Forms in stated cells

  std::size_t add_form(std::size_t at) {
    const std::size_t element = lines_[at].element;
    if (page_.elements[element].cells.empty()) return at;
    std::optional<PageLabels> form = form_cells(page_, page_.elements[element]);
    if (!form) return at;
    std::ranges::move(form->pairs, std::back_inserter(pairs_));
    std::ranges::move(form->empty, std::back_inserter(empty_));
    while (at < lines_.size() && lines_[at].element == element) ++at;
    return at;
  }

  // --- Sums

  // The last rows of a table of items have only a label and an amount at the right: "Total due".
  // A label in the first column is a row whose other cells are empty.
  std::size_t add_sums(std::size_t at) {
    const std::size_t above = row_above(at);
    if (above == at) return at;
    const std::vector<LabelPiece>& row = lines_[above].pieces;
    std::size_t next = at;
    while (next < lines_.size() && is_sum(lines_[next], row) &&
           on_.is_close_below(next - 1, next, kSumGap)) {
      ++next;
    }
    const bool goes_on = next < lines_.size() && lines_[next].element == lines_[above].element &&
                         lines_[next].pieces.size() >= kFewColumns;
    if (goes_on) return at;
    for (std::size_t i = at; i < next; ++i) {
      add(lines_[i].pieces[0].words, lines_[i].pieces[1].words);
    }
    return next;
  }

  // Returns the row of a table that is right above line `at`, or a few lines of one piece further
  // up, such as notes on an item; `at` if there is none.
  std::size_t row_above(std::size_t at) const {
    constexpr std::size_t kMostNotes = 2;
    for (std::size_t notes = 0; notes <= kMostNotes && notes < at; ++notes) {
      const LabelLine& line = lines_[at - 1 - notes];
      if (line.pieces.size() >= kFewColumns) return at - 1 - notes;
      if (line.pieces.size() != 1 || line.element != lines_[at].element) break;
    }
    return at;
  }

  bool is_sum(const LabelLine& line, const std::vector<LabelPiece>& row) const {
    if (line.is_two_lines || line.pieces.size() != 2) return false;
    const LabelPiece &label = line.pieces[0], &amount = line.pieces[1];
    const bool is_named = begins_with_capital_letter(on_.word(label.words.first)) &&
                          label.words.count() <= kMostStackedWords;  // also "VAT 20%"
    return is_named && amount.is_number && label.box.x0 > row.front().box.x0 + label.size_pt &&
           is_aligned(amount.box, row.back().box, amount.size_pt);
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
      if (!on_.word(rows[i].first).starts_with('(') || !on_.word(all.end - 1).ends_with(')'))
        continue;
      add({rows[i].first, all.end}, {all.first, rows[i].first});
      return at + 1;
    }
    // Words may be at different heights and still in one line: marks, and scans that are skewed.
    if (rows.size() < 2) return at;
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
      if (check_mark(on_.word(i)) != CheckMark::none) marks.push_back(i);
    }
    if (marks.empty()) return at;
    if (marks.front() == all.first) {
      for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::uint32_t end = i + 1 < marks.size() ? marks[i + 1] : all.end;
        add({marks[i] + 1, end}, {marks[i], marks[i] + 1});
      }
    } else if (marks.size() == 1 || marks.back() + 1 < all.end) {
      add({all.first, marks.front()}, {marks.front(), all.end});
    }
    return at + 1;
  }

  // --- Columns of labels and values

  std::size_t add_columns(std::size_t at) {
    if (at < table_end_) return at;  // a part of a table is no sheet either
    const std::optional<Sheet> sheet = sheet_at(on_, at);
    if (!sheet) return at;
    if (sheet->rows.size() > 1) table_end_ = std::max(table_end_, sheet->end);
    if (!is_sheet(on_, *sheet)) return at;
    for (std::size_t row = 0; row < sheet->rows.size(); ++row) {
      for (std::size_t pair = 0; pair < sheet->pairs(); ++pair) {
        add(sheet->label(row, pair).words, sheet->value(row, pair).words);
      }
    }
    for (std::size_t line = at; line < sheet->end; ++line) note_lone_label(line);
    return sheet->end;
  }

  // --- Colons

  std::size_t add_after_colons(std::size_t at) {
    const LabelLine& line = lines_[at];
    if (line.is_two_lines) return at;
    std::size_t next = at;
    std::vector<WordRun> without_value;
    for (std::size_t i = 0; i < line.pieces.size(); ++i) {
      const LabelPiece& piece = line.pieces[i];
      if (piece.colons != 1) continue;
      const WordRun label{piece.words.first, piece.colon_end};
      if (!is_label_like(page_, piece_of(page_, label))) continue;
      const bool alone = piece.ends_with_colon;
      const bool has_next = i + 1 < line.pieces.size() && line.pieces[i + 1].colons == 0;
      if (alone && !has_next) {
        without_value.push_back(label);
        continue;
      }
      LabelPiece value =
          alone ? line.pieces[i + 1] : piece_of(page_, {piece.colon_end, piece.words.end});
      const bool is_last = i + (alone ? 2 : 1) == line.pieces.size();
      const std::size_t end = is_last ? end_of_value(at, &value) : at + 1;
      if (end == at || is_sentence(value)) continue;
      add(label, value.words);
      next = std::max(next, end);
      i += alone ? 1 : 0;
    }
    // If no label of the line has its value in it, the values are below.
    if (next > at) std::ranges::copy(without_value, std::back_inserter(empty_));
    return next;
  }

  // --- Numbers of things

  // "Invoice No. 4711 of 3 May" at the beginning of a short line or cell: the label is what has the
  // number.
  std::size_t add_numbered(std::size_t at) {
    const LabelLine& line = lines_[at];
    // Cells of a table are not cut into names and numbers.
    if (line.is_two_lines || line.pieces.size() > 2) return at;
    std::size_t next = at;
    for (const LabelPiece& piece : line.pieces) {
      if (piece.words.count() > kMostNumberedWords || piece.colons > 0) continue;
      if (const auto pair = numbered_thing(page_, piece)) {
        add(pair->label, pair->value);
        next = at + 1;
      }
    }
    return next;
  }

  bool is_sentence(const LabelPiece& value) const {
    const std::size_t words = value.words.count();
    return words > kMostValueWords ||
           (words > kMostSentenceWords && on_.word(value.words.end - 1).ends_with('.'));
  }

  // Adds the lines in which the value of line `at` goes on. Returns the line after it, or `at` if
  // the line is a part of running text.
  std::size_t end_of_value(std::size_t at, LabelPiece* value) const {
    std::size_t next = at + 1;
    while (next <= at + kMostWraps) {
      const LabelPiece* piece = on_.single(next);
      if (piece == nullptr || !on_.continues_value(*value, *piece, next - 1, next)) break;
      value->words.end = piece->words.end;
      ++next;
    }
    if (next > at + 1 || next >= lines_.size()) return next;
    // A line that fills the width and is followed by another at its left edge is running text.
    const LabelPiece* below = on_.single(next);
    const Box& all = page_.elements[lines_[at].element].box;
    const bool is_prose = lines_[next].element == lines_[at].element && below != nullptr &&
                          below->colons == 0 && lines_[at].box.x1 > all.x1 - 0.15F * all.width() &&
                          on_.is_close_below(at, next, kWrapGap) && lines_[at].pieces.size() == 1 &&
                          value->words.count() > 4;
    return is_prose ? at : next;
  }

  const Page& page_;
  const LabelPage on_;
  const std::vector<LabelLine>& lines_;
  std::size_t table_end_ = 0;  // lines before it are rows of columns
  std::vector<LabelPair> pairs_;
  std::vector<LoneRow> lone_rows_;
  std::vector<std::size_t> lone_labels_;  // lines
  std::vector<WordRun> empty_;
};

}  // namespace

std::vector<LabelPair> label_pairs(const Page& page) { return page_labels(page).pairs; }

PageLabels page_labels(const Page& page) { return PairFinder(page).find(); }

bool is_form(const Page& page, const Element& element) {
  return !element.cells.empty() && form_cells(page, element).has_value();
}

}  // namespace fineprint::text
