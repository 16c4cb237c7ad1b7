// Late interaction: every vector of a query looks for its best vector of a page.
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

// Rows [first[p], first[p + 1]) of `rows` are the vectors of page p; first has pages + 1 entries.
struct VectorBags {
  VectorRows rows;
  std::span<const std::uint32_t> first;

  std::size_t pages() const { return first.empty() ? 0 : first.size() - 1; }
  VectorRows page(std::size_t p) const { return rows.slice(first[p], first[p + 1] - first[p]); }
};

// scores[p] = sum over the query's vectors of the largest product with a vector of page p;
// accumulated in float32. A page without vectors scores -infinity; NaN in a page or query gives
// NaN. One thread: callers share pages out. query: [query vectors, dim].
void max_sim(const Matrix& query, const VectorBags& pages, float* scores);

// The k best of pages that are kept as `codes` (i8 rows) and as `exact` (float32 rows): codes say
// which pages, and which of their rows, can matter, and those alone are multiplied in float32.
// Pages may come in pieces, from several threads.
class ExactMaxSim {
 public:
  // k = 0: every page is scored exactly.
  ExactMaxSim(const Matrix& query, std::size_t k);
  ~ExactMaxSim();

  // scores[p]: that of max_sim over `exact`, bit for bit, for every page that can be among the k
  // best of all pages given; else an estimate by the codes, which is below the k-th best.
  // errors[p]: the largest distance |exact row - decoded row| in page p.
  void score(const VectorBags& codes, std::span<const float> errors, const VectorBags& exact,
             float* scores);

 private:
  class Bar;
  const Matrix& query_;
  std::unique_ptr<Bar> bar_;
};

// The k best of one piece; equals max_sim over `exact` and top_k.
std::vector<Scored> exact_max_sim_top_k(const Matrix& query, const VectorBags& codes,
                                        std::span<const float> errors, const VectorBags& exact,
                                        std::size_t k);
// That largest distance, for each page.
std::vector<float> bag_errors(const VectorBags& codes, const VectorBags& exact);

// For each of the query's vectors the row of `rows` with the largest product (the first of equals),
// for explanations. Empty where there are no rows.
std::vector<std::uint32_t> best_rows(const Matrix& query, const VectorRows& rows);

// The mean of a page's vectors, as float32 [dim] (not normalised).
std::vector<float> mean_vector(const VectorRows& rows);

}  // namespace fineprint::score
