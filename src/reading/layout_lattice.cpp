// Groups lines that cross into lattices, and makes the places between them cells.
#include "reading/layout_lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "reading/layout_fragment.h"
#include "reading/ruled_lines.h"

namespace fineprint::reading {
namespace {

constexpr std::size_t kMostWords = 120;  // in a cell; frames around text have more
constexpr double kFilled = 0.3;          // share of the cells that have words; charts have fewer
constexpr double kEvenRows = 0.5;        // share of the rows that have a cell for every column
constexpr double kLabelled = 0.3;        // share of the cells of a form that begin with a label
constexpr float kOtherSize = 1.08F;      // ratio of sizes that readers notice

using Words = std::vector<std::uint32_t>;

// A cell with its words, line by line.
struct DrawnCell {
  LatticeCell place;
  std::vector<Words> lines;

  std::size_t words() const {
    return std::accumulate(lines.begin(), lines.end(), std::size_t{0},
                           [](std::size_t sum, const Words& line) { return sum + line.size(); });
  }
};

float size_of_line(const pdf::RawPage& page, const Words& line) {
  float size = 0;
  for (const std::uint32_t word : line) size = std::max(size, page.words[word].size_pt);
  return size;
}

bool is_bold_line(const pdf::RawPage& page, const Words& line) {
  return std::ranges::all_of(line, [&](std::uint32_t word) { return page.words[word].bold; });
}

// Returns whether the first word that is long enough to show its direction is turned.
bool is_turned(const pdf::RawPage& page, const Words& words) {
  constexpr std::size_t kLong = 4;  // bytes
  const auto shows = std::ranges::find_if(
      words, [&](std::uint32_t word) { return page.words[word].text.size() >= kLong; });
  return shows != words.end() && is_vertical(page.words[*shows]);
}

// Returns the words as lines from the top, each from left to right. Turned words are one line in
// the order of the file.
std::vector<Words> in_lines(const pdf::RawPage& page, Words words) {
  if (is_turned(page, words)) return {std::move(words)};
  const auto middle = [&](std::uint32_t word) {
    return (page.words[word].box.y0 + page.words[word].box.y1) / 2;
  };
  std::ranges::stable_sort(words, {}, middle);
  std::vector<Words> lines;
  for (const std::uint32_t word : words) {
    const float half = page.words[word].box.height() / 2;
    if (lines.empty() || middle(word) - middle(lines.back().front()) > half) lines.emplace_back();
    lines.back().push_back(word);
  }
  for (Words& line : lines) {
    std::ranges::stable_sort(line, {}, [&](std::uint32_t word) { return page.words[word].box.x0; });
  }
  return lines;
}

// Returns how many pieces of a line, apart by more than a blank, are numbers.
int numbers_in(const pdf::RawPage& page, const Words& line) {
  int count = 0;
  for (std::size_t first = 0, end = 0; first < line.size(); first = end) {
    end = first + 1;
    while (end < line.size() && page.words[line[end]].box.x0 - page.words[line[end - 1]].box.x1 <
                                    kCellGap * std::max(page.words[line[end]].size_pt, 1.0F)) {
      ++end;
    }
    const Words piece(line.begin() + static_cast<std::ptrdiff_t>(first),
                      line.begin() + static_cast<std::ptrdiff_t>(end));
    count += is_numeric_cell(text_of(page, piece)) ? 1 : 0;
  }
  return count;
}

// Judges one lattice and makes a table of it.
class LatticeReader {
 public:
  LatticeReader(const pdf::RawPage& page, const Lattice& lattice) : page_(page) {
    const std::vector<LatticeCell> places = lattice.cells();
    if (places.empty()) return;
    for (const LatticeCell& place : places) cells_.push_back({.place = place, .lines = {}});
    fill(lattice);
  }

  bool is_table() const {
    if (cells_.empty() || rows_ < 2 || columns_ < 2) return false;
    return is_filled() && is_divided() && has_even_rows() && !is_form();
  }

  PlacedTable table() const {
    PlacedTable out{.caption = {}, .cells = {}};
    const int heads = head_rows();
    for (const DrawnCell& drawn : cells_) {
      PlacedCell& cell = out.cells.emplace_back();
      cell.cell.row = static_cast<std::uint16_t>(drawn.place.row);
      cell.cell.column = static_cast<std::uint16_t>(drawn.place.column);
      cell.cell.rows = static_cast<std::uint16_t>(drawn.place.rows);
      cell.cell.columns = static_cast<std::uint16_t>(drawn.place.columns);
      cell.cell.is_head = drawn.place.row < heads;
      for (const Words& line : drawn.lines) {
        cell.words.insert(cell.words.end(), line.begin(), line.end());
      }
    }
    std::ranges::stable_sort(out.cells, {}, [](const PlacedCell& one) {
      return std::pair(one.cell.row, one.cell.column);
    });
    return out;
  }

 private:
  void fill(const Lattice& lattice) {
    std::vector<Words> words(cells_.size());
    for (std::uint32_t i = 0; i < page_.words.size(); ++i) {
      const Box& box = page_.words[i].box;
      const auto at = lattice.cell_at((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2);
      if (at) words[*at].push_back(i);
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i].lines = in_lines(page_, std::move(words[i]));
    }
    drop_empty();
    for (const DrawnCell& cell : cells_) {
      rows_ = std::max(rows_, cell.place.row + cell.place.rows);
      columns_ = std::max(columns_, cell.place.column + cell.place.columns);
    }
  }

