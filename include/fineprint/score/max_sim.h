// Late interaction (MaxSim): each vector of a query looks for its best vector on a page.
// Source: ColBERT (Khattab and Zaharia 2020), Eq. 3; ColPali for page images.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/score/fusion.h"
#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// Multi-vector pages: rows [first[p], first[p + 1]) of `rows` are the vectors of page p. `first`
// has pages + 1 entries. For example, first = {0, 3, 5} means that page 0 has three vectors, page 1
// two.
struct VectorBags {
  VectorRows rows;
  std::span<const std::uint32_t> first;

  std::size_t pages() const { return first.empty() ? 0 : first.size() - 1; }
  VectorRows page(std::size_t p) const { return rows.slice(first[p], first[p + 1] - first[p]); }
};

// Computes scores[p] = the sum over the query's vectors of the largest product with a vector of
// page p, accumulated in float32. A page without vectors scores -infinity. NaN in a page or query
// gives NaN. Runs on one thread: callers split pages among threads. query: [query vectors, dim].
void max_sim(const Matrix& query, const VectorBags& pages, float* scores);

// Finds the k best of pages that are stored both as `codes` (i8 rows) and as `exact` (float32
// rows). The codes show which pages, and which of their rows, can matter. Only those are multiplied
// in float32. Pages may come in pieces, from several threads.
class ExactMaxSim {
 public:
  // If k is 0, every page is scored exactly. `query` must outlive the object.
  ExactMaxSim(const Matrix& query, std::size_t k);
  ~ExactMaxSim();

  // Computes scores[p]: for every page that can be among the k best of all pages passed so far, the
  // score of max_sim over `exact`, bit for bit; for other pages an estimate from the codes, which
  // is below the k-th best. errors[p]: the largest distance |exact row - decoded row| on page p.
  void score(const VectorBags& codes, std::span<const float> errors, const VectorBags& exact,
             float* scores);

 private:
  class Bar;
  const Matrix& query_;
  std::unique_ptr<Bar> bar_;
};

// Returns, for each vector of the query, the row with the largest product (the first of equals), to
// explain a score. Returns an empty list if there are no rows.
std::vector<std::uint32_t> best_rows(const Matrix& query, const VectorRows& rows);

// Returns the mean of a page's vectors, as float32 [dim], not normalised.
std::vector<float> mean_vector(const VectorRows& rows);

}  // namespace fineprint::score
