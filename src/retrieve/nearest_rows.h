// Finds the stored vectors that are nearest to each vector of a question.
#pragma once

#include <cstddef>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/matrix.h"

#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {

// A stored vector: its product with the question's vector, and the unit that owns it.
struct NearRow {
  float product = 0;
  UnitId unit;
};

// Returns, for each of the query's vectors, the `count` vectors of the pool with the largest
// products, unsorted; fewer if the pool has fewer. Of equal products the lower unit wins. Uses the
// codes of sets that keep codes, and skips products that are not numbers. Keeps at most `count`
// vectors for each of the query's vectors and each thread in memory, and one block of products.
std::vector<std::vector<NearRow>> nearest_rows(const VectorScan& scan, const Matrix& query,
                                               std::size_t count);

}  // namespace fineprint::retrieve
