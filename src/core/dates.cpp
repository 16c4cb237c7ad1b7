// Converts between points in time and dates in UTC.
#include "fineprint/core/dates.h"

#include <ctime>

namespace fineprint {
namespace {

// Returns false for dates that do not exist: timegm normalises them (30 February becomes 1 or 2
// March), so `normal` differs from what was read. Years before 1970 are refused because no file is
// that old.
bool is_in_calendar(const std::tm& read, const std::tm& normal) {
  return read.tm_mday == normal.tm_mday && read.tm_mon == normal.tm_mon &&
         read.tm_year == normal.tm_year && read.tm_hour == normal.tm_hour && read.tm_year >= 70;
}

}  // namespace

std::string utc_text(Moment moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Moment moment_of(std::int64_t nanoseconds) {
  return Moment(std::chrono::duration_cast<std::chrono::system_clock::duration>(
      std::chrono::nanoseconds(nanoseconds)));
}

std::optional<Moment> parse_utc(const std::string& text) {
  for (const char* form : {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%MZ",
                           "%Y-%m-%dT%H:%M:%SZ"}) {
    std::tm read{};
    const char* end = strptime(text.c_str(), form, &read);
    // strptime may stop early, for example at the time of "2026-11-25T01:20"; then a longer form is
    // tried.
    if (end == nullptr || *end != '\0') continue;
    std::tm normal = read;
    // timegm and not mktime: mktime would apply the local time zone.
    const std::time_t seconds = timegm(&normal);
    if (!is_in_calendar(read, normal)) return std::nullopt;
    return std::chrono::system_clock::from_time_t(seconds);
  }
  return std::nullopt;
}

}  // namespace fineprint
