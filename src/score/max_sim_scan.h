// The loops of MaxSim: split a query into tiles, read a page block by block, keep the largest
// products.
#pragma once

#include <vector>

#include "fineprint/core/matrix.h"

#include "score/max_sim_kernels.h"

namespace fineprint::score {

// Splits query vectors into tiles of nearly equal size. No tile is larger than a kernel takes.
class TilePlan {
 public:
  TilePlan(std::size_t vectors, std::size_t most) : vectors_(vectors) {
    count_ = (vectors + most - 1) / most;
  }
  std::size_t count() const { return count_; }
  std::size_t first(std::size_t tile) const { return vectors_ * tile / count_; }
  std::size_t size(std::size_t tile) const { return first(tile + 1) - first(tile); }

 private:
  std::size_t vectors_;
  std::size_t count_;
};

// Returns pointers to rows [first, first + lanes), padded to complete chunks. Rows that need no
// padding are used in place; others are copied. Repeats the last row past the end, which changes no
// maximum.
class BlockRows {
 public:
  BlockRows(std::size_t lanes, std::size_t padded_bytes)
      : lanes_(lanes), padded_bytes_(padded_bytes), copies_(lanes * padded_bytes) {}

  // Returns the rows widened to float32.
  const std::uint8_t* const* widened(const MaxSimKernel& kernel, const VectorRows& rows,
                                     std::size_t first);
  // Returns the rows as stored.
  const std::uint8_t* const* bytes(const VectorRows& rows, std::size_t first);

 private:
  std::size_t lanes_;
  std::size_t padded_bytes_;
  Lines<std::uint8_t> copies_;
  std::array<const std::uint8_t*, kMostLanes> pointers_{};
};

// Scores pages one after the other for one query, with the best kernel.
class MaxSimScan {
 public:
  explicit MaxSimScan(const Matrix& query);

  // Returns for each query vector q its largest product with a row: NaN if a product is NaN,
  // -infinity if there are no rows. Valid until the next call.
  const std::vector<float>& largest(const VectorRows& rows);
  // Returns the sum of largest() over the query's vectors, or -infinity without rows.
  float score(const VectorRows& rows);

 private:
  void pack(const Matrix& query);

  const MaxSimKernel& kernel_;
  std::size_t vectors_;
  std::size_t padded_dim_;
  TilePlan plan_;
  std::vector<float> tiles_;  // tile by tile, [padded dim, tile size]
  BlockRows block_rows_;
  Lines<float> block_;          // [padded dim, lanes]
  Lines<float> lane_largest_;   // [vectors, lanes]
  std::vector<float> largest_;  // [vectors]
};

// Returns the larger of two numbers, or NaN if either is NaN.
inline float larger(float a, float b) { return a > b || a != a ? a : b; }

}  // namespace fineprint::score
