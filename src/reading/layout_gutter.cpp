// Follows white strips down the page, and distinguishes columns of text from columns of a table.
#include "reading/layout_gutter.h"

#include <algorithm>
#include <cmath>

namespace fineprint::reading {
namespace {

constexpr float kMinGutter = 0.8F;      // of the font size; in narrow papers gutters have 1.2
constexpr std::size_t kMaxActive = 32;  // strips followed at the same time
// neighbours looked at; bounds the time for pages of odd geometry
constexpr std::size_t kMaxScan = 200;
constexpr std::size_t kMaxJudged = 16;  // strips examined, tallest first
constexpr std::size_t kMaxExtended = 256;
constexpr int kMinLines = 3;  // on the longer side; the shorter side needs two
// Rows of text on each side of a gutter have at least this many characters; cells have fewer.
constexpr double kProse = 20;
constexpr double kNumericShare = 0.4;
constexpr double kAligned = 0.75;       // share of lines at the height of a line across the gutter
constexpr double kLabelsAligned = 0.9;  // the same share, of labels and the values next to them
constexpr double kLooseLines = 1.9;     // distance of the lines of a form, times their height
// How far apart the middles of two lines at the same height may be, times their height: of lines of
// text, and of labels and the fields of a form, which are often a little higher or lower.
constexpr float kLineOffset = 0.2F, kFieldOffset = 0.4F;
constexpr int kRuledRows = 3;  // this many ruled lines across a gutter make it part of a table

// The text on one side of a gutter.
struct Side {
  std::vector<float> lines;  // middle heights of its lines, from the top
  double characters = 0, fragments = 0, numeric = 0, colons = 0;
  float height = 0;  // average height of a line

  double characters_per_line() const {
    return lines.empty() ? 0 : characters / static_cast<double>(lines.size());
  }
  // Returns the usual distance between two lines in heights of a line; 0 for a single line.
  double pitch() const {
    if (lines.size() < 2 || height <= 0) return 0;
    return static_cast<double>(lines.back() - lines.front()) /
           (static_cast<double>(lines.size() - 1) * static_cast<double>(height));
  }
  double numeric_share() const { return fragments > 0 ? numeric / fragments : 0; }
};

class GutterSearch {
 public:
  GutterSearch(const std::vector<Fragment>& fragments, const std::vector<std::uint32_t>& area,
               const std::vector<Box>& rules)
      : rules_(rules) {
    for (const std::uint32_t index : area) {
      if (!fragments[index].vertical) sorted_.push_back(&fragments[index]);
    }
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [](const Fragment* a, const Fragment* b) { return a->box.y0 < b->box.y0; });
  }

  // Returns the tallest strip that separates columns. The tallest is most likely to divide the area
  // as a whole; gutters between narrower columns are found later, when each side is searched
  // separately.
  std::optional<Gutter> find() {
    if (sorted_.size() < 5) return std::nullopt;
    measure();
    follow_strips();
    keep_tallest(kMaxExtended);
    for (Gutter& strip : strips_) extend_up(strip);
    keep_tallest(kMaxJudged);
    for (const Gutter& strip : strips_) {
      if (separates_columns(strip)) return strip;
    }
    return std::nullopt;
  }

 private:
  void keep_tallest(std::size_t most) {
    std::stable_sort(strips_.begin(), strips_.end(),
                     [](const Gutter& a, const Gutter& b) { return a.y1 - a.y0 > b.y1 - b.y0; });
    if (strips_.size() > most) strips_.resize(most);
  }

  // Uses the median size, because gutters are as wide as the text needs, even next to a large
  // heading.
  void measure() {
    std::vector<float> sizes;
    for (const Fragment* fragment : sorted_) sizes.push_back(fragment->size_pt);
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    usual_pt_ = *middle;
  }

  float least_gutter(const Fragment& fragment) const {
    return kMinGutter * std::min(fragment.size_pt, usual_pt_);
  }

