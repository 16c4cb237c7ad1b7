// Finds the columns of a table by the boxes of its words.
#include "evidence/table_cells.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fineprint/core/superscripts.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/stated_grid.h"

#include "evidence/line_pieces.h"
#include "evidence/table_heads.h"

namespace fineprint::evidence {
namespace {

constexpr std::size_t kMostHeadLines = 4;
constexpr std::size_t kRunningWords = 10;    // words in one piece; labels have fewer
constexpr float kCovered = 0.25F;            // the least share of a column that its head covers
constexpr std::size_t kMinLinesOfBlank = 4;  // of a table, so that a column of one cell is odd
constexpr float kNearColumns = 3.0F;         // in line heights: the most between parts of a column

// Columns are ordered from left to right and do not overlap.
struct Column {
  float x0 = 0, x1 = 0;
};

bool is_year_like(double value) {
  return value >= 1900 && value < 2100 && value == std::floor(value);
}

// Returns whether a cell has two amounts of one unit: "142/88 mmHg".
bool is_pair_of_amounts(const std::string& cell) {
  static const text::Pattern kPair(R"(^\d+(?:\.\d+)?/\d+(?:\.\d+)? ?(?:%|\p{L}{1,6})$)",
                                   text::Pattern::Case::sensitive);
  return kPair.occurs_in(cell);
}

// Finds the cells of one table.
class CellFinder {
 public:
  CellFinder(const Page& page, const std::vector<Line>& lines)
      : page_(page), setting_(page, lines) {
    for (const Line& line : lines) {
      RowOfPieces pieces = pieces_of(page, line, setting_);
      if (!pieces.empty()) lines_.push_back(std::move(pieces));
    }
    find_columns();
  }

  TableCells find() const {
    if (columns_.size() < 2) return {};
    std::vector<std::vector<CellWords>> rows;
    const std::size_t heads = head_lines();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::vector<CellWords> row = cells_of(lines_[i], i < heads);
      const bool joins = i < heads ? i > 0 : i > heads && goes_on(rows.back(), row);
      if (joins) {
        append(row, &rows.back());
      } else {
        rows.push_back(std::move(row));
      }
    }
    return {.rows = std::move(rows),
            .texts = {},
            .header_rows = heads > 0 ? 1 : 0,
            .heads = arranged_heads(head_pieces(heads))};
  }

 private:
  const Box& box(std::uint32_t word) const { return page_.words[word].box; }
  const std::string& text(std::uint32_t word) const { return page_.words[word].text; }

  // Returns the columns [first, last) that a stretch of the page overlaps.
  std::pair<std::size_t, std::size_t> columns_at(float x0, float x1) const {
    std::size_t first = 0;
    while (first < columns_.size() && columns_[first].x1 <= x0) ++first;
    std::size_t last = first;
    while (last < columns_.size() && columns_[last].x0 < x1) ++last;
    return {first, last};
  }

  // The fullest lines come first: their pieces are single cells, while those of other lines may
  // span several columns.
  void find_columns() {
    std::vector<const RowOfPieces*> fullest;
    for (const RowOfPieces& line : lines_) {
      if (line.size() > 1) fullest.push_back(&line);
    }
    std::ranges::stable_sort(fullest, std::greater<>(),
                             [](const auto* line) { return line->size(); });
    for (const RowOfPieces* line : fullest) {
      for (const Piece& piece : *line) widen_columns(piece);
    }
    join_columns();
  }

  // Adds the piece to its column, or makes a new one. A piece over several columns says nothing
  // about their borders.
  void widen_columns(const Piece& piece) {
    const auto [first, last] = columns_at(piece.x0, piece.x1);
    if (first == last) {
      columns_.insert(columns_.begin() + static_cast<std::ptrdiff_t>(first), {piece.x0, piece.x1});
    } else if (last - first == 1) {
      columns_[first].x0 = std::min(columns_[first].x0, piece.x0);
      columns_[first].x1 = std::max(columns_[first].x1, piece.x1);
    }
  }

