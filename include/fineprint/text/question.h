// Separates what a question asks from how it wants to be answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Returns the question without instructions about the form of the answer ("Answer in one
// sentence.", "Round to two decimals.", "If ..., then state that."), and with fiscal years and
// quarters written as documents write them ("FY2022" becomes "2022", "Q2" becomes "Q2 second
// quarter"). Instructions stay if fewer than three words would be left.
std::string question_core(std::string_view question);

// A range of pages that a question names, both ends included, counted from 1; kLastPage is the last
// page.
struct PageRange {
  int first = 0;
  int last = 0;
  bool operator==(const PageRange&) const = default;
};
inline constexpr int kLastPage = -1;
// Returns the pages that a question names, for example "page 5", "slides 3 to 6", "the third
// slide", "cover page" or "last page".
std::vector<PageRange> named_pages(std::string_view question);
// Returns the question without "page 5" and similar words, because their numbers do not describe
// the text of the page.
std::string without_named_pages(std::string_view question);

// Returns the search terms of the counted things; the last one is the head noun. For example, "How
// many full-time employees work there?" gives "full", "time", "employe". "number of ..." works too.
// Empty if nothing is counted.
std::vector<std::string> counted_terms(std::string_view question);

}  // namespace fineprint::text
