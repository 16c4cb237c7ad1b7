// MaxSim of a query in 8-bit codes with pages in 8-bit codes, and how far that can be from the
// truth.
#pragma once

#include <cstdint>
#include <vector>

#include "score/max_sim_scan.h"

namespace fineprint::score {

// One query against pages, one after the other. With q' and d' for the decoded vectors of query
// and page, <q, d> - <q', d'> = <q, d - d'> + <q - q', d'>, and by Cauchy and Schwarz that is at
// most |q| |d - d'| + |q - q'| |d'|: the slack of a query vector on a page, to which comes what
// rounding in float32 adds.
class CodeScan {
 public:
  CodeScan(const CodeKernel& kernel, const Matrix& query);

  // No smaller than MaxSimScan::score of the rows that `codes` were made of, where no decoded row
  // is farther than `error` from its own. Not finite when nothing can be said. -infinity for a page
  // without rows.
  double bound(const VectorRows& codes, float error);

  // Of the page given to `bound`: its score by the codes, which is not above the bound.
  float estimate() const { return static_cast<float>(estimate_); }

  // Of the page given to `bound`, when that was finite: rows among which is the best one for each
  // of the query's vectors.
  const std::vector<std::uint32_t>& rows_that_matter();

 private:
  struct Vector {
    double scale = 0;   // a code stands for code * scale
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
  std::vector<std::int32_t> sums_;    // [vectors]
  BlockRows block_rows_;
  Lines<std::uint32_t> block_;     // [words, lanes]
  Lines<float> scales_;            // [lanes]
  Lines<std::int32_t> squares_;    // [lanes]
  Lines<float> products_;          // block by block, [vectors, lanes]
  Lines<float> lane_largest_;      // [vectors, lanes]
  std::vector<float> thresholds_;  // [vectors], in the products' unit
  std::vector<std::uint32_t> matter_;
  std::size_t row_count_ = 0;
  double longest_ = 0;  // the largest |d'| of the page
  double estimate_ = 0;
};

}  // namespace fineprint::score
