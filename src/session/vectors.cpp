// Numbers the vectors of a set densely, and computes means of them.
#include "fineprint/session/vectors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::session {
namespace {

// Pages need no table, because a page id is its own unit.
const std::vector<PageId>* unit_pages(const Corpus& corpus, store::VectorUnit unit) {
  switch (unit) {
    case store::VectorUnit::page:
      return nullptr;
    case store::VectorUnit::chunk:
      return &corpus.chunks().page;
    case store::VectorUnit::element:
      break;
  }
  return &corpus.elements().page;
}

UnitId first_unit_of(const Corpus& corpus, store::VectorUnit unit, DocumentId document) {
  switch (unit) {
    case store::VectorUnit::page:
      return as_unit(corpus.documents()[document.value].first_page);
    case store::VectorUnit::chunk:
      return as_unit(corpus.chunks().begin_of(document));
    case store::VectorUnit::element:
      break;
  }
  return as_unit(corpus.elements().begin_of(document));
}

// A unit's error is the largest of its rows, because any row may decide a MaxSim score.
std::vector<float> unit_errors(const store::VectorBlock& block) {
  std::vector<float> errors(block.exact ? block.units : 0, 0.0F);
  for (std::uint32_t unit = 0; unit < errors.size(); ++unit) {
    for (std::uint32_t row = block.first_row[unit]; row < block.first_row[unit + 1]; ++row) {
      errors[unit] = std::max(errors[unit], block.errors[row]);
    }
  }
  return errors;
}

// Leaves a zero vector, and one with NaN, as it is.
void scale_to_unit_length(std::span<float> row) {
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * value;
  if (!(squares > 0)) return;
  for (float& value : row) value = static_cast<float>(value / std::sqrt(squares));
}

// Returns the mean of the rows, of about kSampledRows of them if there are more: evenly spaced
// ones, so that the same set always has the same centre.
std::vector<float> centre_of(std::span<const VectorPart> parts, std::size_t dim) {
  constexpr std::size_t kSampledRows = 65'536;
  std::size_t all = 0, taken = 0, passed = 0;
  for (const VectorPart& part : parts) all += part.rows.count;
  const std::size_t step = std::max<std::size_t>(1, all / kSampledRows);
  std::vector<double> sums(dim);
  std::vector<float> row(dim);
  for (const VectorPart& part : parts) {
    for (std::size_t r = (step - passed % step) % step; r < part.rows.count; r += step, ++taken) {
      score::decode_row(part.rows, r, row.data());
      for (std::size_t i = 0; i < dim; ++i) sums[i] += row[i];
    }
    passed += part.rows.count;
  }
  std::vector<float> centre(dim);
  for (std::size_t i = 0; i < dim && taken > 0; ++i) {
    centre[i] = static_cast<float>(sums[i] / static_cast<double>(taken));
  }
  return centre;
}

}  // namespace

VectorView::VectorView(const Corpus& corpus, const store::VectorSet& set)
    : set_(set),
      pages_(unit_pages(corpus, set.unit)),
      unit_count_(pages_ == nullptr ? corpus.page_count()
                                    : static_cast<std::uint32_t>(pages_->size())),
      together_([this](std::span<RunningPass* const> passes) { run(passes); }) {
  for (store::VectorBlock& block : corpus.store().vectors(set.name)) {
    const DocumentId document = corpus.index_of(block.document);
    const UnitId first = first_unit_of(corpus, set.unit, document) + block.first_unit;
    std::vector<float> errors = unit_errors(block);
    parts_.push_back({document, first, block.units, std::move(block.first_row), block.rows,
                      block.exact, std::move(errors)});
  }
  std::ranges::sort(parts_, {}, &VectorPart::first_unit);
  missing_ = unit_count_;
  for (const VectorPart& part : parts_) missing_ -= part.units;
  if (missing_ > 0) tell_missing(corpus.store().dir());
}

// Missing vectors of chunk texts are normal, because questions make them. Others need `index`.
void VectorView::tell_missing(const std::string& dir) const {
  if (store::is_of_chunk_texts(set_)) {
    log::step(
        "{}: {} of {} chunks have no vectors of the set \"{}\" yet: questions make the ones that "
        "they need",
        dir, missing_, unit_count_, set_.name);
    return;
  }
  log::warn(
      "{}: {} of {} {}s have no vectors of the set \"{}\", so only the other scorers rank them; "
      "run "
      "`fineprint index` to make the rest",
      dir, missing_, unit_count_, store::unit_name(set_.unit), set_.name);
}

// Parts are sorted and do not overlap, so the last one that begins at or before the unit decides.
const VectorPart* VectorView::find(UnitId unit) const {
  const auto after = std::ranges::upper_bound(parts_, unit, {}, &VectorPart::first_unit);
  if (after == parts_.begin()) return nullptr;
  const VectorPart& part = *std::prev(after);
  return unit < part.first_unit + part.units ? &part : nullptr;
}

// Computes under the lock, so that concurrent questions wait and do not compute them twice.
const Matrix& VectorView::means(int threads) const {
  const std::lock_guard lock(mutex_);
  if (means_) return *means_;
  Matrix means{unit_count_, set_.dim, std::vector<float>(unit_count_ * set_.dim, 0.0F)};
  parallel_for(parts_.size(), threads, [&](std::size_t p) {
    const VectorPart& part = parts_[p];
    for (std::uint32_t unit = 0; unit < part.units; ++unit) {
      const std::uint32_t first = part.first_row[unit];
      const std::uint32_t rows = part.first_row[unit + 1] - first;
      if (rows == 0) continue;
      const std::span<float> mean = means.row(part.first_unit.value + unit);
      std::ranges::copy(score::mean_vector(part.rows.slice(first, rows)), mean.begin());
      scale_to_unit_length(mean);
    }
  });
  means_ = std::move(means);
  return *means_;
}

// Computes under the lock, as means() does.
const score::SignPages& VectorView::signs(int threads) const {
  const std::lock_guard lock(mutex_);
  if (signs_) return *signs_;
  std::vector<std::uint32_t> rows(unit_count_, 0);
  for (const VectorPart& part : parts_) {
    for (std::uint32_t unit = 0; unit < part.units; ++unit) {
      rows[part.first_unit.value + unit] = part.first_row[unit + 1] - part.first_row[unit];
    }
  }
  score::SignPages signs(centre_of(parts_, set_.dim), rows);
  parallel_for(parts_.size(), threads, [&](std::size_t p) {
    const VectorPart& part = parts_[p];
    for (std::uint32_t unit = 0; unit < part.units; ++unit) {
      const std::uint32_t first = part.first_row[unit];
      signs.encode(part.first_unit.value + unit,
                   part.rows.slice(first, part.first_row[unit + 1] - first));
    }
  });
  signs_ = std::move(signs);
  return *signs_;
}

}  // namespace fineprint::session
