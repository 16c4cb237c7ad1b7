// What of a page a map is made from, without a model.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

struct PageHeading {
  std::string text;  // one line
  float size_pt = 0;
};

struct PageDigest {
  MappedPage page;  // without its sections
  std::vector<MappedElement> elements;
  std::vector<PageHeading> headings;
  bool begins_with_heading = false;
};

PageDigest digest_of(const Page& page);

}  // namespace fineprint::docmap
