// Clusters drawings and pictures on a coarse grid. A map may have a hundred thousand strokes, and
// comparing each with each would take hours. Instead, grid cells with drawings are joined if they
// touch, which looks once at each stroke and at each cell.
#include "reading/layout_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reading/layout_table.h"

namespace fineprint::reading {
namespace {

constexpr int kCells = 72;              // grid cells each way; about 8 by 11 points each
constexpr float kBackground = 0.6F;     // of the page; a larger drawing is a background
constexpr float kLeastFigure = 0.012F;  // of the page; a smaller drawing is an ornament
constexpr float kReach = 6;             // points; drawings this near belong together
constexpr float kLeastSide = 36;        // points; flatter drawings are shaded rows and ornaments
constexpr int kMinDrawings = 6;         // of a chart; boxes around text have fewer
constexpr std::size_t kLongWords = 9;   // a fragment of this many words is text and not a label
constexpr double kTableShare = 0.5;     // of the fragments in table rows: a shaded table

// Marks the grid cells with drawings and joins cells that touch.
class Clusters {
 public:
  explicit Clusters(const pdf::RawPage& page)
      : page_(page),
        cell_w_(std::max(page.width_pt, 1.0F) / kCells),
        cell_h_(std::max(page.height_pt, 1.0F) / kCells) {
    for (const Box& box : page.drawings) mark(box);
    for (const Box& box : page.images) mark(box);
    settle();
    label();
    boxes_.resize(static_cast<std::size_t>(count_));
    drawings_.resize(static_cast<std::size_t>(count_), 0);
    for (const Box& box : page.drawings) count(box, 1);
    for (const Box& box : page.images) count(box, kMinDrawings);  // one picture is a figure
  }

  std::vector<Box> figures() const {
    std::vector<Box> result;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const float share = boxes_[i].area() / std::max(page_.width_pt * page_.height_pt, 1.0F);
      const bool large = boxes_[i].width() >= kLeastSide && boxes_[i].height() >= kLeastSide;
      if (large && drawings_[i] >= kMinDrawings && share >= kLeastFigure && share <= kBackground) {
        result.push_back(boxes_[i]);
      }
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Box& a, const Box& b) { return a.y0 < b.y0; });
    return result;
  }

 private:
  bool is_background(const Box& box) const {
    return box.area() > kBackground * page_.width_pt * page_.height_pt;
  }
  int column(float x) const { return std::clamp(static_cast<int>(x / cell_w_), 0, kCells - 1); }
  int line(float y) const { return std::clamp(static_cast<int>(y / cell_h_), 0, kCells - 1); }

  // Marks a box as the corners of a summed-area table, so that it takes four additions whatever its
  // size.
  void mark(const Box& box) {
    if (is_background(box)) return;
    const int x0 = column(box.x0 - kReach), x1 = column(box.x1 + kReach) + 1;
    const int y0 = line(box.y0 - kReach), y1 = line(box.y1 + kReach) + 1;
    at(x0, y0) += 1;
    at(x1, y0) -= 1;
    at(x0, y1) -= 1;
    at(x1, y1) += 1;
  }

  // Turns the corners into sums: how many boxes cover each cell.
  void settle() {
    for (int y = 0; y <= kCells; ++y) {
      for (int x = 1; x <= kCells; ++x) at(x, y) += at(x - 1, y);
    }
    for (int y = 1; y <= kCells; ++y) {
      for (int x = 0; x <= kCells; ++x) at(x, y) += at(x, y - 1);
    }
  }

  // Labels connected cells by flood fill.
  void label() {
    labels_.fill(-1);
    std::vector<int> todo;
    for (int start = 0; start < kCells * kCells; ++start) {
      if (!drawn(start) || labels_[static_cast<std::size_t>(start)] >= 0) continue;
      todo.push_back(start);
      labels_[static_cast<std::size_t>(start)] = count_;
      while (!todo.empty()) {
        const int cell = todo.back();
        todo.pop_back();
        visit_neighbours(cell, todo);
      }
      ++count_;
    }
  }

