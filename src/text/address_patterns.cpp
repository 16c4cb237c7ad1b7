// Regular expressions for phone numbers and addresses.
#include "text/address_patterns.h"

#include <algorithm>
#include <string>

#include "fineprint/text/pattern.h"

#include "text/value_patterns.h"

namespace fineprint::text {
namespace {

constexpr std::ptrdiff_t kLeastDigits = 7, kMostDigits = 15;  // E.164 allows at most 15 digits

// Returns the span of each occurrence.
std::vector<Span> spans_of(const Pattern& pattern, std::string_view passage) {
  std::vector<Span> out;
  for (const Match& match : pattern.find_all(passage)) out.push_back(match.whole());
  return out;
}

// Returns true if a run of digits is written like a phone number. Digits alone are not enough; what
// counts is a leading +, ( or 0, or the marks between the groups.
bool is_dialled(std::string_view number) {
  static const Pattern kForm(
      R"((?x) ^ (?: [+(0] | \d{3} \h \d{3} \h \d{4} $ | [\d\h()]* \d [-.\x{2011}\x{2013}] [\d(] ))",
      Pattern::Case::sensitive);
  const std::ptrdiff_t digits =
      std::ranges::count_if(number, [](char c) { return c >= '0' && c <= '9'; });
  return digits >= kLeastDigits && digits <= kMostDigits && kForm.occurs_in(number);
}

}  // namespace

std::vector<Span> find_phone_numbers(std::string_view passage) {
  static const Pattern kRun(
      R"((?x) (?<! [\p{L}\d.,/$€£¥+(-] ) (?: \+ \h? )? (?: \( \h? \+? \d{1,5} \h? \) | \d{1,15} )
         (?: \h? [-./\x{2011}\x{2013}]? \h? (?: \( \d{1,5} \) | \d{2,15} ) )*
         (?! [\p{L}\d%] | [.,]\d ))",
      Pattern::Case::sensitive);
  // Dates such as 12-05-2024 have the form of phone numbers.
  const std::vector<Span> dates = find_dates(passage);
  std::vector<Span> numbers = spans_of(kRun, passage);
  std::erase_if(numbers, [&](const Span& one) {
    const bool is_date = std::ranges::any_of(
        dates, [&](const Span& date) { return date.begin <= one.begin && one.end <= date.end; });
    return is_date || !is_dialled(passage.substr(one.begin, one.end - one.begin));
  });
  return numbers;
}

std::vector<Span> find_emails(std::string_view passage) {
  static const Pattern kEmail(
      R"((?x) [\p{L}\d] [\p{L}\d._%+-]* @ (?: [\p{L}\d] [\p{L}\d-]* \. )+ \p{L}{2,})",
      Pattern::Case::ignored);
  return spans_of(kEmail, passage);
}

std::vector<Span> find_websites(std::string_view passage) {
  // clang-format off: it breaks this expression inside its braces.
  static const Pattern kWebsite(
      R"re((?x) (?<! [@\p{L}\d.-] )
         (?: (?: https?:// | www\. ) [^\s<>()"']*
           | (?: [\p{L}\d] [\p{L}\d-]* \. )+
             (?: com | org | net | gov | edu | mil | int | info | eu | io | (?: co | org | gov | ac ) \. \p{L}{2} )
             (?! [\p{L}\d@-] | \.\p{L} ) (?: / [^\s<>()"']* )? )
         (?<! [.,;:!?] ))re",
      Pattern::Case::ignored);
  // clang-format on
  return spans_of(kWebsite, passage);
}

}  // namespace fineprint::text
