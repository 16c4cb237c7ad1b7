// Pages as Markdown, and their tables as cells.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::evidence {

// The cells of a table's lines, its caption left out. No rows where the lines make no two columns.
struct PageTable {
  std::vector<std::vector<std::string>> rows;  // all of as many cells
  int header_rows = 0;                         // 0 or 1
};
PageTable page_table(const Page& page, const Element& element);

// The page as CommonMark with tables as GitHub has them: headings by their level on the page,
// lists, captions in italics; running heads, feet and page numbers left out. Characters that would
// mean something to Markdown are escaped. Ends with a newline, or is empty.
std::string page_markdown(const Page& page);

}  // namespace fineprint::evidence
