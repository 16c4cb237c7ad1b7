// Builds maps from bookmarks, headings and first sentences.
#include "fineprint/docmap/heuristic.h"

#include <algorithm>
#include <iterator>

#include "docmap/outline.h"
#include "docmap/page_digest.h"
#include "docmap/starts.h"

namespace fineprint::docmap {
namespace {

Outline outline_of(const std::vector<Start>& starts, const std::vector<PageDigest>& pages) {
  Outline outline;
  auto next = starts.begin();
  for (const PageDigest& page : pages) {
    const int number = page.page.page;
    // Text above the first heading of a page still belongs to the section before.
    const bool begins_at_top =
        next != starts.end() && next->page == number && is_at_top(*next, page);
    if (!begins_at_top) outline.assign(outline.last(), number);
    for (; next != starts.end() && next->page == number; ++next) {
      open_section(*next, &outline);
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
