// Bounds MaxSim from above by 8-bit codes.
#include "score/max_sim_codes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fineprint::score {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr std::size_t kWordBytes = sizeof(std::uint32_t);

std::size_t padded(std::size_t dim) { return (dim + kChunkBytes - 1) / kChunkBytes * kChunkBytes; }

// Rounds down, so that every product that reaches `value` also reaches the result.
float float_below(double value) { return std::nextafter(static_cast<float>(value), kLowest); }

}  // namespace

CodeScan::CodeScan(const CodeKernel& kernel, const Matrix& query)
    : kernel_(kernel),
      vectors_(query.rows),
      dim_(query.cols),
      padded_dim_(padded(query.cols)),
      plan_(query.rows, kernel_.most_tile),
      query_(query.rows),
      tiles_(query.rows * padded_dim_ / kWordBytes),
      sums_(query.rows),
      block_rows_(kernel_.lanes, padded_dim_),
      block_(padded_dim_ / kWordBytes * kernel_.lanes),
      scales_(kernel_.lanes),
      squares_(kernel_.lanes),
      lane_largest_(query.rows * kernel_.lanes),
      thresholds_(query.rows) {
  encode(query);
}

// Lays codes out tile by tile, word by word, as the kernel reads them.
void CodeScan::encode(const Matrix& query) {
  const std::size_t words = padded_dim_ / kWordBytes;
  std::vector<std::int8_t> codes(padded_dim_);
  for (std::size_t t = 0; t < plan_.count(); ++t) {
    const std::size_t size = plan_.size(t);
    std::uint32_t* tile = tiles_.data() + plan_.first(t) * words;
    for (std::size_t n = 0; n < size; ++n) {
      const std::size_t q = plan_.first(t) + n;
      query_[q] = encode(query.row(q), codes.data());
      for (const std::int8_t code : codes) sums_[q] += code;
      for (std::size_t w = 0; w < words; ++w) {
        std::memcpy(tile + w * size + n, codes.data() + w * kWordBytes, kWordBytes);
      }
    }
  }
}

// A vector that is not finite gets codes of 0; its length makes every bound infinite or NaN.
CodeScan::Vector CodeScan::encode(std::span<const float> vector, std::int8_t* out) const {
  Vector facts;
  double most = 0;
  double squares = 0;
  for (const double value : vector) {
    most = std::max(most, std::abs(value));
    squares += value * value;
  }
  facts.length = std::sqrt(squares);  // NaN and infinity stay
  facts.scale = most / kernel_.levels;
  double missed = 0;
  for (std::size_t d = 0; d < vector.size(); ++d) {
    const bool codable = std::isfinite(facts.length) && most > 0;
    const double code = codable ? std::nearbyint(static_cast<double>(vector[d]) / facts.scale) : 0;
    out[d] = static_cast<std::int8_t>(code);
    const double off = static_cast<double>(vector[d]) - code * facts.scale;
    missed += off * off;
  }
  facts.error = std::sqrt(missed);
  return facts;
}

double CodeScan::bound(const VectorRows& codes, float error) {
  row_count_ = codes.count;
  estimate_ = codes.count == 0 ? static_cast<double>(kLowest) : 0;
  if (codes.count == 0) return estimate_;
  multiply(codes);
  double sum = 0;
  for (std::size_t q = 0; q < vectors_; ++q) {
    float largest = kLowest;
    for (std::size_t lane = 0; lane < kernel_.lanes; ++lane) {
      largest = larger(largest, lane_largest_[q * kernel_.lanes + lane]);
    }
    const Vector& vector = query_[q];
    const double off = slack(vector, error);
    const double product = static_cast<double>(largest) * vector.scale;
    estimate_ += product;
    sum += product + off;
    // The product of the best row is within `off` of that of its codes, and so is the product of
    // the row whose codes have the largest. A vector of zeros has the same product with every row.
    thresholds_[q] = vector.length > 0 ? float_below((product - 2 * off) / vector.scale)
                                       : std::numeric_limits<float>::infinity();
    sum += (std::abs(product) + off) * 2 * static_cast<double>(vectors_) *
           std::numeric_limits<float>::epsilon();  // because the score is a sum in float32
  }
  return sum;
}

// Returns the bound that the class comment derives, plus what float32 rounding adds.
double CodeScan::slack(const Vector& vector, float error) const {
  constexpr double kUnit = std::numeric_limits<float>::epsilon();
  constexpr double kTiny = std::numeric_limits<float>::denorm_min();
  const double terms = static_cast<double>(dim_ + 8);
  const double page_error = static_cast<double>(error);
  const double largest = (vector.length + vector.error) * (longest_ + page_error);
  if (!(largest < 1e30)) return std::numeric_limits<double>::infinity();  // sums may overflow
  return vector.length * page_error + vector.error * longest_ +
         terms * (kUnit * largest + kTiny * (1 + vector.length)) +
         // The product of the codes was rounded, too, in its own unit.
         kTiny * vector.scale;
}

// Keeps all products, because rows_that_matter() compares them with thresholds that are known only
// when all rows were seen.
void CodeScan::multiply(const VectorRows& codes) {
  const std::size_t lanes = kernel_.lanes;
  const std::size_t words = padded_dim_ / kWordBytes;
  const std::size_t blocks = (codes.count + lanes - 1) / lanes;
  products_.grow(blocks * vectors_ * lanes);
  lane_largest_.fill(kLowest);
  longest_ = 0;
  float* products = products_.data();
  for (std::size_t first = 0; first < codes.count; first += lanes) {
    kernel_.transpose(block_rows_.bytes(codes, first), padded_dim_, block_.data());
    kernel_.raise(block_.data(), words, squares_.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      scales_[lane] = codes.scales[std::min(first + lane, codes.count - 1)];
      const double scale = static_cast<double>(scales_[lane]);
      // Takes the root only at the end: one for each page.
      longest_ = std::max(longest_, scale * scale * squares_[lane]);
    }
    for (std::size_t t = 0; t < plan_.count(); ++t) {
      const std::size_t q = plan_.first(t);
      kernel_.multiply[plan_.size(t) - 1](
          {block_.data(), words, scales_.data()}, {tiles_.data() + q * words, sums_.data() + q},
          codes.row(first + 2 * lanes), products + q * lanes, lane_largest_.data() + q * lanes);
    }
    products += vectors_ * lanes;
  }
  // Slightly larger, because a bound must not be too small.
  longest_ = std::sqrt(longest_) * (1 + 1e-12);
}

const std::vector<std::uint32_t>& CodeScan::rows_that_matter() {
  matter_.clear();
  const float* products = products_.data();
  for (std::size_t first = 0; first < row_count_; first += kernel_.lanes) {
    std::uint32_t bits = kernel_.reaching(products, thresholds_.data(), vectors_);
    products += vectors_ * kernel_.lanes;
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t row = first + static_cast<std::size_t>(std::countr_zero(bits));
      if (row < row_count_) matter_.push_back(static_cast<std::uint32_t>(row));
    }
  }
  // If every query vector is zero, no row reaches a threshold, but one row is needed for the score.
  if (matter_.empty() && row_count_ != 0) matter_.push_back(0);
  return matter_;
}

}  // namespace fineprint::score
