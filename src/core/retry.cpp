// Waits between attempts.
#include "fineprint/core/retry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <mutex>
#include <random>
#include <thread>

namespace fineprint {
namespace {

using std::chrono::milliseconds;

bool sleep_for(milliseconds time, const Waiting::Stop& stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    // Short sleeps, so that Ctrl-C or a closed connection ends a pause of minutes at once.
    if (stop()) return false;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(
        milliseconds(20), end - std::chrono::steady_clock::now()));
  }
  return true;
}

// Each thread has its own generator, so that no lock is needed.
double random_part() {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

// Reads exactly `digits` digits at `at`. Returns -1 for anything else.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  int value = 0;
  if (at + digits > text.size()) return -1;
  const char* begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + digits, value);
  return error == std::errc() && end == begin + digits && value >= 0 ? value : -1;
}

// Reads a date as in "Sun, 06 Nov 1994 08:49:37 GMT". The RFC's two obsolete forms are not read.
std::optional<std::chrono::system_clock::time_point> parse_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || !text.ends_with(" GMT") || text[19] != ':' || text[22] != ':') {
    return std::nullopt;
  }
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  const int day = number_at(text, 5, 2), year = number_at(text, 12, 4);
  const int hour = number_at(text, 17, 2), minute = number_at(text, 20, 2),
            second = number_at(text, 23, 2);
  if (month == kMonths.end() || std::min({day, year, hour, minute, second}) < 0) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{
      std::chrono::year(year),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

}  // namespace

Waiting real_waiting() {
  return {sleep_for, [] { return std::chrono::system_clock::now(); }, random_part};
}

bool is_passing(int status) {
  return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
}

milliseconds pause_after(int failures, double random) {
  const double whole = std::min(30'000.0, 500.0 * std::pow(2.0, std::max(0, failures - 1)));
  return milliseconds(static_cast<long>(whole * (0.5 + random / 2)));
}

std::optional<milliseconds> parse_retry_after(std::string_view value,
                                              std::chrono::system_clock::time_point now) {
  int seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc() && end == value.data() + value.size() && seconds >= 0) {
    return std::chrono::seconds(seconds);
  }
  const auto date = parse_date(value);
  if (!date) return std::nullopt;
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*date - now));
}

}  // namespace fineprint
