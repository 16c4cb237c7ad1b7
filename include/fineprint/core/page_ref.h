// Names a page of a document.
#pragma once

#include <compare>
#include <string>

namespace fineprint {

// A page of a document, as people name it. For example: {"2024/report.pdf", 12}.
struct PageRef {
  std::string doc;  // path relative to the indexed folder, '/' between parts
  int page = 0;     // counted from 1
  auto operator<=>(const PageRef&) const = default;
};

}  // namespace fineprint
