// Makes lists of ids from numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "fineprint/core/ids.h"

namespace fineprint::testing {

// For example, ids<PageId>({2, 0}). A list in braces alone would not do: std::vector<PageId>{2} has
// two elements, because no number becomes an id by itself.
template <typename AnyId>
std::vector<AnyId> ids(std::initializer_list<std::uint32_t> numbers) {
  std::vector<AnyId> list;
  for (const std::uint32_t number : numbers) list.push_back(AnyId(number));
  return list;
}

}  // namespace fineprint::testing
