// When a call that failed is made again.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

namespace fineprint::remote {

// What waiting needs of the world; tests bring their own.
struct Waiting {
  using Stop = std::function<bool()>;
  // false: `stop` ended it early.
  std::function<bool(std::chrono::milliseconds, const Stop& stop)> sleep;
  std::function<std::chrono::system_clock::time_point()> now;
  std::function<double()> random;  // [0, 1)
};

// The real clock and sleep. Safe from many threads.
Waiting real_waiting();

// Whether a call that got this status may succeed when repeated as it is.
bool is_passing(int status);

// Before attempt `failures` + 1: half a second, doubled by each failure, 30 s at most; of that a
// random part between half and all, so that callers that failed together do not come together.
std::chrono::milliseconds pause_after(int failures, double random);

// Retry-After as seconds or as an HTTP date (0 when it has passed); nullopt for anything else.
// Source: RFC 9110, sections 5.6.7 and 10.2.3.
std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, std::chrono::system_clock::time_point now);

}  // namespace fineprint::remote
