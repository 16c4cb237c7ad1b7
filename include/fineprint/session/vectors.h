// The vectors of one vector set, by page, chunk or element id.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/matrix.h"
#include "fineprint/core/stop.h"
#include "fineprint/core/together.h"
#include "fineprint/score/max_sim_signs.h"
#include "fineprint/score/vector_rows.h"
#include "fineprint/session/corpus.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

// Vectors of the units [first_unit, first_unit + units) of one document. Units are pages, chunks or
// elements, by their dense ids.
struct VectorPart {
  DocumentId document;
  UnitId first_unit;
  std::uint32_t units = 0;                 // how many
  std::vector<std::uint32_t> first_row;    // first row of each unit, then the end; [units + 1]
  score::VectorRows rows;                  // memory-mapped
  std::optional<score::VectorRows> exact;  // the float32 originals, if the set keeps them
  std::vector<float> errors;  // with `exact`, for each unit: its largest |original - decoded| row
};

class Models;

// Receives units [first, first + units) of a part; called from several threads.
using PartVisitor =
    std::function<void(const VectorPart& part, std::uint32_t first, std::uint32_t units)>;

// A pass over vectors of a set. Its members outlive VectorView::scan().
struct VectorPass {
  const PartVisitor& visit;
  const std::vector<bool>& documents;  // whether each document of the corpus is looked at
  std::size_t first_part = 0;          // earlier parts are left out
  const StopToken& stop;
};

// All vectors of a set. Reads them once; a session keeps it. Safe from several threads.
class VectorView {
 public:
  // Warns if units of the corpus have no vectors and no question will make them (see Session).
  // Throws Error(store) as Store::vectors() does.
  VectorView(const Corpus& corpus, const store::VectorSet& set);

  // Returns the set that the vectors belong to.
  const store::VectorSet& set() const { return set_; }
  // Returns all parts, ordered by first_unit. No unit is in two parts.
  const std::vector<VectorPart>& parts() const { return parts_; }
  // Returns the part that contains a unit, or nullptr if the unit has no vectors.
  const VectorPart* find(UnitId unit) const;
  // Returns the number of pages, chunks or elements of the corpus, with or without vectors.
  std::uint32_t unit_count() const { return unit_count_; }
  // Returns how many of them have no vectors.
  std::uint32_t missing() const { return missing_; }
  // Returns the page id of the page that a unit is on.
  PageId page_of(UnitId unit) const {
    return pages_ == nullptr ? as_page(unit) : (*pages_)[unit.value];
  }
  // Returns the mean of each unit's vectors, scaled to unit length; [unit_count, dim]. A unit
  // without vectors gets zeros. Computed at the first call, on `threads` threads.
  const Matrix& means(int threads) const;
  // Returns the signs of all vectors, by unit: one bit for each number and a float for each vector,
  // in memory. Computed at the first call, on `threads` threads.
  const score::SignPages& signs(int threads) const;
  // Passes the units that `pass` looks at to its visitor, a few megabytes at a time, on as many
  // threads as `models` allow. Passes that are wanted while others run are made together, so that
  // each vector comes from memory once for all of them; a pass that is alone, or over few vectors,
  // starts at once. Throws what the visitor threw, and Error(interrupted) if the pass is unwanted.
  // A deadline does not end it.
  void scan(const Models& models, const VectorPass& pass) const;

 private:
  // A pass that is running, or waits for others.
  struct RunningPass;
  // Makes passes over all parts that one of them looks at.
  void run(std::span<RunningPass* const> passes) const;
  // Reports how many units lack vectors, and what makes them.
  void tell_missing(const std::string& dir) const;

  store::VectorSet set_;
  const std::vector<PageId>* pages_ = nullptr;  // of all units; nullptr if units are pages
  std::vector<VectorPart> parts_;
  std::uint32_t unit_count_ = 0;
  std::uint32_t missing_ = 0;
  mutable std::mutex mutex_;
  mutable std::optional<Matrix> means_;
  mutable std::optional<score::SignPages> signs_;
  mutable Together<RunningPass> together_;
};

}  // namespace fineprint::session
