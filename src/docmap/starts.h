// Finds where sections begin, as a document itself says: by its bookmarks, or by its headings.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"

#include "docmap/outline.h"
#include "docmap/page_digest.h"

namespace fineprint::docmap {

// The beginning of a section.
struct Start {
  int page = 0;
  int level = 1;     // one more than that of the parent section
  std::string text;  // with the number, if it has one
};

// Returns starts in the order of the bookmarks. Omits bookmarks that lead nowhere, or back
// to an earlier page.
std::vector<Start> starts_of(const std::vector<OutlineEntry>& bookmarks, int pages);
// Returns starts by headings; headings of one size have one level. `pages` must be in order.
std::vector<Start> starts_of(const std::vector<PageDigest>& pages);

// Returns whether the section's heading is the first text on the page.
bool is_at_top(const Start& start, const PageDigest& page);
// Opens the section, by its printed number if that fits.
void open_section(const Start& start, Outline* outline);

}  // namespace fineprint::docmap
