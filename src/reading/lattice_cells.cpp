// Follows crossings from line to line, and joins the places between which no line runs.
#include "reading/lattice_cells.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace fineprint::reading {
namespace {

constexpr float kReachOfLine = 3;  // points that a line may fall short of one that it meets
constexpr float kSameBorder = 3;   // points; lines nearer to each other are one border
constexpr float kOpenEnd = 12;     // points by which lines reach beyond the outermost crossing one
constexpr float kDivides = 0.5F;   // share of the edge of a place that a line must cover
constexpr std::size_t kMostPairs = 1'000'000;
constexpr std::size_t kMostOfKind = 400;  // borders each way

// Sets of numbers that are joined pair by pair.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t one) {
    while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
    return one;
  }
  void join(std::size_t a, std::size_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parent_;
};

bool cross(const RuledLine& across, const RuledLine& down) {
  return across.from - kReachOfLine <= down.at && down.at <= across.to + kReachOfLine &&
         down.from - kReachOfLine <= across.at && across.at <= down.to + kReachOfLine;
}

// Returns the borders that lines make, with the ends of the lines that cross them.
std::vector<float> borders_of(const std::vector<RuledLine>& lines,
                              const std::vector<RuledLine>& crossing) {
  std::vector<float> borders;
  for (const RuledLine& line : lines) {
    if (borders.empty() || line.at - borders.back() > kSameBorder) borders.push_back(line.at);
  }
  const float first = std::ranges::min_element(crossing, {}, &RuledLine::from)->from;
  const float last = std::ranges::max_element(crossing, {}, &RuledLine::to)->to;
  if (borders.front() - first > kOpenEnd) borders.insert(borders.begin(), first);
  if (last - borders.back() > kOpenEnd) borders.push_back(last);
  return borders;
}

// Returns whether lines at a border cover most of the stretch from `from` to `to`.
bool divided_at(const std::vector<RuledLine>& lines, float border, float from, float to) {
  float covered = 0;
  for (const RuledLine& line : lines) {
    if (line.at < border - kSameBorder || line.at > border + kSameBorder) continue;
    covered += std::max(0.0F, std::min(line.to, to) - std::max(line.from, from));
  }
  return covered >= kDivides * (to - from);
}

}  // namespace

Lattice::Lattice(RuledLines lines)
    : xs_(borders_of(lines.down, lines.across)), ys_(borders_of(lines.across, lines.down)) {
  const bool is_small = xs_.size() <= kMostOfKind && ys_.size() <= kMostOfKind;
  if (xs_.size() > 2 && ys_.size() > 2 && is_small) find_cells(lines);
}

void Lattice::find_cells(const RuledLines& lines) {
  const std::size_t columns = xs_.size() - 1, rows = ys_.size() - 1;
  Sets sets(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t place = row * columns + column;
      if (column > 0 && !divided_at(lines.down, xs_[column], ys_[row], ys_[row + 1])) {
        sets.join(place, place - 1);
      }
      if (row > 0 && !divided_at(lines.across, ys_[row], xs_[column], xs_[column + 1])) {
        sets.join(place, place - columns);
      }
    }
  }
  std::map<std::size_t, std::size_t> number;  // of a cell, by its set
  std::vector<std::size_t> places;            // of each cell
  cell_of_.resize(rows * columns);
  for (std::size_t place = 0; place < rows * columns; ++place) {
    const int row = static_cast<int>(place / columns), column = static_cast<int>(place % columns);
    const auto [found, is_new] = number.emplace(sets.of(place), cells_.size());
    if (is_new) {
      cells_.push_back({.row = row, .column = column});
      places.push_back(0);
    }
    LatticeCell& cell = cells_[found->second];
    const int end = std::max(cell.column + cell.columns, column + 1);
    cell.column = std::min(cell.column, column);
    cell.columns = end - cell.column;
    cell.rows = row + 1 - cell.row;
    ++places[found->second];
    cell_of_[place] = found->second;
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (static_cast<std::size_t>(cells_[i].rows * cells_[i].columns) == places[i]) continue;
    cells_.clear();
    return;
  }
}

std::optional<std::size_t> Lattice::cell_at(float x, float y) const {
  const auto column = std::ranges::upper_bound(xs_, x) - xs_.begin() - 1;
  const auto row = std::ranges::upper_bound(ys_, y) - ys_.begin() - 1;
  const auto columns = static_cast<std::ptrdiff_t>(xs_.size()) - 1;
  const auto rows = static_cast<std::ptrdiff_t>(ys_.size()) - 1;
  if (column < 0 || row < 0 || column >= columns || row >= rows) return std::nullopt;
  return cell_of_[static_cast<std::size_t>(row * columns + column)];
}

std::vector<Lattice> find_lattices(const RuledLines& lines) {
  const std::size_t across = lines.across.size(), down = lines.down.size();
  if (across < 2 || down == 0 || across * down > kMostPairs) return {};
  Sets sets(across + down);
  for (std::size_t i = 0; i < across; ++i) {
    for (std::size_t k = 0; k < down; ++k) {
      if (cross(lines.across[i], lines.down[k])) sets.join(i, across + k);
    }
  }
  std::map<std::size_t, RuledLines> groups;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < across + down; ++i) {
    RuledLines& group = groups[sets.of(i)];
    if (group.across.empty() && group.down.empty()) order.push_back(sets.of(i));
    if (i < across) {
      group.across.push_back(lines.across[i]);
    } else {
      group.down.push_back(lines.down[i - across]);
    }
  }
  std::vector<Lattice> lattices;
  for (const std::size_t one : order) {
    RuledLines& group = groups[one];
    if (group.across.size() < 2 || group.down.empty()) continue;
    Lattice lattice(std::move(group));
    if (!lattice.cells().empty()) lattices.push_back(std::move(lattice));
  }
  return lattices;
}

}  // namespace fineprint::reading
