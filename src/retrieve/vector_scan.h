// Scores the vectors of a set, piece by piece, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

// Writes a score for each unit: the rows of unit u are [first_row[u], first_row[u + 1]).
using UnitScorer = std::function<void(const score::VectorRows& rows,
                                      std::span<const std::uint32_t> first_row, float* scores)>;

// The same for units [first, first + units) of a part.
using PartScorer = std::function<void(const session::VectorPart& part, std::uint32_t first,
                                      std::uint32_t units, float* scores)>;

// Takes units [first, first + units) of a part; called from several threads.
using PartVisitor =
    std::function<void(const session::VectorPart& part, std::uint32_t first, std::uint32_t units)>;

// Rows [first_row.front(), first_row.back()).
score::VectorRows rows_of(const score::VectorRows& rows, std::span<const std::uint32_t> first_row);

class VectorScan {
 public:
  explicit VectorScan(const PageSearch& search);

  const session::VectorView& view() const { return view_; }
  // Of every unit by dense number; NaN where it has no vectors or is not in the pool. `reach`: a
  // score by codes differs by at most reach * error from that by the originals, `error` being the
  // distance of the unit's rows from theirs; for products with a query it is the query's length,
  // summed over its vectors. With originals, the first `exact_pages` pages by these scores are
  // those that the originals would give, and have their scores; 0: all.
  std::vector<float> all(const UnitScorer& scorer, double reach, std::size_t exact_pages) const;
  // Of every unit by dense number, as above, by a scorer that takes codes and originals itself.
  std::vector<float> all(const PartScorer& scorer) const;
  // Shows all units of the pool that have vectors, a few megabytes at a time.
  void each(const PartVisitor& visitor) const;
  // Of the given units alone, by the originals where there are any.
  std::vector<float> some(std::span<const std::uint32_t> units, const UnitScorer& scorer) const;
  // The best units of the pool among `scores`.
  static std::vector<std::uint32_t> best(std::span<const float> scores, std::size_t count);
  int threads() const { return threads_.count(); }
  // Whether a unit is in the pool and has vectors.
  bool in_pool(std::uint32_t unit) const;

 private:
  std::vector<float> scan(const UnitScorer& scorer, bool exact) const;
  void score_some(std::span<const std::uint32_t> units, const UnitScorer& scorer,
                  float* scores) const;
  std::vector<std::uint32_t> to_rescore(std::span<const float> scores, double reach,
                                        std::size_t exact_pages) const;

  const session::Corpus& corpus_;
  const session::VectorView& view_;
  session::ScanThreads threads_;
  StopToken stop_token_;
  std::vector<bool> document_in_pool_;
};

// How many of the best pages the choice of pages looks at; 0: all.
std::size_t pages_looked_at(const SearchOptions& options);
// How many pages the mask ranks: as many as the options say, or more when more are looked at.
std::size_t shortlist_of(const SearchOptions& options);

}  // namespace fineprint::retrieve