  // Drops rows and columns in which no cell begins that has words, such as the white between double
  // lines.
  void drop_empty() {
    for (const auto& [at, count] : {std::pair(&LatticeCell::row, &LatticeCell::rows),
                                    std::pair(&LatticeCell::column, &LatticeCell::columns)}) {
      int end = 0;
      for (const DrawnCell& cell : cells_) end = std::max(end, cell.place.*at + cell.place.*count);
      std::vector<bool> kept(static_cast<std::size_t>(end), false);
      for (const DrawnCell& cell : cells_) {
        if (!cell.lines.empty()) kept[static_cast<std::size_t>(cell.place.*at)] = true;
      }
      std::vector<int> place(kept.size() + 1, 0);
      for (std::size_t i = 0; i < kept.size(); ++i) place[i + 1] = place[i] + (kept[i] ? 1 : 0);
      for (DrawnCell& cell : cells_) {
        const int first = place[static_cast<std::size_t>(cell.place.*at)];
        cell.place.*count =
            place[static_cast<std::size_t>(cell.place.*at + cell.place.*count)] - first;
        cell.place.*at = first;
      }
      std::erase_if(cells_, [&](const DrawnCell& cell) { return cell.place.*count == 0; });
    }
  }

  bool is_filled() const {
    std::size_t filled = 0;
    for (const DrawnCell& cell : cells_) {
      if (cell.words() > kMostWords) return false;
      filled += cell.lines.empty() ? 0 : 1;
    }
    return filled >= 4 &&
           static_cast<double>(filled) >= kFilled * static_cast<double>(cells_.size());
  }

  // Returns whether no cell holds several figures, which columns or rows without lines would have.
  bool is_divided() const {
    return std::ranges::none_of(cells_, [&](const DrawnCell& cell) {
      int lines = 0;
      for (const Words& line : cell.lines) {
        const int numbers = numbers_in(page_, line);
        if (numbers > 1) return true;
        lines += numbers;
      }
      return lines > 1;
    });
  }

  bool has_even_rows() const {
    std::vector<int> single(static_cast<std::size_t>(rows_), 0);
    for (const DrawnCell& cell : cells_) {
      if (cell.place.columns > 1) continue;
      for (int row = 0; row < cell.place.rows; ++row) {
        ++single[static_cast<std::size_t>(cell.place.row + row)];
      }
    }
    const auto even = std::ranges::count_if(single, [&](int cells) { return cells == columns_; });
    return static_cast<double>(even) >= kEvenRows * static_cast<double>(rows_);
  }

  // Returns whether many cells begin with a label that is set differently from the value below it.
  bool is_form() const {
    std::size_t labelled = 0, filled = 0;
    for (const DrawnCell& cell : cells_) {
      filled += cell.lines.empty() ? 0 : 1;
      if (cell.lines.size() < 2) continue;
      const float label = size_of_line(page_, cell.lines[0]);
      const float value = size_of_line(page_, cell.lines[1]);
      const bool other = std::max(label, value) >= kOtherSize * std::min(label, value) ||
                         is_bold_line(page_, cell.lines[0]) != is_bold_line(page_, cell.lines[1]);
      labelled += other ? 1 : 0;
    }
    return static_cast<double>(labelled) >= kLabelled * static_cast<double>(filled);
  }

  // Returns the rows at the top that name columns. They are set in bold above others, have no
  // figures where others have, or divide the first row. Two columns of texts that are set alike are
  // labels and values, and have none.
  int head_rows() const {
    int rows = 1;
    for (const DrawnCell& cell : cells_) {
      const bool begins = cell.place.row < rows;
      if (begins) rows = std::max(rows, cell.place.row + cell.place.rows);
      if (cell.place.row == 0 && cell.place.columns > 1 && cell.place.columns < columns_) {
        rows = std::max(rows, cell.place.rows + 1);
      }
    }
    if (rows >= rows_ || has_figures(0, rows)) return has_figures(0, 1) || rows_ < 2 ? 0 : 1;
    const bool stands_out = (is_bold(0, rows) && !is_bold(rows, rows_)) || has_figures(rows, rows_);
    return stands_out || columns_ > 2 ? rows : 0;
  }

  bool has_figures(int first, int end) const {
    return std::ranges::any_of(cells_, [&](const DrawnCell& cell) {
      if (cell.place.row < first || cell.place.row >= end || cell.place.column == 0) return false;
      return cell.lines.size() == 1 && is_amount(cell.lines.front());
    });
  }

  // Years name columns.
  bool is_amount(const Words& line) const {
    const std::string text = text_of(page_, line);
    const bool is_year = text.size() == 4 && (text.starts_with("19") || text.starts_with("20"));
    return is_numeric_cell(text) && text.find_first_of("0123456789") != std::string::npos &&
           !is_year;
  }

  bool is_bold(int first, int end) const {
    return std::ranges::all_of(cells_, [&](const DrawnCell& cell) {
      if (cell.place.row < first || cell.place.row >= end) return true;
      return std::ranges::all_of(cell.lines,
                                 [&](const Words& line) { return is_bold_line(page_, line); });
    });
  }

  const pdf::RawPage& page_;
  std::vector<DrawnCell> cells_;
  int rows_ = 0, columns_ = 0;
};

}  // namespace

std::vector<PlacedTable> lattice_tables(const pdf::RawPage& page) {
  std::vector<PlacedTable> tables;
  for (const Lattice& lattice : find_lattices(ruled_lines(page.rules))) {
    if (std::optional<PlacedTable> table = lattice_table(page, lattice)) {
      tables.push_back(*std::move(table));
    }
  }
  return tables;
}

std::optional<PlacedTable> lattice_table(const pdf::RawPage& page, const Lattice& lattice) {
  const LatticeReader reader(page, lattice);
  return reader.is_table() ? std::optional(reader.table()) : std::nullopt;
}

}  // namespace fineprint::reading
