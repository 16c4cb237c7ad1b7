// Converts between points in time and the dates that people write. All times are UTC.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace fineprint {

// A point in time. Its resolution is that of the system clock.
using Moment = std::chrono::system_clock::time_point;

// Returns the moment in whole seconds, for example "2026-11-25T01:20:00Z".
std::string utc_text(Moment moment);
// Converts nanoseconds since 1970, the unit of file time stamps.
Moment moment_of(std::int64_t nanoseconds);
// Parses "2026-11-25" (midnight), "2026-11-25T01:20" and "2026-11-25T01:20:00", each of the last
// two with an optional final Z. Returns nullopt for anything else, for dates that do not exist (30
// February) and for dates before 1970.
std::optional<Moment> parse_utc(const std::string& text);

}  // namespace fineprint