  // Joins a column with its head if the head is next to its figures instead of above them, and so
  // made a column of its own. Columns that share a line are never one.
  void join_columns() {
    for (std::size_t i = 0; i + 1 < columns_.size();) {
      const bool near = columns_[i + 1].x0 - columns_[i].x1 < kNearColumns * setting_.height;
      if ((near && !share_line(i, i + 1)) || is_wide_blank(i)) {
        columns_[i].x1 = columns_[i + 1].x1;
        columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      } else {
        ++i;
      }
    }
  }

  // Returns whether only one of several lines has text in the column after this one, less than a
  // line's height after other text that is no figure: it has a wide blank and not two cells.
  bool is_wide_blank(std::size_t column) const {
    std::size_t filled = 0;
    bool is_near = false;
    for (const RowOfPieces& line : lines_) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        const auto [first, last] = columns_at(line[i].x0, line[i].x1);
        if (first > column + 1 || last <= column + 1) continue;
        ++filled;
        is_near = i > 0 && line[i].x0 - line[i - 1].x1 < setting_.height &&
                  !is_figure(cell_text(page_, line[i].words)) &&
                  !is_figure(cell_text(page_, line[i - 1].words));
      }
    }
    return filled == 1 && is_near && lines_.size() >= kMinLinesOfBlank;
  }

  bool share_line(std::size_t a, std::size_t b) const {
    return std::ranges::any_of(lines_, [&](const RowOfPieces& line) {
      bool in_a = false, in_b = false;
      for (const Piece& piece : line) {
        const auto [first, last] = columns_at(piece.x0, piece.x1);
        in_a = in_a || (first <= a && a < last);
        in_b = in_b || (first <= b && b < last);
      }
      return in_a && in_b;
    });
  }

  // Returns the column that a word is in, or the nearest one.
  std::size_t column_of(std::uint32_t word) const {
    const float middle = (box(word).x0 + box(word).x1) / 2;
    const auto distance = [&](const Column& column) {
      return std::max({column.x0 - middle, middle - column.x1, 0.0F});
    };
    return static_cast<std::size_t>(std::ranges::min_element(columns_, {}, distance) -
                                    columns_.begin());
  }

  // Cuts a figure from a long label or a head next to it, because it belongs to a column of its
  // own. In heads only years are cut off, because "June 30" is one head.
  std::vector<Piece> cut_at_figures(const Piece& piece, bool is_head) const {
    const auto stands_alone = [&](std::uint32_t word) {
      if (!is_head) return is_figure(text(word));
      const auto value = text::number_of_cell(text(word));
      return value && is_year_like(*value);
    };
    std::vector<Piece> cut;
    for (std::size_t i = 0; i < piece.words.size(); ++i) {
      const std::uint32_t word = piece.words[i];
      const bool cuts = i > 0 && cuts_between(piece.words[i - 1], word) &&
                        (stands_alone(word) || stands_alone(piece.words[i - 1]));
      if (i == 0 || cuts) cut.emplace_back();
      add_word(page_, word, &cut.back());
    }
    return cut;
  }

  // Returns whether the second of two words enters a column that the first is not in.
  bool cuts_between(std::uint32_t before, std::uint32_t word) const {
    const std::size_t column = column_of(word);
    return column > 0 && stands_in(word, column) && !stands_in(before, column) &&
           !opens_amount(text(before)) && !closes_amount(text(word)) &&
           !text(before).ends_with(',');
  }

  bool stands_in(std::uint32_t word, std::size_t column) const {
    const float middle = (box(word).x0 + box(word).x1) / 2;
    return columns_[column].x0 <= middle && middle <= columns_[column].x1;
  }

  std::vector<CellWords> cells_of(const RowOfPieces& line, bool is_head) const {
    std::vector<CellWords> cells(columns_.size());
    for (const Piece& whole : line) {
      for (const Piece& piece : cut_at_figures(whole, is_head)) {
        const auto [first, last] = is_head ? headed_by(piece) : standing_in(piece);
        for (std::size_t column = first; column < last; ++column) {
          cells[column].insert(cells[column].end(), piece.words.begin(), piece.words.end());
        }
      }
    }
    return cells;
  }

  // Returns all columns of which the piece covers a good part, or the two that it is between. A
  // piece that begins in the first column is a title and heads no other.
  std::pair<std::size_t, std::size_t> headed_by(const Piece& piece) const {
    auto [first, last] = columns_at(piece.x0, piece.x1);
    if (first == 0) return standing_in(piece);
    if (first == last && first > 1 && last < columns_.size()) return {first - 1, last + 1};
    const auto covers = [&](const Column& column) {
      const float shared = std::min(piece.x1, column.x1) - std::max(piece.x0, column.x0);
      return shared > kCovered * (column.x1 - column.x0);
    };
    while (first < last && !covers(columns_[first])) ++first;
    while (last > first && !covers(columns_[last - 1])) --last;
    return first == last ? standing_in(piece) : std::pair(first, last);
  }

  // Returns the column of a piece. A label counts where it begins; any other piece over several
  // columns counts where its middle is.
  std::pair<std::size_t, std::size_t> standing_in(const Piece& piece) const {
    const auto [first, last] = columns_at(piece.x0, piece.x1);
    if (first < last && (first == 0 || last - first == 1)) return {first, first + 1};
    const std::size_t column = column_of(piece.words[piece.words.size() / 2]);
    return {column, column + 1};
  }

  bool holds_amount(const RowOfPieces& line) const {
    return std::ranges::any_of(line, [&](const Piece& piece) {
      if (standing_in(piece).first == 0 && piece.words.size() > 1) return false;
      const std::string cell = cell_text(page_, piece.words);
      const auto value = text::number_of_cell(cell);
      return value ? !is_year_like(*value) : is_pair_of_amounts(cell);
    });
  }

  std::vector<HeadPiece> head_pieces(std::size_t heads) const {
    std::vector<HeadPiece> pieces;
    for (std::size_t line = 0; line < heads; ++line) {
      for (const Piece& whole : lines_[line]) {
        for (const Piece& piece : cut_at_figures(whole, true)) {
          const auto [first, end] = headed_by(piece);
          pieces.push_back({.words = piece.words, .line = line, .first = first, .end = end});
        }
      }
    }
    return pieces;
  }

  bool is_bold(const RowOfPieces& line) const {
    return std::ranges::all_of(line, [&](const Piece& piece) {
      return std::ranges::all_of(piece.words,
                                 [&](std::uint32_t word) { return page_.words[word].bold; });
    });
  }

  // Returns how many of the first lines are bold; all of them if the first is not.
  std::size_t bold_lines(std::size_t lines) const {
    if (lines == 0 || !is_bold(lines_.front())) return lines;
    std::size_t bold = 1;
    while (bold < lines && is_bold(lines_[bold])) ++bold;
    return bold;
  }

  // Returns whether each column but the first has text in one of the lines.
  bool head_all_columns(std::size_t first, std::size_t end) const {
    std::vector<bool> headed(columns_.size());
    for (std::size_t line = first; line < end; ++line) {
      for (const Piece& piece : lines_[line]) {
        const auto [begin, past] = headed_by(piece);
        for (std::size_t column = begin; column < past; ++column) headed[column] = true;
      }
    }
    return std::find(headed.begin() + 1, headed.end(), false) == headed.end();
  }

  // Returns the number of head lines: the lines above the first amount, up to the last one that has
  // text in another column than the first. Bold heads end above the first line that is not bold,
  // unless this line heads all columns and they do not. If there are too many, or no amount at all,
  // only the first line is a head.
  std::size_t head_lines() const {
    std::size_t above = 0;
    while (above < lines_.size() && !holds_amount(lines_[above])) ++above;
    const std::size_t bold = bold_lines(above);
    const bool names_groups = bold + 1 == above && above < lines_.size() &&
                              head_all_columns(bold, above) && !head_all_columns(0, bold);
    if (!names_groups) above = bold;
    if (above == lines_.size() || above > kMostHeadLines) return std::min<std::size_t>(1, above);
    while (above > 0 && lines_[above - 1].size() == 1 &&
           standing_in(lines_[above - 1].front()).first == 0) {
      --above;
    }
    return above;
  }

  bool has_figures(const std::vector<CellWords>& row) const {
    return std::any_of(row.begin() + 1, row.end(), [&](const CellWords& cell) {
      return !cell.empty() && is_figure(cell_text(page_, cell));
    });
  }

  // Returns whether a row continues the one above.
  bool goes_on(const std::vector<CellWords>& above, const std::vector<CellWords>& row) const {
    if (row.front().empty()) return !has_figures(row);
    const bool small =
        std::islower(static_cast<unsigned char>(text(row.front().front()).front())) != 0;
    return small && (!has_figures(above) || !has_figures(row));
  }

  static void append(const std::vector<CellWords>& more, std::vector<CellWords>* row) {
    for (std::size_t column = 0; column < row->size(); ++column) {
      (*row)[column].insert((*row)[column].end(), more[column].begin(), more[column].end());
    }
  }

  const Page& page_;
  Setting setting_;
  std::vector<RowOfPieces> lines_;
  std::vector<Column> columns_;
};

}  // namespace

