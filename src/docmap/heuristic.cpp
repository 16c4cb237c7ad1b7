// Builds maps from bookmarks, headings and first sentences.
#include "fineprint/docmap/heuristic.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fineprint/core/unicode.h"

#include "docmap/outline.h"
#include "docmap/page_digest.h"

namespace fineprint::docmap {
namespace {

// A section to be: where it begins, and how it ranks among the others.
struct Start {
  int page = 0;
  int level = 1;
  std::string text;  // with the number, if it has one
};

// Entries that lead nowhere, or back, are left out.
std::vector<Start> starts_of(const std::vector<OutlineEntry>& bookmarks, int pages) {
  std::vector<Start> out;
  for (const OutlineEntry& entry : bookmarks) {
    const int least = out.empty() ? 1 : out.back().page;
    if (entry.page < least || entry.page > pages || entry.title.empty()) continue;
    out.push_back({entry.page, entry.level, entry.title});
  }
  return out;
}

// Sizes measured on different pages, or by OCR, differ a little for one style: half points.
int rounded_size(const PageHeading& heading) {
  return static_cast<int>(std::lround(heading.size_pt * 2));
}

// Whether the largest heading is the document's title: alone of its size, on page 1.
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

std::vector<Start> starts_of(const std::vector<PageDigest>& pages) {
  std::set<int, std::greater<>> sizes;
  for (const PageDigest& page : pages) {
    for (const PageHeading& heading : page.headings) sizes.insert(rounded_size(heading));
  }
  if (!sizes.empty() && has_title(pages, *sizes.begin())) sizes.erase(sizes.begin());
  std::vector<Start> out;
  for (const PageDigest& page : pages) {
    for (const PageHeading& heading : page.headings) {
      const auto size = sizes.find(rounded_size(heading));
      if (size == sizes.end()) continue;
      const auto level = static_cast<int>(std::distance(sizes.begin(), size)) + 1;
      // Headings that go on over several pages are printed on each of them.
      const bool again =
          !out.empty() && out.back().level == level && fold(out.back().text) == fold(heading.text);
      if (!again) out.push_back({page.page.page, level, heading.text});
    }
  }
  return out;
}

// Levels that no section above has (bookmarks of levels 1 and 3 alone) are closed up.
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

// A printed number tells the level better than a size does.
void open_section(const Start& start, int level, Outline* outline) {
  const Heading heading = heading_of(start.text);
  if (!heading.number.empty() && outline->fits(heading.number)) {
    outline->open(heading.number, level, heading.title, false, start.page);
  } else {
    outline->open("", level, start.text, false, start.page);
  }
}

Outline outline_of(const std::vector<Start>& starts, const std::vector<PageDigest>& pages) {
  Outline outline;
  Levels levels;
  auto next = starts.begin();
  for (const PageDigest& page : pages) {
    const int number = page.page.page;
    const bool begins_here = next != starts.end() && next->page == number;
    if (!outline.last().empty() && !(begins_here && page.begins_with_heading)) {
      outline.assign(outline.last(), number);
    }
    for (; next != starts.end() && next->page == number; ++next) {
      open_section(*next, levels.enter(next->level), &outline);
    }
  }
  return outline;
}

}  // namespace

DocumentMap heuristic_map(const store::DocumentRow& document,
                          const std::vector<OutlineEntry>& bookmarks,
                          const std::function<Page(int number)>& page) {
  std::vector<PageDigest> digests;
  for (int number = 1; number <= document.page_count; ++number) {
    digests.push_back(digest_of(page(number)));
  }
  std::vector<Start> starts = starts_of(bookmarks, document.page_count);
  if (starts.empty()) starts = starts_of(digests);
  const Outline outline = outline_of(starts, digests);
  DocumentMap map{.doc = document.doc,
                  .hash = document.hash,
                  .model = std::string(kHeuristic),
                  .pages_total = document.page_count,
                  .sections = outline.sections(),
                  .pages = {},
                  .elements = {}};
  for (PageDigest& digest : digests) {
    digest.page.sections = outline.deepest_on(digest.page.page);
    map.pages.push_back(std::move(digest.page));
    std::ranges::move(digest.elements, std::back_inserter(map.elements));
  }
  return map;
}

}  // namespace fineprint::docmap
