// MaxSim of a query in 8-bit codes with pages in 8-bit codes, and a bound of its error.
#pragma once

#include <cstdint>
#include <vector>

#include "score/max_sim_scan.h"

namespace fineprint::score {

// Scores pages one after the other for one query. Let q' and d' be the decoded vectors of query and
// page. Then <q, d> - <q', d'> = <q, d - d'> + <q - q', d'>, and by Cauchy and Schwarz that is at
// most |q| |d - d'| + |q - q'| |d'|. This is the slack of a query vector on a page. float32
// rounding adds to it.
class CodeScan {
 public:
  CodeScan(const CodeKernel& kernel, const Matrix& query);

  // Returns a bound that is not below MaxSimScan::score of the rows that `codes` were made from, if
  // no decoded row is farther than `error` from its original. Returns a value that is not finite if
  // nothing can be said, and -infinity for a page without rows.
  double bound(const VectorRows& codes, float error);

  // Returns the score by the codes of the page passed to bound(). It is not above the bound.
  float estimate() const { return static_cast<float>(estimate_); }

  // Returns rows of the page passed to bound(), among them the best one for each vector of the
  // query. Only valid if the bound was finite.
  const std::vector<std::uint32_t>& rows_that_matter();

 private:
  struct Vector {
    double scale = 0;   // a code means code * scale
    double length = 0;  // |q|
    double error = 0;   // |q - q'|
  };

  void encode(const Matrix& query);
  Vector encode(std::span<const float> vector, std::int8_t* out) const;
  void multiply(const VectorRows& codes);
  double slack(const Vector& vector, float error) const;

  const CodeKernel& kernel_;
  std::size_t vectors_;
  std::size_t dim_;
  std::size_t padded_dim_;
  TilePlan plan_;
  std::vector<Vector> query_;
  std::vector<std::uint32_t> tiles_;  // tile by tile, [words, tile size]
  std::vector<std::int32_t> sums_;    // [vectors]: sum of the codes of each vector
  BlockRows block_rows_;
  Lines<std::uint32_t> block_;     // [words, lanes]
  Lines<float> scales_;            // [lanes]
  Lines<std::int32_t> squares_;    // [lanes]
  Lines<float> products_;          // block by block, [vectors, lanes]
  Lines<float> lane_largest_;      // [vectors, lanes]
  std::vector<float> thresholds_;  // [vectors], in the unit of the products
  std::vector<std::uint32_t> matter_;
  std::size_t row_count_ = 0;
  double longest_ = 0;  // the largest |d'| of the page
  double estimate_ = 0;
};

}  // namespace fineprint::score
