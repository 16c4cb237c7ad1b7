// Reads dates as documents print them.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <utility>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/sheet/value.h"

namespace fineprint::sheet {
namespace {

// The names of the months, folded, also shortened. A blank is around each.
constexpr std::array<std::string_view, 12> kMonths = {
    " january jan januar jän jänner janvier janv enero ene gennaio gen ",
    " february feb februar febr février févr fevrier febrero febbraio ",
    " march mar märz mär mrz maerz mars marzo ",
    " april apr avril avr abril abr aprile ",
    " may mai mayo maggio mag ",
    " june jun juni juin junio giugno giu ",
    " july jul juli juillet juil julio luglio lug ",
    " august aug août aout agosto ago ",
    " september sep sept septembre septiembre settembre set ",
    " october oct oktober okt octobre octubre ottobre ott ",
    " november nov novembre noviembre ",
    " december dec dezember dez décembre décem diciembre dic dicembre "};
constexpr std::string_view kWeekdays =
    " monday mon tuesday tue wednesday wed thursday thu friday fri saturday sat sunday sun montag "
    "mo "
    "dienstag di mittwoch mi donnerstag do freitag fr samstag sa sonnabend sonntag so ";

bool is_among(std::string_view names, const std::string& word) {
  return names.find(" " + word + " ") != std::string_view::npos;
}

// Returns 1 to 12, or 0 if the word is no month.
unsigned month_of(const std::string& word) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (is_among(kMonths[i], word)) return static_cast<unsigned>(i + 1);
  }
  return 0;
}

// A number or a word of a date, and what separates it from the part before it.
struct DatePart {
  std::string text;
  bool is_number = false;
  std::string gap;

  int number() const {
    int value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

std::vector<DatePart> parts_of(const std::string& folded) {
  std::vector<DatePart> parts;
  std::string gap;
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    const char32_t first = next_code_point(folded, &at);
    if (!is_letter_or_digit(first)) {
      gap += folded.substr(begin, at - begin);
      continue;
    }
    DatePart part{.text = folded.substr(begin, at - begin),
                  .is_number = is_digit(first),
                  .gap = std::exchange(gap, {})};
    while (at < folded.size()) {
      std::size_t next = at;
      const char32_t c = next_code_point(folded, &next);
      if (!is_letter_or_digit(c) || is_digit(c) != part.is_number) break;
      part.text += folded.substr(at, next - at);
      at = next;
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// Returns the date, or nullopt if it does not exist. Years of two digits are of this century.
std::optional<std::string> date_text(const DatePart& year, unsigned month, const DatePart& day) {
  const bool is_short = year.text.size() == 2;
  if ((!is_short && year.text.size() != 4) || day.text.size() > 2) return std::nullopt;
  const int full = year.number() + (is_short ? 2000 : 0);
  const std::chrono::year_month_day date{std::chrono::year(full), std::chrono::month(month),
                                         std::chrono::day(static_cast<unsigned>(day.number()))};
  if (!date.ok() || full < 1800 || full > 2200) return std::nullopt;
  return format("{:04}-{:02}-{:02}", full, month, day.number());
}

std::optional<std::string> date_in_numbers(const std::vector<DatePart>& parts,
                                           std::optional<bool> day_first) {
  const DatePart &one = parts[0], &two = parts[1], &three = parts[2];
  const auto month = [](const DatePart& part) { return static_cast<unsigned>(part.number()); };
  const auto is_gap = [&](const char* sign) { return two.gap == sign && three.gap == sign; };
  if (one.text.size() == 4) {
    if (!is_gap("-") && !is_gap("/") && !is_gap(".")) return std::nullopt;
    return date_text(one, month(two), three);
  }
  if (is_gap(".") || is_gap(". ")) return date_text(three, month(two), one);
  if (!is_gap("/") && !is_gap("-")) return std::nullopt;
  const auto by_day = date_text(three, month(two), one);
  const auto by_month = date_text(three, month(one), two);
  if (!by_day || !by_month || by_day == by_month) return by_day ? by_day : by_month;
  if (!day_first) return std::nullopt;
  return *day_first ? by_day : by_month;
}

// "12 March 2024", "12. März 2024", "12-Mar-24", "March 12, 2024".
std::optional<std::string> date_with_name(const std::vector<DatePart>& parts) {
  const bool name_first = !parts[0].is_number;
  const DatePart &name = parts[name_first ? 0 : 1], &day = parts[name_first ? 1 : 0];
  const unsigned month = month_of(name.text);
  if (month == 0 || !day.is_number || !parts[2].is_number) return std::nullopt;
  return date_text(parts[2], month, day);
}

void remove_weekday(std::vector<DatePart>* parts) {
  if (parts->size() == 4 && is_among(kWeekdays, parts->front().text)) parts->erase(parts->begin());
}

// Removes the ending of an ordinal, as in "12th".
void remove_ordinal(std::vector<DatePart>* parts) {
  std::erase_if(*parts, [](const DatePart& part) {
    return part.gap.empty() && is_among(" st nd rd th ", part.text);
  });
}

}  // namespace

std::optional<std::string> printed_date(std::string_view text, std::optional<bool> day_first) {
  const std::string folded = fold(one_line(text));
  // Longer texts are no dates; so a hostile one costs nothing.
  constexpr std::size_t kMostBytes = 60;
  if (folded.size() > kMostBytes) return std::nullopt;
  std::vector<DatePart> parts = parts_of(folded);
  remove_ordinal(&parts);
  remove_weekday(&parts);
  if (parts.size() != 3) return std::nullopt;
  // A sign at the end would begin another part, as of a range.
  const char last = folded.back();
  if (last == '-' || last == '/' || last == '+') return std::nullopt;
  const bool all_numbers = std::ranges::all_of(parts, &DatePart::is_number);
  return all_numbers ? date_in_numbers(parts, day_first) : date_with_name(parts);
}

}  // namespace fineprint::sheet
