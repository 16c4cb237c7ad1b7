// Where sections begin, as a document says itself: by its bookmarks, or by its headings.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"

#include "docmap/outline.h"
#include "docmap/page_digest.h"

namespace fineprint::docmap {

struct Start {
  int page = 0;
  int level = 1;     // one more than that of the section above
  std::string text;  // with the number, if it has one
};

// In the order of the bookmarks; those that lead nowhere, or back, are left out.
std::vector<Start> starts_of(const std::vector<OutlineEntry>& bookmarks, int pages);
// Headings of one size are of one level; `pages` in order.
std::vector<Start> starts_of(const std::vector<PageDigest>& pages);

// Whether the section's heading is the first of all that stands on the page.
bool is_at_top(const Start& start, const PageDigest& page);
// Opens the section, by its printed number where that fits.
void open_section(const Start& start, Outline* outline);

}  // namespace fineprint::docmap
