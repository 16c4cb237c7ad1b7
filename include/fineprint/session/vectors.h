// The vectors of one set, under the dense numbers of the corpus.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/score/vector_rows.h"
#include "fineprint/session/corpus.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

// Vectors of units [first_unit, first_unit + units) of one document. Units are pages, chunks or
// elements, by dense number.
struct VectorPart {
  std::uint32_t document = 0;  // index into Corpus::documents()
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::vector<std::uint32_t> first_row;    // of each unit and the end; [units + 1]
  score::VectorRows rows;                  // memory-mapped
  std::optional<score::VectorRows> exact;  // the float32 originals, where they are kept
  std::vector<float> errors;  // with `exact`, for each unit: the largest |original - decoded| row
};

// Read once and kept with a session. Safe from several threads.
class VectorView {
 public:
  // Warns when units of the corpus have no vectors that no question makes (see Session). Throws
  // Error(store), as Store::vectors.
  VectorView(const Corpus& corpus, const store::VectorSet& set);

  const store::VectorSet& set() const { return set_; }
  // By first_unit; no unit is in two.
  const std::vector<VectorPart>& parts() const { return parts_; }
  // The part that holds a unit; nullptr when it has no vectors.
  const VectorPart* find(std::uint32_t unit) const;
  // Pages, chunks or elements of the corpus, with or without vectors.
  std::uint32_t unit_count() const { return unit_count_; }
  std::uint32_t missing() const { return missing_; }
  std::uint32_t page_of(std::uint32_t unit) const {
    return units_ == nullptr ? unit : units_->page[unit];
  }
  // [unit_count, dim]: the mean of each unit's vectors, scaled to unit length; zeros without
  // vectors. Computed at the first call, on `threads` threads.
  const Matrix& means(int threads) const;

 private:
  void tell_missing(const std::string& dir) const;

  store::VectorSet set_;
  const UnitTable* units_ = nullptr;  // nullptr: they are pages
  std::vector<VectorPart> parts_;
  std::uint32_t unit_count_ = 0;
  std::uint32_t missing_ = 0;
  mutable std::mutex mutex_;
  mutable std::optional<Matrix> means_;
};

}  // namespace fineprint::session
