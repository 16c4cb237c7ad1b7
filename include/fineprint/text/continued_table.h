// Tables that go on without their header, on the next page or below other text.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// The header of a table of an earlier page, for the element that continues the table.
struct CarriedHeader {
  std::size_t element = 0;               // index in Page::elements of the page that continues
  int page = 0;                          // number of the page that has the header
  std::string caption;                   // of the table, or else the headings above it
  std::vector<std::vector<Word>> lines;  // moved above the columns that they head, in points
};

// Returns an earlier page by its number, or nullptr if there is none. The pages must stay valid
// until the next call of the function that uses this.
using EarlierPage = std::function<const Page*(int number)>;

// Returns the header that applies to the first element of a page. There is one if the last table of
// the page before reaches its end, the element is at the top, has equally many columns at the same
// positions, and does not begin with a header of its own. Looks back over several pages, if the
// table does.
std::optional<CarriedHeader> carried_header(const Page& page, const EarlierPage& earlier);

// Returns the headers of the tables of a page that go on below other text, such as a heading in
// between: each has its columns where those of a table above are, and does not begin with a header
// of its own.
std::vector<CarriedHeader> repeated_headers(const Page& page);

// Returns the caption and the header lines as one text, "caption | header".
std::string header_text(const CarriedHeader& header);

// Returns the page with the header as first lines of the table that continues. The words of the
// header are the last ones of Page::words, so that the numbers of the other words stay the same.
Page with_header(Page page, const CarriedHeader& header);

}  // namespace fineprint::text
