// The stored vectors that are nearest to each vector of a question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fineprint/core/matrix.h"

#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {

// A stored vector: its product with the question's, and the unit that it belongs to.
struct NearRow {
  float product = 0;
  std::uint32_t unit = 0;
};

// For each of the query's vectors the `count` vectors of the pool with the largest products (ties:
// the lower unit), in no order; fewer when there are fewer. By the codes of sets that keep codes.
// Products that are no numbers are passed over. At no time more than `count` vectors for each of
// the query's are kept, and a piece of the products with them.
std::vector<std::vector<NearRow>> nearest_rows(const VectorScan& scan, const Matrix& query,
                                               std::size_t count);

}  // namespace fineprint::retrieve
