// Decodes number formats of sheets. Source: ECMA-376, part 1, 18.8.30 and 18.17.4.1.
#include "markup/office/cell_format.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "fineprint/core/format.h"

#include "markup/office/package.h"

namespace fineprint::markup {
namespace {

// Returns the kind of a built-in number format. Only ids of dates, times and percentages matter.
CellKind kind_of_number(int id) {
  if (id == 9 || id == 10) return CellKind::percent;
  if (id == 22) return CellKind::date_and_time;
  if (id >= 14 && id <= 17) return CellKind::date;
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return CellKind::time;
  return CellKind::number;
}

int format_number(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Returns a date from the number of days since 1970. Source: H. Hinnant, "chrono-Compatible
// Low-Level Date Algorithms".
std::string calendar_date(std::int64_t days) {
  days += 719'468;  // count from the first of March of the year 0
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const std::int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return format("{:04}-{:02}-{:02}", year, month, day);
}

// Returns the time of day of the fraction of `day`. Seconds are left out if they are 0.
std::string clock_time(double day) {
  constexpr std::int64_t kSecondsADay = 86'400;
  const auto seconds = static_cast<std::int64_t>(
      std::llround((day - std::floor(day)) * static_cast<double>(kSecondsADay)));
  const std::int64_t of_day = seconds % kSecondsADay;
  const std::string minutes = format("{:02}:{:02}", of_day / 3600, of_day / 60 % 60);
  return of_day % 60 == 0 ? minutes : minutes + format(":{:02}", of_day % 60);
}

std::string serial_date(double value, bool since_1904) {
  // Day 1 is 1 January 1900. Sheets count 29 February 1900 as day 60, although that year had no
  // such day, so earlier dates are off by one.
  constexpr std::int64_t k1970 = 25'569, k1904 = 1462;
  auto days = static_cast<std::int64_t>(std::floor(value));
  if (since_1904) {
    days += k1904;
  } else if (days < 60) {
    ++days;
  }
  return calendar_date(days - k1970);
}

// Keeps 15 digits, as spreadsheets do, because sums of binary fractions have further digits that
// nobody wrote.
std::string plain_number(double value) { return format("{:.15g}", value); }

}  // namespace

CellKind kind_of_format(std::string_view code) {
  bool has_date = false, has_time = false, has_percent = false, quoted = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\\' || c == '_' || c == '*') {
      ++i;                  // the next character is literal or padding
    } else if (c == '[') {  // a colour, condition or language; [h] counts hours
      const std::size_t end = std::min(code.find(']', i), code.size());
      has_time = has_time || (i + 1 < end &&
                              std::string_view("hms").find(code[i + 1]) != std::string_view::npos);
      i = end;
    } else if (c == ';') {
      break;  // the format of negative numbers is similar
    } else {
      has_date = has_date || c == 'y' || c == 'd' || c == 'Y' || c == 'D';
      has_time = has_time || c == 'h' || c == 's' || c == 'H' || c == 'S';
      has_percent = has_percent || c == '%';
    }
  }
  if (has_percent) return CellKind::percent;
  if (has_date && has_time) return CellKind::date_and_time;
  if (has_date) return CellKind::date;
  // Without a time, "mm" is a month.
  if (!has_time && code.find("mm") != std::string_view::npos) return CellKind::date;
  return has_time ? CellKind::time : CellKind::number;
}

std::string shown_number(const std::string& value, CellKind kind, bool since_1904) {
  double number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failure != std::errc() || end != value.data() + value.size()) return value;
  constexpr double kLastDay = 2'958'466;  // the end of the year 9999
  const bool is_date = kind == CellKind::date || kind == CellKind::date_and_time;
  if (!std::isfinite(number)) return value;
  if (is_date && number >= 0 && number < kLastDay) {
    // Rounds to whole seconds, so that a time just before midnight becomes the next day.
    number = std::round(number * 86'400) / 86'400;
    const std::string date = serial_date(number, since_1904);
    return kind == CellKind::date ? date : date + " " + clock_time(number);
  }
  if (kind == CellKind::time && number >= 0 && number < 1) return clock_time(number);
  if (kind == CellKind::percent) return plain_number(number * 100) + "%";
  return plain_number(number);
}

std::vector<CellKind> cell_kinds(const Package& package, const std::string& main) {
  std::vector<CellKind> kinds;
  const auto part = package.target(main, "styles");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  if (!tree || tree->root() == nullptr) return kinds;
  std::map<int, CellKind> custom_kinds;
  for (const Node* one : descendants(*tree->root(), "numFmt")) {
    custom_kinds[format_number(attribute(*one, "numFmtId"))] =
        kind_of_format(attribute(*one, "formatCode"));
  }
  const Node* styles = child(*tree->root(), "cellXfs");
  if (styles == nullptr) return kinds;
  for (const Node* style : children(*styles, "xf")) {
    const int id = format_number(attribute(*style, "numFmtId"));
    const auto found = custom_kinds.find(id);
    kinds.push_back(found == custom_kinds.end() ? kind_of_number(id) : found->second);
  }
  return kinds;
}

}  // namespace fineprint::markup
