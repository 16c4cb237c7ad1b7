// What a question asks, apart from how it wants to be answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// The question without instructions about the answer's form ("Answer in one sentence.", "Round to
// two decimals.", "If ..., then state that.") and with fiscal years and quarters spelt as
// documents do ("FY2022" becomes "2022", "Q2" gains "second quarter"). Left as it is where
// fewer than three words would remain.
std::string question_core(std::string_view question);

// Pages [first, last] that a question names: "page 5", "slides 3 to 6", "the third slide",
// "cover page", "last page". Counted from 1; a last page is kLastPage.
struct PageRange {
  int first = 0;
  int last = 0;
  bool operator==(const PageRange&) const = default;
};
inline constexpr int kLastPage = -1;
std::vector<PageRange> named_pages(std::string_view question);
// The question without "page 5" and its like, whose numbers say nothing about the page's text.
std::string without_named_pages(std::string_view question);

}  // namespace fineprint::text
