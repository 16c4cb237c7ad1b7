// Shows dates and times by number formats. Source: ECMA-376, part 1, 18.8.31 and 18.17.4.1.
#include <array>
#include <cmath>
#include <cstdint>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "markup/office/cell_format.h"

namespace fineprint::markup {
namespace {

using Kind = FormatToken::Kind;

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::int64_t kMsADay = 86'400'000;

struct Date {
  std::int64_t year = 0, month = 0, day = 0;
  std::int64_t weekday = 0;  // 0 is Sunday
};

// Returns a date from the number of days since 1970. Source: H. Hinnant, "chrono-Compatible
// Low-Level Date Algorithms".
Date calendar_date(std::int64_t days) {
  Date date;
  date.weekday = (days % 7 + 11) % 7;
  days += 719'468;  // count from the first of March of the year 0
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  date.day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  date.month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  date.year = year_of_era + era * 400 + (date.month <= 2 ? 1 : 0);
  return date;
}

Date date_of_serial(std::int64_t days, bool since_1904) {
  // Day 1 is 1 January 1900. Sheets count 29 February 1900 as day 60, although that year had no
  // such day, so earlier dates are off by one.
  constexpr std::int64_t k1970 = 25'569, k1904 = 1462;
  if (since_1904) {
    days += k1904;
  } else if (days < 60) {
    ++days;
  }
  return calendar_date(days - k1970);
}

std::string padded(std::int64_t value, std::size_t digits) {
  return digits > 1 ? format("{:02}", value) : format("{}", value);
}

// Shows one date by one section.
class DateWriter {
 public:
  DateWriter(double days, const std::vector<FormatToken>& section, bool since_1904)
      : section_(section) {
    // Rounds to the last place shown, so that a time just before midnight becomes the next day.
    const double step = shows_fractions() ? 1 : 1000;
    ms_ = static_cast<std::int64_t>(std::llround(days * static_cast<double>(kMsADay) / step) *
                                    static_cast<std::int64_t>(step));
    date_ = date_of_serial(ms_ / kMsADay, since_1904);
    for (const FormatToken& token : section) {
      twelve_ = twelve_ || (token.kind == Kind::date && lower_ascii(token.text).front() == 'a');
    }
  }

  std::string shown() const {
    std::string out;
    for (std::size_t i = 0; i < section_.size(); ++i) {
      const FormatToken& token = section_[i];
      if (token.kind == Kind::date) {
        out += date_part(lower_ascii(token.text), i);
      } else if (token.kind == Kind::elapsed) {
        out += elapsed_part(lower_ascii(token.text));
      } else if (token.kind == Kind::point && i + 1 < section_.size() &&
                 section_[i + 1].text == "0") {
        out += fraction_from(&i);
      } else {
        out += token.text;
      }
    }
    return out;
  }

 private:
  bool shows_fractions() const {
    for (std::size_t i = 0; i + 1 < section_.size(); ++i) {
      if (section_[i].kind == Kind::point && section_[i + 1].text == "0") return true;
    }
    return false;
  }

  // Returns ".5" for as many zeros as follow the point at `i`, and moves `i` to the last of them.
  std::string fraction_from(std::size_t* i) const {
    std::string digits = format("{:03}", ms_ % 1000);
    std::size_t count = 0;
    while (*i + 1 < section_.size() && section_[*i + 1].text == "0") {
      ++*i;
      ++count;
    }
    digits.resize(count, '0');
    return "." + digits;
  }

  // "m" is a minute after an hour and before a second, and else a month.
  bool is_minute(std::size_t at) const {
    const auto unit = [&](std::size_t i) {
      const bool counts = section_[i].kind == Kind::date || section_[i].kind == Kind::elapsed;
      return counts ? lower_ascii(section_[i].text).front() : '\0';
    };
    for (std::size_t i = at; i-- > 0;) {
      if (const char before = unit(i); before != '\0') {
        if (before == 'h') return true;
        break;
      }
    }
    for (std::size_t i = at + 1; i < section_.size(); ++i) {
      if (const char after = unit(i); after != '\0') return after == 's';
    }
    return false;
  }

  std::string date_part(const std::string& run, std::size_t at) const {
    const std::int64_t of_day = ms_ % kMsADay, hour = of_day / 3'600'000;
    const std::size_t length = run.size();
    switch (run.front()) {
      case 'y':
        return length > 2 ? format("{:04}", date_.year) : padded(date_.year % 100, 2);
      case 'd':
        if (length > 2) return name_of(kDays[static_cast<std::size_t>(date_.weekday)], length);
        return padded(date_.day, length);
      case 'h':
        return padded(twelve_ ? (hour + 11) % 12 + 1 : hour, length);
      case 's':
        return padded(of_day / 1000 % 60, length);
      case 'a':
        return run == "a/p" ? (hour < 12 ? "A" : "P") : (hour < 12 ? "AM" : "PM");
      default:
        break;
    }
    if (length < 3 && is_minute(at)) return padded(of_day / 60'000 % 60, length);
    const std::string_view month = kMonths[static_cast<std::size_t>(date_.month - 1)];
    if (length == 5) return std::string(month.substr(0, 1));
    return length > 2 ? name_of(month, length) : padded(date_.month, length);
  }

  static std::string name_of(std::string_view name, std::size_t length) {
    return std::string(length == 3 ? name.substr(0, 3) : name);
  }

  std::string elapsed_part(const std::string& run) const {
    const std::int64_t unit = run.front() == 'h' ? 3'600'000 : run.front() == 'm' ? 60'000 : 1000;
    return padded(ms_ / unit, run.size());
  }

  const std::vector<FormatToken>& section_;
  std::int64_t ms_ = 0;
  Date date_;
  bool twelve_ = false;  // hours count to twelve
};

}  // namespace

std::optional<std::string> shown_date(double days, const std::vector<FormatToken>& section,
                                      bool since_1904) {
  constexpr double kLastDay = 2'958'466;  // the end of the year 9999
  if (!(days >= 0) || days >= kLastDay) return std::nullopt;
  return DateWriter(days, section, since_1904).shown();
}

}  // namespace fineprint::markup