  void visit_neighbours(int cell, std::vector<int>& todo) {
    const int x = cell % kCells, y = cell / kCells;
    for (int ny = std::max(0, y - 1); ny <= std::min(kCells - 1, y + 1); ++ny) {
      for (int nx = std::max(0, x - 1); nx <= std::min(kCells - 1, x + 1); ++nx) {
        const int next = ny * kCells + nx;
        if (!drawn(next) || labels_[static_cast<std::size_t>(next)] >= 0) continue;
        labels_[static_cast<std::size_t>(next)] = count_;
        todo.push_back(next);
      }
    }
  }

  // Adds a box to the cluster of the cell under its middle. The box of a cluster is the union of
  // its drawings' boxes, clipped to the page, because cells are too coarse and drawings may reach
  // far off the page.
  void count(const Box& box, int weight) {
    if (is_background(box)) return;
    const int cell = line((box.y0 + box.y1) / 2) * kCells + column((box.x0 + box.x1) / 2);
    const int cluster = labels_[static_cast<std::size_t>(cell)];
    if (cluster < 0) return;
    const Box on_page = intersected(box, {0, 0, page_.width_pt, page_.height_pt});
    Box& all = boxes_[static_cast<std::size_t>(cluster)];
    all = united(all, on_page);
    drawings_[static_cast<std::size_t>(cluster)] += weight;
  }

  bool drawn(int cell) const { return sums_[index(cell % kCells, cell / kCells)] > 0; }
  int& at(int x, int y) { return sums_[index(x, y)]; }
  static std::size_t index(int x, int y) {
    return static_cast<std::size_t>(y) * (kCells + 1) + static_cast<std::size_t>(x);
  }

  const pdf::RawPage& page_;
  float cell_w_, cell_h_;
  std::array<int, (kCells + 1) * (kCells + 1)> sums_{};
  std::array<int, kCells * kCells> labels_{};
  int count_ = 0;
  std::vector<Box> boxes_;
  std::vector<int> drawings_;
};

bool contains_middle(const Box& box, const Fragment& fragment) {
  return fragment.middle_x() >= box.x0 && fragment.middle_x() <= box.x1 &&
         fragment.middle_y() >= box.y0 && fragment.middle_y() <= box.y1;
}

// Returns whether the text inside is labels, and neither running text nor a table. Rows of a table
// are often shaded and boxed, and text may be framed. Both have as many drawings as a chart has,
// and would be lost as text if they became figures.
bool holds_labels(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                  const std::vector<std::uint32_t>& inside) {
  const bool text = std::any_of(inside.begin(), inside.end(), [&](std::uint32_t index) {
    return fragments[index].words.size() >= kLongWords;
  });
  if (text) return false;
  const std::vector<Row> rows = make_rows(page, fragments, inside);
  std::size_t cells = 0, in_tables = 0;
  for (const Row& row : rows) cells += row.cells.size();
  for (const TableRange& table : find_tables(page, rows)) {
    for (std::size_t i = table.first; i < table.last; ++i) in_tables += rows[i].cells.size();
  }
  return static_cast<double>(in_tables) < kTableShare * static_cast<double>(cells) || cells == 0;
}

}  // namespace

std::vector<Figure> find_figures(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                                 std::vector<bool>& taken) {
  std::vector<Figure> figures;
  if (page.drawings.empty() && page.images.empty()) return figures;
  constexpr std::size_t kMaxFigures = 64;  // each figure looks at all fragments
  for (const Box& box : Clusters(page).figures()) {
    if (figures.size() == kMaxFigures) break;
    Figure figure{.box = box, .fragments = {}};
    for (std::uint32_t i = 0; i < fragments.size(); ++i) {
      if (!taken[i] && contains_middle(box, fragments[i])) figure.fragments.push_back(i);
    }
    if (!holds_labels(page, fragments, figure.fragments)) continue;
    for (const std::uint32_t i : figure.fragments) {
      taken[i] = true;
      figure.box = united(figure.box, fragments[i].box);  // labels reach beyond the drawing
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace fineprint::reading
