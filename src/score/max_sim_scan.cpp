// Reads pages block by block and multiplies them with a query that is split into tiles.
#include "score/max_sim_scan.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "score/kernels.h"

namespace fineprint::score {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr std::size_t kChunkFloats = kChunkBytes / sizeof(float);

// Returns the largest of `count` values, a power of two, and overwrites them. Works by halves, so
// that many values are compared at a time.
float largest_of(float* values, std::size_t count) {
  for (std::size_t half = count / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) values[i] = larger(values[i], values[i + half]);
  }
  return values[0];
}

std::size_t padded(std::size_t dim) {
  return (dim + kChunkFloats - 1) / kChunkFloats * kChunkFloats;
}

}  // namespace

const std::uint8_t* const* BlockRows::widened(const MaxSimKernel& kernel, const VectorRows& rows,
                                              std::size_t first) {
  if (rows.type == VectorType::f32) return bytes(rows, first);
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const std::size_t r = std::min(first + lane, rows.count - 1);
    std::uint8_t* copy = copies_.data() + (r - first) * padded_bytes_;
    // The last row is widened only once, even if it fills several lanes.
    if (r == first + lane) kernel.widen(rows, r, reinterpret_cast<float*>(copy));
    pointers_[lane] = copy;
  }
  return pointers_.data();
}

const std::uint8_t* const* BlockRows::bytes(const VectorRows& rows, std::size_t first) {
  const std::size_t row_bytes = rows.dim * vector_type_bytes(rows.type);
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const std::size_t r = std::min(first + lane, rows.count - 1);
    pointers_[lane] = rows.row(r);
    if (row_bytes == padded_bytes_) continue;
    std::uint8_t* copy = copies_.data() + lane * padded_bytes_;
    std::memcpy(copy, rows.row(r), row_bytes);
    pointers_[lane] = copy;
  }
  return pointers_.data();
}

MaxSimScan::MaxSimScan(const Matrix& query)
    : kernel_(kernels().max_sim.best()),
      vectors_(query.rows),
      padded_dim_(padded(query.cols)),
      plan_(query.rows, kernel_.most_tile),
      tiles_(query.rows * padded_dim_),
      block_rows_(kernel_.lanes, padded_dim_ * sizeof(float)),
      block_(padded_dim_ * kernel_.lanes),
      lane_largest_(query.rows * kernel_.lanes),
      largest_(query.rows) {
  pack(query);
}

// Lays tiles out dimension by dimension, as the kernels read them.
void MaxSimScan::pack(const Matrix& query) {
  for (std::size_t t = 0; t < plan_.count(); ++t) {
    float* tile = tiles_.data() + plan_.first(t) * padded_dim_;
    for (std::size_t n = 0; n < plan_.size(t); ++n) {
      const auto vector = query.row(plan_.first(t) + n);
      for (std::size_t d = 0; d < query.cols; ++d) tile[d * plan_.size(t) + n] = vector[d];
    }
  }
}

const std::vector<float>& MaxSimScan::largest(const VectorRows& rows) {
  lane_largest_.fill(kLowest);
  const auto* block_bytes = reinterpret_cast<const std::uint8_t*>(block_.data());
  for (std::size_t first = 0; first < rows.count; first += kernel_.lanes) {
    kernel_.transpose(block_rows_.widened(kernel_, rows, first), padded_dim_ * sizeof(float),
                      reinterpret_cast<std::uint32_t*>(block_.data()));
    for (std::size_t t = 0; t < plan_.count(); ++t) {
      // The first tile prefetches the next block. Later tiles get an address that is in the cache
      // already, so that their prefetches cost nothing.
      const std::uint8_t* ahead = t == 0 ? rows.row(first + kernel_.lanes) : block_bytes;
      kernel_.multiply[plan_.size(t) - 1](
          block_.data(), tiles_.data() + plan_.first(t) * padded_dim_, padded_dim_, ahead,
          lane_largest_.data() + plan_.first(t) * kernel_.lanes);
    }
  }
  for (std::size_t q = 0; q < vectors_; ++q) {
    largest_[q] = largest_of(lane_largest_.data() + q * kernel_.lanes, kernel_.lanes);
  }
  return largest_;
}

float MaxSimScan::score(const VectorRows& rows) {
  if (rows.count == 0) return kLowest;
  float sum = 0;
  for (const float value : largest(rows)) sum += value;
  return sum;
}

}  // namespace fineprint::score
