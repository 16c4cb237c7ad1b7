// Finds the levels of bookmarks and headings.
#include "docmap/starts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "fineprint/core/unicode.h"

namespace fineprint::docmap {
namespace {

// Closes gaps between levels: bookmarks of only levels 1 and 3 get levels 1 and 2.
class Levels {
 public:
  int enter(int level) {
    while (!open_.empty() && open_.back() >= level) open_.pop_back();
    open_.push_back(level);
    return static_cast<int>(open_.size());
  }

 private:
  std::vector<int> open_;
};

// Returns the size in half points, because sizes of one style differ a little between pages and by
// OCR.
int rounded_size(const PageHeading& heading) {
  return static_cast<int>(std::lround(heading.size_pt * 2));
}

// Returns whether the largest heading is the document's title: the only one of its size, on page 1.
bool has_title(const std::vector<PageDigest>& pages, int largest) {
  int at_largest = 0, others = 0;
  for (const PageDigest& page : pages) {
    for (const PageHeading& heading : page.headings) {
      ++(rounded_size(heading) == largest ? at_largest : others);
    }
  }
  const bool on_first =
      !pages.empty() && std::ranges::count(pages.front().headings, largest, rounded_size) == 1;
  return on_first && at_largest == 1 && others > 0;
}

}  // namespace

std::vector<Start> starts_of(const std::vector<OutlineEntry>& bookmarks, int pages) {
  std::vector<Start> out;
  Levels levels;
  for (const OutlineEntry& entry : bookmarks) {
    const int least = out.empty() ? 1 : out.back().page;
    if (entry.page < least || entry.page > pages || entry.title.empty()) continue;
    out.push_back({entry.page, levels.enter(entry.level), entry.title});
  }
  return out;
}

std::vector<Start> starts_of(const std::vector<PageDigest>& pages) {
  std::set<int, std::greater<>> sizes;
  for (const PageDigest& page : pages) {
    for (const PageHeading& heading : page.headings) sizes.insert(rounded_size(heading));
  }
  if (!sizes.empty() && has_title(pages, *sizes.begin())) sizes.erase(sizes.begin());
  std::vector<Start> out;
  Levels levels;
  int last_level = 0;
  for (const PageDigest& page : pages) {
    for (const PageHeading& heading : page.headings) {
      const auto size = sizes.find(rounded_size(heading));
      if (size == sizes.end()) continue;
      const auto level = static_cast<int>(std::distance(sizes.begin(), size)) + 1;
      // A heading that continues over several pages is printed on each of them.
      const bool again =
          !out.empty() && last_level == level && fold(out.back().text) == fold(heading.text);
      if (again) continue;
      out.push_back({page.page.page, levels.enter(level), heading.text});
      last_level = level;
    }
  }
  return out;
}

bool is_at_top(const Start& start, const PageDigest& page) {
  return page.begins_with_heading &&
         fold(heading_of(page.headings.front().text).title) == fold(heading_of(start.text).title);
}

// A printed number is better evidence of the level than a size.
void open_section(const Start& start, Outline* outline) {
  const Heading heading = heading_of(start.text);
  if (!heading.number.empty() && outline->fits(heading.number)) {
    outline->open(heading.number, start.level, heading.title, false, start.page);
  } else {
    outline->open("", start.level, start.text, false, start.page);
  }
}

}  // namespace fineprint::docmap
