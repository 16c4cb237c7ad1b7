// Decides whether and when a failed call to a server is repeated.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

namespace fineprint {

// The clock, sleep and random numbers that waiting needs. Tests replace them.
struct Waiting {
  using Stop = std::function<bool()>;
  // Returns false if `stop` ended the sleep early.
  std::function<bool(std::chrono::milliseconds, const Stop& stop)> sleep;
  std::function<std::chrono::system_clock::time_point()> now;
  std::function<double()> random;  // [0, 1)
};

// Returns the real clock and sleep. Safe to use from many threads.
Waiting real_waiting();

// Returns whether a call that got this status may succeed if it is repeated unchanged.
bool is_passing(int status);

// Returns the pause before attempt `failures` + 1. Its upper limit is half a second, doubled for
// each further failure, at most 30 s. `random` chooses a time between half of the limit and the
// limit, so that callers that failed together do not come back together.
std::chrono::milliseconds pause_after(int failures, double random);

// Reads Retry-After as seconds or as an HTTP date (0 if that has passed). Returns nullopt for
// anything else. Source: RFC 9110, sections 5.6.7 and 10.2.3.
std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, std::chrono::system_clock::time_point now);

}  // namespace fineprint
