// Recognises labels by what follows them: a colon, a column of values, a value set differently.
#include "fineprint/text/label_pairs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "fineprint/text/check_marks.h"

#include "text/label_page.h"
#include "text/label_sheet.h"
#include "text/label_stack.h"

namespace fineprint::text {
namespace {

constexpr std::size_t kMostSentenceWords = 8;  // a longer value with a full stop is a sentence
constexpr std::size_t kFewPairs = 2;           // that show where the labels of a form begin

class PairFinder {
 public:
  explicit PairFinder(const Page& page) : page_(page), on_(page), lines_(on_.lines()) {}

  std::vector<LabelPair> find() {
    for (std::size_t at = 0; at < lines_.size();) {
      std::size_t next = at;
      if (lines_[at].is_two_lines) next = add_boxed(at);
      if (next == at) next = add_marked(at);
      if (next == at) next = add_columns(at);
      if (next == at) next = add_after_colons(at);
      if (next == at && at >= table_end_) next = add_stacked(on_, at, &pairs_);
      if (next == at && at >= table_end_) next = add_above_label(on_, at, &pairs_);
      if (next == at && at >= table_end_) note_lone_row(at);
      at = std::max(next, at + 1);
    }
    add_lone_rows();
    return std::move(pairs_);
  }

 private:
  void add(const WordRun& label, const WordRun& value) {
    if (label.count() > 0 && value.count() > 0) pairs_.push_back({label, value});
  }

  // --- Rows of their own

  // A row alone does not show a column.
  void note_lone_row(std::size_t at) {
    const LabelLine& line = lines_[at];
    if (line.is_two_lines || line.pieces.size() != 2) return;
    const LabelPiece &label = line.pieces[0], &value = line.pieces[1];
    const bool fits = on_.is_label(label) && !label.has_digit && value.colons == 0 &&
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
    const std::optional<Sheet> sheet = sheet_at(on_, at);
    if (!sheet) return at;
    if (sheet->rows.size() > 1) table_end_ = std::max(table_end_, sheet->end);
    if (!is_sheet(on_, *sheet)) return at;
    for (std::size_t row = 0; row < sheet->rows.size(); ++row) {
      for (std::size_t pair = 0; pair < sheet->pairs(); ++pair) {
        add(sheet->label(row, pair).words, sheet->value(row, pair).words);
      }
    }
    return sheet->end;
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
  std::vector<LabelPair> pairs_, lone_rows_;
};

}  // namespace

std::vector<LabelPair> label_pairs(const Page& page) { return PairFinder(page).find(); }

}  // namespace fineprint::text
