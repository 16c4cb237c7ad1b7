// MaxSim by signs: a first look at pages that needs one bit for each number and not the number.
//
// With c the mean of all rows and r = d - c, a row d is kept as the signs of r and one factor
// f = |r|^2 / sum |r_i|, so that <q, d> is about <q, c> + f sum q_i sign(r_i). For an r whose
// numbers are equally large that is exact. Source: RaBitQ (Gao and Long 2024), without its random
// rotation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// A query, prepared for pages with the same centre.
class SignQuery {
 public:
  // query: [query vectors, dim]; centre: [dim].
  SignQuery(const Matrix& query, std::span<const float> centre);

 private:
  friend class SignPages;

  // A vector's part of all sums: sum * step + base is about sum q_i sign(r_i), and shift is <q, c>.
  struct Vector {
    float step = 0, base = 0, shift = 0;
  };
  void add(std::span<const float> vector, std::span<const float> centre);

  std::size_t pairs_;
  std::vector<Vector> vectors_;
  // For each vector and each group of four numbers what each of the 16 combinations of signs adds,
  // in steps from the least: [vectors, pairs, 2, 16].
  std::vector<std::uint8_t> tables_;
};

// The signs of all rows of many pages.
class SignPages {
 public:
  // Makes room for pages of `row_counts` rows. centre: [dim].
  SignPages(std::vector<float> centre, std::span<const std::uint32_t> row_counts);

  const std::vector<float>& centre() const { return centre_; }
  // Returns the bytes of memory that the signs take.
  std::size_t bytes() const { return codes_.size() + factors_.size() * sizeof(float); }
  // Encodes the rows of one page, as many as there is room for. Different pages may be encoded by
  // several threads.
  void encode(std::size_t page, const VectorRows& rows);
  // Writes an estimate of max_sim() for each of pages [first, first + count): -infinity for a page
  // without rows.
  void scores(const SignQuery& query, std::size_t first, std::size_t count, float* out) const;

 private:
  void encode_row(const std::vector<float>& row, std::size_t place);
  float score(const SignQuery& query, std::size_t page, std::vector<std::uint16_t>* sums,
              std::vector<float>* largest) const;

  std::vector<float> centre_;
  std::size_t pairs_;                       // of groups of four numbers
  std::vector<std::uint64_t> first_block_;  // [pages + 1]
  std::vector<std::uint8_t> codes_;         // block by block; see max_sim_signs_kernels.h
  std::vector<float> factors_;              // [blocks, rows of a block]
};

}  // namespace fineprint::score
