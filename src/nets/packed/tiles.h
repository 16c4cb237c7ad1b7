// Divides rows into tiles.
#pragma once

#include <cstdint>

namespace fineprint::nets {

// Divides rows into as few groups as possible, whose sizes are as equal as possible. For example,
// 13 rows with at most 12 each become 7 and 6 and not 12 and 1, because small tiles are slow.
constexpr std::int64_t group_count(std::int64_t rows, std::int64_t most) {
  return (rows + most - 1) / most;
}
// Returns the first row of a group.
constexpr std::int64_t group_begin(std::int64_t rows, std::int64_t groups, std::int64_t group) {
  return rows / groups * group + (group < rows % groups ? group : rows % groups);
}

}  // namespace fineprint::nets