TableCells table_cells(const Page& page, const std::vector<Line>& lines) {
  TableCells table = CellFinder(page, lines).find();
  for (const std::vector<CellWords>& row : table.rows) {
    std::vector<std::string>& texts = table.texts.emplace_back();
    for (const CellWords& words : row) texts.push_back(cell_text(page, words));
  }
  return table;
}

TableCells stated_cells(const Page& page, const Element& element) {
  const text::StatedGrid grid = text::stated_grid(element);
  TableCells table;
  if (grid.columns() < 2) return table;
  const auto add_words = [](const StatedCell& cell, CellWords* words) {
    for (std::uint32_t i = 0; i < cell.word_count; ++i) words->push_back(cell.first_word + i);
  };
  const auto begin_row = [&] {
    table.rows.emplace_back(grid.columns());
    table.texts.emplace_back(grid.columns());
  };
  if (grid.head_rows > 0) {
    begin_row();
    table.header_rows = 1;
    for (std::size_t column = 0; column < grid.columns(); ++column) {
      table.texts[0][column] = without_note_marks(text::column_head(page, grid, column));
      for (const StatedCell* head : grid.heads_of(column)) add_words(*head, &table.rows[0][column]);
    }
  }
  for (std::size_t row = grid.head_rows; row < grid.rows.size(); ++row) {
    begin_row();
    for (std::size_t column = 0; column < grid.columns(); ++column) {
      const StatedCell* cell = grid.rows[row][column];
      if (cell == nullptr) continue;
      table.texts.back()[column] = without_note_marks(text::text_of_cell(page, *cell));
      add_words(*cell, &table.rows.back()[column]);
    }
  }
  return table;
}

bool is_running_text(const Page& page, const Line& line) {
  const RowOfPieces pieces = pieces_of(page, line, Setting(page, {&line, 1}));
  const auto is_amount = [&](const Piece& piece) {
    return is_figure(cell_text(page, piece.words));
  };
  const auto is_long = [](const Piece& piece) { return piece.words.size() >= kRunningWords; };
  return std::ranges::any_of(pieces, is_long) && !is_amount(pieces.back());
}

std::string cell_text(const Page& page, const CellWords& words) {
  std::string text;
  for (const std::uint32_t word : words) {
    // A footnote mark is no part of a value. Alone in its cell, it is the value.
    if (words.size() > 1 && is_note_mark(page.words[word].text)) continue;
    append_word(without_leader(page.words[word].text), &text);
  }
  return text;
}

std::vector<Line> lines_beside_caption(const Page& page, const Element& element) {
  std::vector<Line> lines;
  for (const Line& line : text::lines_of(page, element)) {
    const bool is_caption = !element.caption.empty() &&
                            element.caption.find(line_text(page, line)) != std::string::npos &&
                            line.word_count > 1;
    if (!is_caption) lines.push_back(line);
  }
  return lines;
}

}  // namespace fineprint::evidence
