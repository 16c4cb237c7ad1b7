// Encodes rows as signs, prepares queries for them, and estimates MaxSim.
#include "fineprint/score/max_sim_signs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "score/kernels.h"
#include "score/max_sim_signs_kernels.h"

namespace fineprint::score {
namespace {

constexpr std::size_t kGroup = 4;  // numbers whose signs are looked up together
constexpr std::size_t kCombinations = 16;
// A table's entries have 8 bits, and sums of them 16, with some room for rounding.
constexpr float kMostEntry = 255, kMostSum = 64'000;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

std::size_t pairs_of(std::size_t dim) { return (dim + 2 * kGroup - 1) / (2 * kGroup); }

// Returns the numbers [begin, begin + kGroup) of a vector, with zeros after its end.
std::array<float, kGroup> group_at(std::span<const float> vector, std::size_t begin) {
  std::array<float, kGroup> out{};
  for (std::size_t i = 0; i < kGroup && begin + i < vector.size(); ++i) out[i] = vector[begin + i];
  return out;
}

// Returns the sum of magnitudes, which is the most that any combination of signs gives.
float reach_of(const std::array<float, kGroup>& group) {
  float sum = 0;
  for (const float value : group) sum += std::abs(value);
  return sum;
}

// Overwrites the numbers: halves are compared with each other, which takes few instructions.
float largest_of(float* rows) {
  for (std::size_t half = kSignRows / 2; half > 0; half /= 2) {
    for (std::size_t r = 0; r < half; ++r) rows[r] = std::max(rows[r], rows[r + half]);
  }
  return rows[0];
}

}  // namespace

SignQuery::SignQuery(const Matrix& query, std::span<const float> centre)
    : pairs_(pairs_of(query.cols)) {
  for (std::size_t q = 0; q < query.rows; ++q) add(query.row(q), centre);
}

// All tables of a vector have the same step, so that their entries can be summed as they are.
void SignQuery::add(std::span<const float> vector, std::span<const float> centre) {
  float widest = 0, all = 0;
  for (std::size_t group = 0; group < 2 * pairs_; ++group) {
    const float reach = reach_of(group_at(vector, group * kGroup));
    widest = std::max(widest, 2 * reach);
    all += reach;
  }
  Vector out;
  out.step = std::max(widest / kMostEntry, 2 * all / kMostSum);
  out.base = -all;
  out.shift = std::inner_product(vector.begin(), vector.end(), centre.begin(), 0.0F);
  for (std::size_t group = 0; group < 2 * pairs_; ++group) {
    const std::array<float, kGroup> numbers = group_at(vector, group * kGroup);
    for (std::size_t signs = 0; signs < kCombinations; ++signs) {
      float sum = reach_of(numbers);
      for (std::size_t i = 0; i < kGroup; ++i)
        sum += (signs >> i & 1) != 0 ? numbers[i] : -numbers[i];
      tables_.push_back(out.step > 0 ? static_cast<std::uint8_t>(std::lround(sum / out.step)) : 0);
    }
  }
  vectors_.push_back(out);
}

SignPages::SignPages(std::vector<float> centre, std::span<const std::uint32_t> row_counts)
    : centre_(std::move(centre)), pairs_(pairs_of(centre_.size())), first_block_(1, 0) {
  for (const std::uint32_t rows : row_counts) {
    first_block_.push_back(first_block_.back() + (rows + kSignRows - 1) / kSignRows);
  }
  codes_.resize(first_block_.back() * pairs_ * kPairBytes);
  factors_.resize(first_block_.back() * kSignRows);
}

// `place`: the number of the row among those of all blocks.
void SignPages::encode_row(const std::vector<float>& row, std::size_t place) {
  constexpr std::size_t kHalf = kSignRows / 2;
  const std::size_t in_block = place % kSignRows;
  std::uint8_t* block = codes_.data() + place / kSignRows * pairs_ * kPairBytes;
  double squares = 0, magnitudes = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float rest = row[i] - centre_[i];
    squares += static_cast<double>(rest) * rest;
    magnitudes += std::abs(rest);
    const unsigned bit = rest > 0 ? 1 : 0;
    block[i / kGroup * kHalf + in_block % kHalf] |=
        static_cast<std::uint8_t>(bit << (i % kGroup + (in_block < kHalf ? 0 : kGroup)));
  }
  factors_[place] = magnitudes > 0 ? static_cast<float>(squares / magnitudes) : 0;
}

void SignPages::encode(std::size_t page, const VectorRows& rows) {
  std::vector<float> row(centre_.size());
  const std::size_t first = first_block_[page] * kSignRows;
  for (std::size_t place = first; place < first_block_[page + 1] * kSignRows; ++place) {
    decode_row(rows, std::min(place - first, rows.count - 1), row.data());
    encode_row(row, place);
  }
}

float SignPages::score(const SignQuery& query, std::size_t page, std::vector<std::uint16_t>* sums,
                       std::vector<float>* largest) const {
  if (first_block_[page] == first_block_[page + 1]) return kNothing;
  const SignKernel& kernel = kernels().max_sim_signs.best();
  const std::size_t vectors = query.vectors_.size();
  std::fill(largest->begin(), largest->end(), kNothing);
  for (std::uint64_t block = first_block_[page]; block < first_block_[page + 1]; ++block) {
    kernel.sum(codes_.data() + block * pairs_ * kPairBytes, query.tables_.data(), pairs_, vectors,
               sums->data());
    for (std::size_t n = 0; n < vectors; ++n) {
      const auto [step, base, shift] = query.vectors_[n];
      kernel.raise(sums->data() + n * kSignRows, factors_.data() + block * kSignRows, step, base,
                   largest->data() + n * kSignRows);
    }
  }
  float score = 0;
  for (std::size_t n = 0; n < vectors; ++n) {
    score += query.vectors_[n].shift + largest_of(largest->data() + n * kSignRows);
  }
  return score;
}

void SignPages::scores(const SignQuery& query, std::size_t first, std::size_t count,
                       float* out) const {
  std::vector<std::uint16_t> sums(query.vectors_.size() * kSignRows);
  std::vector<float> largest(query.vectors_.size() * kSignRows);
  for (std::size_t i = 0; i < count; ++i) out[i] = score(query, first + i, &sums, &largest);
}

}  // namespace fineprint::score
