// The loops of MaxSim: a query cut into tiles, a page read block by block, the largest products.
#pragma once

#include <vector>

#include "fineprint/core/matrix.h"

#include "score/max_sim_kernels.h"

namespace fineprint::score {

// Query vector tiles of nearly equal size, none larger than a kernel takes.
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

// Pointers to rows [first, first + lanes) of some rows as whole chunks: in place where they are
// that already, else copied and padded. Past the end the last row is repeated, which changes no
// maximum.
class BlockRows {
 public:
  BlockRows(std::size_t lanes, std::size_t padded_bytes)
      : lanes_(lanes), padded_bytes_(padded_bytes), copies_(lanes * padded_bytes) {}

  // The float32 numbers that `rows` stand for.
  const std::uint8_t* const* widened(const MaxSimKernel& kernel, const VectorRows& rows,
                                     std::size_t first);
  // Their bytes.
  const std::uint8_t* const* bytes(const VectorRows& rows, std::size_t first);

 private:
  std::size_t lanes_;
  std::size_t padded_bytes_;
  Lines<std::uint8_t> copies_;
  std::array<const std::uint8_t*, kMostLanes> pointers_{};
};

// One query against pages, one after the other, with the kernel in use.
class MaxSimScan {
 public:
  explicit MaxSimScan(const Matrix& query);

  // largest()[q]: of the products of query vector q with the rows; NaN where a product is NaN.
  // -infinity when there are none.
  const std::vector<float>& largest(const VectorRows& rows);
  // The sum over the query's vectors; -infinity without rows.
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

// The larger of two, NaN if either is.
inline float larger(float a, float b) { return a > b || a != a ? a : b; }

}  // namespace fineprint::score