  // Returns for each fragment where the next one to its right at the same height begins.
  std::vector<float> right_neighbours() const {
    std::vector<float> next(sorted_.size(), INFINITY);
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      const Box& a = sorted_[i]->box;
      const std::size_t end = std::min(sorted_.size(), i + kMaxScan);
      for (std::size_t j = i + 1; j < end && sorted_[j]->box.y0 < a.y1; ++j) {
        const Box& b = sorted_[j]->box;
        const float shared = std::min(a.y1, b.y1) - b.y0;
        // Requires a real overlap: lines of two columns are seldom at exactly one height, and boxes
        // of neighbouring lines touch.
        if (shared < 0.3F * std::min(a.height(), b.height())) continue;
        if (b.x0 >= a.x1) next[i] = std::min(next[i], b.x0);
        if (a.x0 >= b.x1) next[j] = std::min(next[j], a.x0);
      }
    }
    return next;
  }

  void follow_strips() {
    const std::vector<float> next = right_neighbours();
    std::vector<Gutter> active;
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      const Fragment& fragment = *sorted_[i];
      narrow(active, fragment);
      const Gutter gap{fragment.box.x1, next[i], fragment.box.y0, fragment.box.y1};
      if (std::isfinite(next[i])) open(active, gap, least_gutter(fragment));
    }
    for (Gutter& strip : active) close(strip, sorted_.back()->box.y1);
  }

  // Keeps the part of each strip that a fragment leaves free.
  void narrow(std::vector<Gutter>& active, const Fragment& fragment) {
    const Box& box = fragment.box;
    const float least = least_gutter(fragment);
    std::erase_if(active, [&](Gutter& strip) {
      if (box.x0 >= strip.x1 || box.x1 <= strip.x0) return false;
      const float left = box.x0 - strip.x0, right = strip.x1 - box.x1;
      if (std::max(left, right) < least) {
        close(strip, box.y0);
        return true;
      }
      // The wider rest continues, because an indented line or a hanging bullet only narrows a
      // gutter.
      (left >= right ? strip.x1 : strip.x0) = left >= right ? box.x0 : box.x1;
      return false;
    });
  }

  static void open(std::vector<Gutter>& active, const Gutter& gap, float least) {
    if (gap.x1 - gap.x0 < least || active.size() >= kMaxActive) return;
    const bool known = std::any_of(active.begin(), active.end(), [&](const Gutter& strip) {
      return std::min(gap.x1, strip.x1) - std::max(gap.x0, strip.x0) >= least;
    });
    if (!known) active.push_back(gap);
  }

  void close(Gutter strip, float end) {
    strip.y1 = end;
    if (strip.y1 > strip.y0) strips_.push_back(strip);
  }

  // Moves the top of a strip up to where something crosses it. A strip is first seen where both
  // sides have text, but may begin earlier.
  void extend_up(Gutter& strip) const {
    float top = sorted_.front()->box.y0;
    for (const Fragment* fragment : sorted_) {
      const Box& box = fragment->box;
      if (box.y0 >= strip.y0) break;
      if (box.x0 < strip.x1 && box.x1 > strip.x0) top = std::max(top, box.y1);
    }
    strip.y0 = std::min(strip.y0, top);
  }

  // Adds a fragment to its side. Fragments must come from the top, so that lines can be counted.
  static void add(Side& side, const Fragment& fragment) {
    if (fragment.figure >= 0) {  // a figure counts as lines that cannot be read
      const int lines = std::max(kMinLines, static_cast<int>(fragment.box.height() / 14));
      for (int i = 0; i < lines; ++i) {
        side.lines.push_back(fragment.box.y0 + (i + 0.5F) * fragment.box.height() / lines);
      }
      side.characters += 2 * kProse * lines;
      side.fragments += lines;
      return;
    }
    const float middle = fragment.middle_y();
    const bool new_line =
        side.lines.empty() || middle - side.lines.back() > 0.5F * fragment.box.height();
    if (new_line) side.lines.push_back(middle);
    side.characters += fragment.characters;
    side.fragments += 1;
    side.numeric += fragment.numeric;
    side.colons += fragment.ends_with_colon;
    side.height += (fragment.box.height() - side.height) / static_cast<float>(side.fragments);
  }

  // Returns the share of the shorter side's lines that are at the height of a line of the other
  // side.
  static double aligned_share(const Side& a, const Side& b, float same_height = kLineOffset) {
    const Side& few = a.lines.size() < b.lines.size() ? a : b;
    const Side& many = a.lines.size() < b.lines.size() ? b : a;
    const float tolerance = same_height * std::max(a.height, b.height);
    std::size_t matched = 0, at = 0;
    for (const float line : few.lines) {
      while (at < many.lines.size() && many.lines[at] < line - tolerance) ++at;
      if (at < many.lines.size() && many.lines[at] <= line + tolerance) ++matched;
    }
    return static_cast<double>(matched) / static_cast<double>(few.lines.size());
  }

  bool is_ruled_across(const Gutter& strip) const {
    const float margin = 4;  // points; lines above and below the columns do not count
    const auto crossing = std::count_if(rules_.begin(), rules_.end(), [&](const Box& rule) {
      return rule.width() > rule.height() && rule.x0 < strip.x0 && rule.x1 > strip.x1 &&
             rule.y0 > strip.y0 + margin && rule.y1 < strip.y1 - margin;
    });
    return crossing >= kRuledRows;
  }

  bool separates_columns(const Gutter& strip) const {
    Side left, right;
    // (position in the file, whether on the right)
    std::vector<std::pair<std::uint32_t, bool>> in_file;
    for (const Fragment* fragment : sorted_) {
      const float middle = fragment->middle_y();
      if (middle < strip.y0 || middle > strip.y1) continue;
      const bool on_right = fragment->middle_x() > (strip.x0 + strip.x1) / 2;
      add(on_right ? right : left, *fragment);
      if (fragment->figure < 0) in_file.emplace_back(fragment->order, on_right);
    }
    const auto lines = std::minmax({left.lines.size(), right.lines.size()});
    if (lines.first < 2 || lines.second < kMinLines || is_ruled_across(strip)) return false;
    for (Side* side : {&left, &right}) std::sort(side->lines.begin(), side->lines.end());
    std::sort(in_file.begin(), in_file.end());
    int switches = 0;
    for (std::size_t i = 1; i < in_file.size(); ++i) {
      switches += in_file[i].second != in_file[i - 1].second;
    }
    return judge(left, right, switches, static_cast<double>(lines.first));
  }

  // Returns whether the lines on the left are labels of those on the right, in whatever order the
  // file has them: they are at the same heights, and end with colons or are far from each other,
  // which lines of text are not.
  static bool are_labels_and_values(const Side& left, const Side& right) {
    const bool loose = std::min(left.pitch(), right.pitch()) >= kLooseLines;
    const float same_height = loose ? kFieldOffset : kLineOffset;
    if (aligned_share(left, right, same_height) < kLabelsAligned) return false;
    if (2 * left.colons >= left.fragments) return true;
    return left.characters_per_line() < 2 * kProse && loose;
  }

  // Decides between columns of text and columns of a table. The two look alike if a table has long
  // labels, so three signs are considered: the amount of text per line, whether lines on both sides
  // are at the same heights, and `switches`, the number of times that the file goes from one side
  // to the other. A file written row by row switches at every row; a file written column by column
  // switches once or twice, and up to three times for boxes next to each other. Two sides of prose
  // are a table only if both the file and the heights say so.
  static bool judge(const Side& left, const Side& right, int switches, double lines) {
    const bool by_rows = switches > 3 && switches >= 0.5 * lines;
    const double aligned = aligned_share(left, right);
    const bool prose_left = left.characters_per_line() >= kProse;
    const bool prose_right = right.characters_per_line() >= kProse;
    if (are_labels_and_values(left, right)) return false;
    if (right.numeric_share() >= kNumericShare || left.numeric_share() >= kNumericShare) {
      // A table next to text: its rows do not match the text's lines.
      return (prose_left || prose_right) && !by_rows && switches <= 3 && aligned < kAligned;
    }
    if (prose_left && prose_right) return !(by_rows && aligned >= kAligned);
    // Short lines may be labels and their values, or boxes next to each other. The order in the
    // file decides.
    return lines >= kMinLines && switches <= 3 && left.characters_per_line() >= 4 &&
           right.characters_per_line() >= 4;
  }

  const std::vector<Box>& rules_;
  std::vector<const Fragment*> sorted_;  // by upper edge
  std::vector<Gutter> strips_;
  float usual_pt_ = 0;
};

}  // namespace

std::optional<Gutter> column_gutter(const std::vector<Fragment>& fragments,
                                    const std::vector<std::uint32_t>& area,
                                    const std::vector<Box>& rules) {
  return GutterSearch(fragments, area, rules).find();
}

}  // namespace fineprint::reading
