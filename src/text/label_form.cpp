// Distinguishes a form in stated cells from a table with a header.
#include "text/label_form.h"

#include <algorithm>
#include <set>
#include <string>

#include "fineprint/core/unicode.h"
#include "fineprint/text/stated_grid.h"

#include "text/label_lines.h"

namespace fineprint::text {
namespace {

constexpr std::size_t kLeastFormRows = 3;
constexpr double kLeastOfAKind = 0.2;  // share of the values with a digit, and of those without one

// A label and its value, either of which may be empty.
struct CellPair {
  std::optional<LabelPiece> label, value;
  bool is_first_row = false;
};

std::optional<LabelPiece> piece_of_cell(const Page& page, const StatedCell* cell) {
  if (cell == nullptr || cell->word_count == 0) return std::nullopt;
  return piece_of(page, {cell->first_word, cell->first_word + cell->word_count});
}

// Returns the pairs of cells; none if the grid is not made of two or four plain columns. A row that
// one cell fills is a title.
std::vector<CellPair> pairs_of_cells(const Page& page, const StatedGrid& grid) {
  if (grid.columns() != 2 && grid.columns() != 4) return {};
  std::vector<CellPair> pairs;
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    const auto& cells = grid.rows[row];
    if (std::ranges::all_of(cells, [&](const StatedCell* cell) { return cell == cells.front(); })) {
      continue;
    }
    for (std::size_t column = 0; column < cells.size(); column += 2) {
      if (cells[column] == cells[column + 1]) return {};
      pairs.push_back(
          {piece_of_cell(page, cells[column]), piece_of_cell(page, cells[column + 1]), row == 0});
    }
  }
  return pairs;
}

// Returns whether all labels may be labels, each another one, and all values have one.
bool have_labels(const Page& page, const std::vector<CellPair>& pairs) {
  std::set<std::string> names;
  for (const CellPair& pair : pairs) {
    if (!pair.label) {
      if (pair.value) return false;
      continue;
    }
    const bool is_new = names.insert(fold(joined_words(page, pair.label->words))).second;
    if (!is_new || pair.label->has_digit || !is_label_like(page, *pair.label)) return false;
  }
  return names.size() >= kLeastFormRows;
}

bool are_labels_bold(const std::vector<CellPair>& pairs) {
  return std::ranges::all_of(pairs, [](const CellPair& pair) {
    return (!pair.label || pair.label->bold) && (!pair.value || !pair.value->bold);
  });
}

bool is_header_bold(const std::vector<CellPair>& pairs) {
  return std::ranges::all_of(pairs, [](const CellPair& pair) {
    return !pair.is_first_row || !pair.value || pair.value->bold;
  });
}

// Returns whether some values have digits and others have none. The first row may be a header.
bool have_mixed_values(const std::vector<CellPair>& pairs) {
  double with_digit = 0, all = 0;
  for (const CellPair& pair : pairs) {
    if (pair.is_first_row || !pair.value) continue;
    ++all;
    with_digit += pair.value->has_digit ? 1 : 0;
  }
  return all > 1 && with_digit >= kLeastOfAKind * all && all - with_digit >= kLeastOfAKind * all;
}

}  // namespace

std::optional<PageLabels> form_cells(const Page& page, const Element& element) {
  const StatedGrid grid = stated_grid(element);
  if (grid.rows.size() < kLeastFormRows) return std::nullopt;
  const std::vector<CellPair> pairs = pairs_of_cells(page, grid);
  if (pairs.empty() || !have_labels(page, pairs)) return std::nullopt;
  const bool may_have_header = grid.head_rows > 0 && !are_labels_bold(pairs);
  if (may_have_header && (is_header_bold(pairs) || !have_mixed_values(pairs))) {
    return std::nullopt;
  }
  PageLabels labels;
  for (const CellPair& pair : pairs) {
    if (!pair.label) continue;
    if (pair.value) {
      labels.pairs.push_back({pair.label->words, pair.value->words});
    } else {
      labels.empty.push_back(pair.label->words);
    }
  }
  return labels;
}

}  // namespace fineprint::text
