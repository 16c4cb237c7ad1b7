// Pages that nobody wrote, by number: each page's words and vectors follow from its number alone,
// so that a question about a page can be made without reading it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/core/matrix.h"

namespace fineprint::testing {

// Numbers that look random (SplitMix64). Fast, because a large store needs thousands of millions.
class MadeNumbers {
 public:
  // The seed is mixed, because the numbers of neighbouring states are the same but one.
  explicit MadeNumbers(std::uint64_t seed) : state_(mixed(seed + kStep)) {}

  std::uint64_t next() { return mixed(state_ += kStep); }
  // From 0 to below 1.
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t count) { return next() % count; }
  // Appends `count` numbers of mean 0 and spread `spread`, nearly normal: the bits of a word are
  // counted.
  void append_normal(std::size_t count, float spread, std::vector<float>* out) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto half = static_cast<float>(std::popcount(next())) - 32;  // spread 4
      out->push_back(half * spread / 4);
    }
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;

  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

inline void scale_to_unit(float* row, std::size_t dim) {
  double squares = 0;
  for (std::size_t i = 0; i < dim; ++i) squares += static_cast<double>(row[i]) * row[i];
  const auto factor = static_cast<float>(1 / std::sqrt(squares));
  for (std::size_t i = 0; i < dim; ++i) row[i] *= factor;
}

// Words by rank. Their frequencies fall with the rank as in language without its function words
// (Zipf and Mandelbrot): the most frequent one is on a quarter of pages of 100 words.
inline std::uint32_t made_rank(MadeNumbers& numbers, double vocabulary) {
  constexpr double kShift = 30;
  const double rank = kShift * (std::pow(vocabulary / kShift + 1, numbers.share()) - 1);
  return static_cast<std::uint32_t>(std::min(rank, vocabulary - 1));
}

// A word without meaning that stays as it is when it is indexed: letters of which no language makes
// endings.
inline std::string word_of_rank(std::uint32_t rank) {
  std::string word = "q";
  for (std::uint32_t rest = rank;; rest /= 16) {
    word += static_cast<char>("bcdfghjklmpqrtvx"[rest % 16]);
    if (rest < 16) break;
  }
  return word + "ko";
}

// Vectors of pages. A page has concepts, and each of its vectors is near to one of them. Directions
// that all vectors share make them alike, as those of trained models are.
class MadeVectors {
 public:
  MadeVectors(std::size_t dim, std::size_t rows) : dim_(dim), rows_(rows) {
    MadeNumbers numbers(7);
    numbers.append_normal(dim * kConcepts, 1, &concepts_.values);
    concepts_.rows = kConcepts;
    concepts_.cols = dim;
    std::vector<float> shared;
    numbers.append_normal(dim, 0.7F, &shared);
    for (std::size_t c = 0; c < kConcepts; ++c) {
      float* row = concepts_.values.data() + c * dim;
      for (std::size_t i = 0; i < dim; ++i) row[i] += shared[i];
      scale_to_unit(row, dim);
    }
  }

  std::size_t rows() const { return rows_; }

  // Appends the unit vectors of a page: [rows, dim].
  void append(std::uint64_t page, std::vector<float>* out) const {
    MadeNumbers numbers(page + 1'000'003);
    const std::size_t own = std::max<std::size_t>(1, rows_ / 3);
    std::vector<std::size_t> concepts;
    for (std::size_t i = 0; i < own; ++i) concepts.push_back(numbers.below(kConcepts));
    for (std::size_t r = 0; r < rows_; ++r) append_near(concepts[r % own], 0.6F, numbers, out);
  }

  // Returns a question about a page: `count` unit vectors, each near to one of the page's.
  Matrix question(std::uint64_t page, std::size_t count) const {
    std::vector<float> of_page;
    append(page, &of_page);
    MadeNumbers numbers(page + 77);
    Matrix out{count, dim_, {}};
    std::vector<float> noise;
    for (std::size_t q = 0; q < count; ++q) {
      const float* row = of_page.data() + numbers.below(rows_) * dim_;
      noise.clear();
      numbers.append_normal(dim_, 0.9F / std::sqrt(static_cast<float>(dim_)), &noise);
      for (std::size_t i = 0; i < dim_; ++i) noise[i] += row[i];
      scale_to_unit(noise.data(), dim_);
      out.values.insert(out.values.end(), noise.begin(), noise.end());
    }
    return out;
  }

 private:
  static constexpr std::size_t kConcepts = 4096;

  void append_near(std::size_t concept_id, float distance, MadeNumbers& numbers,
                   std::vector<float>* out) const {
    const std::size_t begin = out->size();
    numbers.append_normal(dim_, distance / std::sqrt(static_cast<float>(dim_)), out);
    float* row = out->data() + begin;
    for (std::size_t i = 0; i < dim_; ++i) row[i] += concepts_.row(concept_id)[i];
    scale_to_unit(row, dim_);
  }

  std::size_t dim_;
  std::size_t rows_;
  Matrix concepts_;
};

}  // namespace fineprint::testing
