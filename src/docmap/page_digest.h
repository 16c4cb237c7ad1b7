// Collects what a map is made from, page by page and without a model.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

// A heading of a page.
struct PageHeading {
  std::string text;  // on one line
  float size_pt = 0;
};

// What one page contributes to a map.
struct PageDigest {
  MappedPage page;  // its sections are still empty
  std::vector<MappedElement> elements;
  std::vector<PageHeading> headings;
  bool begins_with_heading = false;
};

// Reads the digest of a page from its layout.
PageDigest digest_of(const Page& page);

}  // namespace fineprint::docmap
