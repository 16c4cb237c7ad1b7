// Computes one row of the table of distances at a time, without the texts' common beginning and
// end.
#include "metrics/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "metrics/python/text.h"

namespace fineprint::metrics {
namespace {

// Common ends do not change the distance; answers often share most of their text.
void drop_common_ends(std::u32string_view* a, std::u32string_view* b) {
  while (!a->empty() && !b->empty() && a->front() == b->front()) {
    a->remove_prefix(1);
    b->remove_prefix(1);
  }
  while (!a->empty() && !b->empty() && a->back() == b->back()) {
    a->remove_suffix(1);
    b->remove_suffix(1);
  }
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (a == b) return 0;
  const std::u32string whole_a = python::code_points(a), whole_b = python::code_points(b);
  std::u32string_view rows = whole_a, columns = whole_b;
  drop_common_ends(&rows, &columns);
  std::vector<std::size_t> row(columns.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // The table's value to the upper left, which the row overwrites.
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::size_t replaced = diagonal + (rows[i] == columns[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace fineprint::metrics
