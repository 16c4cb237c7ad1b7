// How many rows are divided into tiles.
#pragma once

#include <cstdint>

namespace fineprint::nets {

// Into as few groups as there can be, of sizes as equal as there can be.
constexpr std::int64_t group_count(std::int64_t rows, std::int64_t most) {
  return (rows + most - 1) / most;
}
constexpr std::int64_t group_begin(std::int64_t rows, std::int64_t groups, std::int64_t group) {
  return rows / groups * group + (group < rows % groups ? group : rows % groups);
}

}  // namespace fineprint::nets
