// Scores the vectors of a set, piece by piece, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fineprint/core/ids.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

// How units are scored.
struct UnitScorer {
  // Writes a score for each unit: the rows of unit u are [first_row[u], first_row[u + 1]).
  std::function<void(const score::VectorRows& rows, std::span<const std::uint32_t> first_row,
                     float* scores)>
      on_cpu;
  // The same on a GPU, for all units that `rows` holds; empty if there is no such implementation.
  // If units have one row each, it may write a score for each row.
  std::function<void(const score::CudaTable& gpu, score::DeviceRows& rows, float* scores)> on_gpu =
      {};
};

// Writes the scores of units [first, first + units) of a part; `first` counts within the part.
using PartScorer = std::function<void(const session::VectorPart& part, std::uint32_t first,
                                      std::uint32_t units, float* scores)>;

// Returns rows [first_row.front(), first_row.back()).
score::VectorRows rows_of(const score::VectorRows& rows, std::span<const std::uint32_t> first_row);

// Scores units of one row each by the row's product with `query`, which must outlive the scorer.
UnitScorer products_with(std::span<const float> query);

// One scan of a vector set, limited to the pool of a search. The search must outlive it.
class VectorScan {
 public:
  explicit VectorScan(const PageSearch& search);

  const session::VectorView& view() const { return view_; }
  // Whether a GPU holds vectors of the set. all() then scores them there as far as the scorer can;
  // the scores differ from the CPU's only by rounding, because sums have another order.
  bool on_gpu() const { return gpu_ != nullptr; }
  // Returns the scores of all units by id; NaN if a unit has no vectors or is not in the pool.
  // `reach`: a score by codes differs from the score by originals by at most reach * error, where
  // `error` is the distance between the coded and the original rows. For products with a query it
  // is the query's length, summed over its vectors. If the set keeps originals, the first
  // `exact_pages` pages are the ones that the originals would give, with their scores; 0: all
  // pages.
  std::vector<float> all(const UnitScorer& scorer, double reach, std::size_t exact_pages) const;
  // The same, by a scorer that chooses between codes and originals itself.
  std::vector<float> all(const PartScorer& scorer) const;
  // Passes all units of the pool that have vectors to `visitor`, together with the scans of other
  // searches over the set; see session::VectorView::scan.
  void each(const session::PartVisitor& visitor) const;
  // Returns the scores of the given units only, by the originals if there are any.
  std::vector<float> some(std::span<const UnitId> units, const UnitScorer& scorer) const;
  // Returns the `count` best units of `scores`, best first.
  static std::vector<UnitId> best(std::span<const float> scores, std::size_t count);
  int threads() const { return session::ScanThreads(models_).count(); }
  // Whether a unit is in the pool and has vectors.
  bool in_pool(UnitId unit) const;

 private:
  std::vector<float> scan(const UnitScorer& scorer, bool exact) const;
  void scan_gpu(const UnitScorer& scorer, float* scores) const;
  void each_from(std::size_t first_part, const session::PartVisitor& visitor) const;
  void score_some(std::span<const UnitId> units, const UnitScorer& scorer, float* scores) const;
  std::vector<UnitId> to_rescore(std::span<const float> scores, double reach,
                                 std::size_t exact_pages) const;

  const session::Corpus& corpus_;
  const session::VectorView& view_;
  const session::GpuSet* gpu_;  // nullptr if the CPU scans the set
  const session::Models& models_;
  StopToken stop_token_;
  std::vector<bool> document_in_pool_;
};

// Returns how many of the best pages the choice of K looks at; 0: all.
std::size_t pages_looked_at(const SearchOptions& options);
// Returns how many of the best pages need exact scores: those, and SearchOptions::least_ranked; 0:
// all.
std::size_t pages_scored_exactly(const SearchOptions& options);
// Returns how many pages the mask ranks: as many as the options say, or more if the choice of K
// looks at more.
std::size_t shortlist_of(const SearchOptions& options);

}  // namespace fineprint::retrieve
