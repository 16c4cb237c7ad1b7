#include "reading/pictured_layout.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "fineprint/image/clean.h"

#include "reading/layout_lattice.h"

namespace fineprint::reading {
namespace {

constexpr double kRegionsDpi = 72;  // the network was trained on pages drawn so
constexpr double kGridDpi = 144;
constexpr float kWithin = 0.8F;  // share of a region that must be in an area
constexpr std::size_t kMostTableWords =
    4000;                       // of a table; more are not looked at, as that takes long
constexpr int kMostMoved = 6;   // points that a line may be moved
constexpr float kOverlap = 1;   // points by which a word may reach over a line
constexpr float kBlank = 0.4F;  // of the size; a wider gap divides texts
constexpr float kAround = 1;    // points between the words of a table and its border

using WordRefs = std::vector<const Word*>;

bool is_within(const Box& box, const std::vector<Box>& areas) {
  return areas.empty() || std::ranges::any_of(areas, [&](const Box& area) {
           return intersected(box, area).area() >= kWithin * box.area();
         });
}

// Returns whether a word is a leader or a line made of characters, which may cross columns.
bool is_drawn(const std::string& text) {
  return text.size() > 2 && text.find_first_not_of(".-_=") == std::string::npos;
}

// Returns the words in a box that lines must not cut.
WordRefs solid_words_in(const pdf::RawPage& page, const Box& box) {
  WordRefs words;
  for (const Word& word : page.words) {
    if (is_drawn(word.text)) continue;
    const float x = (word.box.x0 + word.box.x1) / 2, y = (word.box.y0 + word.box.y1) / 2;
    if (x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1) words.push_back(&word);
  }
  return words;
}

// The two ends of a box along an axis.
struct Stretch {
  float from, to;
};
Stretch along_x(const Box& box) { return {box.x0, box.x1}; }
Stretch along_y(const Box& box) { return {box.y0, box.y1}; }

template <class Along>
std::size_t words_cut(const WordRefs& words, float at, const Along& along) {
  return static_cast<std::size_t>(std::ranges::count_if(words, [&](const Word* word) {
    const Stretch stretch = along(word->box);
    return stretch.from < at - kOverlap && stretch.to > at + kOverlap;
  }));
}

// Returns the place near `at` where a line cuts the fewest words.
template <class Along>
float between_words(const WordRefs& words, float at, const Along& along) {
  float best = at;
  std::size_t fewest = words_cut(words, at, along);
  for (int moved = 1; moved <= kMostMoved && fewest > 0; ++moved) {
    for (const float sign : {-1.0F, 1.0F}) {
      const float there = at + sign * static_cast<float>(moved);
      const std::size_t cut = words_cut(words, there, along);
      if (cut < fewest) {
        fewest = cut;
        best = there;
      }
    }
  }
  return best;
}

bool share_a_line(const Word& a, const Word& b) {
  const float apart = (a.box.y0 + a.box.y1) / 2 - (b.box.y0 + b.box.y1) / 2;
  return std::abs(apart) < std::min(a.box.height(), b.box.height()) / 2;
}

// Returns whether a text runs on across the line at `x`: in a word, or with no more than a blank.
bool runs_across(const WordRefs& words, float x) {
  if (words_cut(words, x, along_x) > 0) return true;
  for (const Word* left : words) {
    const float reach = x + kOverlap;
    if (left->box.x1 > reach || left->box.x1 < x - left->size_pt) continue;
    const bool goes_on = std::ranges::any_of(words, [&](const Word* right) {
      const float gap = right->box.x0 - left->box.x1;
      return right->box.x0 >= x - kOverlap && gap < kBlank * left->size_pt &&
             share_a_line(*left, *right);
    });
    if (goes_on) return true;
  }
  return false;
}

// Returns the borders of rows or columns in points, the ends of the table included.
template <class Along>
std::vector<float> borders_of_grid(const WordRefs& words, const Box& region, const Box& table,
                                   const std::vector<float>& shares, const Along& along) {
  const Stretch seen = along(region), all = along(table);
  std::vector<float> borders = {all.from};
  for (const float share : shares) {
    const float at = between_words(words, seen.from + share * (seen.to - seen.from), along);
    if (at > borders.back() && at < all.to) borders.push_back(at);
  }
  borders.push_back(all.to);
  return borders;
}

// Draws the lines of a grid: all across, and those down where no text runs on across them.
RuledLines drawn_lines(const WordRefs& words, const std::vector<float>& xs,
                       const std::vector<float>& ys) {
  RuledLines lines;
  for (const float y : ys) lines.across.push_back({y, xs.front(), xs.back()});
  std::vector<WordRefs> rows(ys.size() - 1);
  for (const Word* word : words) {
    const float middle = (word->box.y0 + word->box.y1) / 2;
    const auto after = std::ranges::upper_bound(ys, middle) - ys.begin();
    const auto row = std::clamp<std::ptrdiff_t>(after - 1, 0, std::ssize(rows) - 1);
    rows[static_cast<std::size_t>(row)].push_back(word);
  }
  for (const float x : xs) {
    const bool is_border = x == xs.front() || x == xs.back();
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (!is_border && runs_across(rows[row], x)) continue;
      lines.down.push_back({x, ys[row], ys[row + 1]});
    }
  }
  return lines;
}

Box around(const WordRefs& words) {
  Box box;
  for (const Word* word : words) box = united(box, word->box);
  return {box.x0 - kAround, box.y0 - kAround, box.x1 + kAround, box.y1 + kAround};
}

Image cut_region(const Image& page, const Box& box, double dpi) {
  const auto pixel = [&](float points) { return static_cast<int>(std::lround(points * dpi / 72)); };
  return image::cropped(page, pixel(box.x0), pixel(box.y0), pixel(box.x1), pixel(box.y1));
}

}  // namespace

std::optional<PlacedTable> table_of_grid(const pdf::RawPage& page, const Box& box,
                                         const GridShares& grid) {
  const WordRefs words = solid_words_in(page, box);
  if (words.empty() || words.size() > kMostTableWords) return std::nullopt;
  const Box table = around(words);
  const std::vector<float> xs = borders_of_grid(words, box, table, grid.down, along_x);
  const std::vector<float> ys = borders_of_grid(words, box, table, grid.across, along_y);
  if (xs.size() < 3 || ys.size() < 3) return std::nullopt;
  return lattice_table(page, Lattice(drawn_lines(words, xs, ys)));
}

PicturedLayout pictured_layout(const LayoutModel& model, const pdf::RawPage& page,
                               const std::vector<Box>& areas, const DrawPage& draw) {
  PicturedLayout found{.regions = model.regions(draw(kRegionsDpi), page.width_pt, page.height_pt),
                       .pictures = {},
                       .tables = {}};
  found.pictures = found.regions.boxes(Region::picture);
  std::vector<Box> tables = found.regions.boxes(Region::table);
  std::erase_if(found.pictures, [&](const Box& box) { return !is_within(box, areas); });
  std::erase_if(tables, [&](const Box& box) { return !is_within(box, areas); });
  if (tables.empty()) return found;
  const Image picture = draw(kGridDpi);
  for (const Box& box : tables) {
    const GridShares grid = model.grid(cut_region(picture, box, kGridDpi));
    if (std::optional<PlacedTable> table = table_of_grid(page, box, grid)) {
      found.tables.push_back(*std::move(table));
    }
  }
  return found;
}

}  // namespace fineprint::reading
