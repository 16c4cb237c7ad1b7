// Moments as people write them, in UTC.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace fineprint {

using Moment = std::chrono::system_clock::time_point;

// "2026-11-25T01:20:00Z"
std::string utc_text(Moment moment);
// Of nanoseconds since 1970, as files are stamped.
Moment moment_of(std::int64_t nanoseconds);
// Reads "2026-11-25" (its first moment), "2026-11-25T01:20", "2026-11-25T01:20:00" and the same
// with a Z behind; nullopt for anything else, the 30th of February too.
std::optional<Moment> parse_utc(const std::string& text);

}  // namespace fineprint
