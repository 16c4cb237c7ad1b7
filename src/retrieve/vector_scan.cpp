// Scores the vectors of a set, piece by piece, on several threads.
#include "retrieve/vector_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/core/threads.h"
#include "fineprint/score/dense.h"

namespace fineprint::retrieve {
namespace {

constexpr std::size_t kGroup = 16;  // units that one thread scores at a time

// Units [first, first + units) of a part.
struct Piece {
  const session::VectorPart* part = nullptr;
  std::uint32_t first = 0;
  std::uint32_t units = 0;

  std::span<const std::uint32_t> first_row() const {
    return std::span(part->first_row).subspan(first, units + 1);
  }
};

std::vector<float> nothing(std::size_t count) {
  return std::vector<float>(count, std::numeric_limits<float>::quiet_NaN());
}

// Adds the rounding of float32 sums of unit rows to the error of the codes, so that bounds stay
// safe.
double with_rounding(double error, std::size_t dim) {
  return error + static_cast<double>(dim) * std::numeric_limits<float>::epsilon();
}

}  // namespace

score::VectorRows rows_of(const score::VectorRows& rows, std::span<const std::uint32_t> first_row) {
  return rows.slice(first_row.front(), first_row.back() - first_row.front());
}

UnitScorer products_with(std::span<const float> query) {
  return {.on_cpu =
              [query](const score::VectorRows& rows, std::span<const std::uint32_t> first_row,
                      float* out) { score::dot_rows(query.data(), rows_of(rows, first_row), out); },
          .on_gpu = [query](const score::CudaTable& gpu, score::DeviceRows& rows,
                            float* out) { gpu.dot_rows(rows, query.data(), out); }};
}

Matrix query_vectors(const PageSearch& search) {
  const session::Session& session = search.context.session;
  return search.picture != nullptr ? session.embed_picture(search.set, *search.picture)
                                   : session.embed_query(search.set, search.query.question);
}

std::size_t pages_looked_at(const SearchOptions& options) {
  if (options.adaptive && options.adaptive_options.window_all) return 0;
  const int k = std::max(1, options.k);
  const int window = options.adaptive_options.window > 0 ? options.adaptive_options.window : 2 * k;
  return static_cast<std::size_t>(options.adaptive ? std::max(k, window) : k);
}

std::size_t pages_scored_exactly(const SearchOptions& options) {
  const std::size_t looked_at = pages_looked_at(options);
  const auto ranked = static_cast<std::size_t>(std::max(0, options.least_ranked));
  return looked_at == 0 ? 0 : std::max(looked_at, ranked);
}

std::size_t shortlist_of(const SearchOptions& options) {
  const auto wanted = static_cast<std::size_t>(std::max(1, options.mask.shortlist));
  return std::max(wanted, pages_looked_at(options));
}

VectorScan::VectorScan(const PageSearch& search)
    : corpus_(search.context.session.corpus()),
      view_(search.context.session.vectors(search.set)),
      gpu_(search.context.session.gpu_vectors().for_scan(view_)),
      models_(search.context.session.models()),
      stop_token_(search.context.stop_token),
      document_in_pool_(corpus_.documents().size()) {
  for (const DocumentId document : search.pool) document_in_pool_[document.value] = true;
}

bool VectorScan::in_pool(UnitId unit) const {
  const session::VectorPart* part = view_.find(unit);
  return part != nullptr && document_in_pool_[part->document.value];
}

void VectorScan::each(const session::PartVisitor& visitor) const { each_from(0, visitor); }

void VectorScan::each_from(std::size_t first_part, const session::PartVisitor& visitor) const {
  view_.scan(models_, {.visit = visitor,
                       .documents = document_in_pool_,
                       .first_part = first_part,
                       .stop = stop_token_});
}

std::vector<float> VectorScan::all(const PartScorer& scorer) const {
  std::vector<float> scores = nothing(view_.unit_count());
  each([&](const session::VectorPart& part, std::uint32_t first, std::uint32_t units) {
    scorer(part, first, units, scores.data() + part.first_unit.value + first);
  });
  return scores;
}

// Scores whole slabs on the GPU, even if the pool needs only a part of them: that is quick, and a
// question about few documents is no reason to copy their vectors again.
void VectorScan::scan_gpu(const UnitScorer& scorer, float* scores) const {
  std::vector<float> of_slab;
  for (const session::GpuSlab& slab : gpu_->slabs()) {
    const auto parts = std::span(view_.parts()).subspan(slab.first_part, slab.parts);
    const auto wanted = [&](const session::VectorPart& part) {
      return document_in_pool_[part.document.value];
    };
    // Slabs without any document of the pool are skipped.
    if (std::ranges::none_of(parts, wanted)) continue;
    if (stop_token_.unwanted()) throw_if_stopped(stop_token_);
    of_slab.resize(std::max(slab.rows, slab.units));
    scorer.on_gpu(gpu_->table(), *slab.on_gpu, of_slab.data());
    const float* of_part = of_slab.data();
    for (const session::VectorPart& part : parts) {
      if (wanted(part)) std::copy_n(of_part, part.units, scores + part.first_unit.value);
      of_part += part.units;
    }
  }
}

// If a set keeps codes and originals, the GPU holds only the codes, so exact scans use the CPU.
std::vector<float> VectorScan::scan(const UnitScorer& scorer, bool exact) const {
  std::vector<float> scores = nothing(view_.unit_count());
  const bool by_gpu = on_gpu() && scorer.on_gpu && !(exact && view_.set().format.keep_exact);
  if (by_gpu) scan_gpu(scorer, scores.data());
  each_from(by_gpu ? gpu_->parts() : 0,
            [&](const session::VectorPart& part, std::uint32_t first, std::uint32_t units) {
              scorer.on_cpu(exact && part.exact ? *part.exact : part.rows,
                            Piece{&part, first, units}.first_row(),
                            scores.data() + part.first_unit.value + first);
            });
  return scores;
}

void VectorScan::score_some(std::span<const UnitId> units, const UnitScorer& scorer,
                            float* scores) const {
  // Groups, because a task for each unit would cost more than scoring it.
  parallel_for((units.size() + kGroup - 1) / kGroup, threads(), [&](std::size_t group) {
    const std::size_t begin = group * kGroup;
    for (const UnitId unit : units.subspan(begin, std::min(kGroup, units.size() - begin))) {
      const session::VectorPart* part = view_.find(unit);
      if (part == nullptr) continue;
      const Piece piece{part, unit - part->first_unit, 1};
      scorer.on_cpu(part->exact ? *part->exact : part->rows, piece.first_row(),
                    scores + unit.value);
    }
  });
}

// Returns the units whose originals must be scored. The k-th best page is at least as good as the
// k-th best lower bound. A unit whose upper bound reaches that value may be among the first k; no
// other unit can be.
std::vector<UnitId> VectorScan::to_rescore(std::span<const float> scores, double reach,
                                           std::size_t exact_pages) const {
  const std::size_t dim = view_.set().dim;
  std::vector<double> least(corpus_.page_count(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> most(scores.size(), std::numeric_limits<double>::quiet_NaN());
  for (const session::VectorPart& part : view_.parts()) {
    for (std::uint32_t i = 0; i < part.units; ++i) {
      const UnitId unit = part.first_unit + i;
      const float score = scores[unit.value];
      if (!std::isfinite(score)) continue;
      const double error = part.exact ? reach * with_rounding(part.errors[i], dim) : 0;
      const double bound = score - error;
      double& page = least[view_.page_of(unit).value];
      if (!(page >= bound)) page = bound;
      if (part.exact) most[unit.value] = score + error;
    }
  }
  const std::vector<score::Scored> first = score::top_items(least, exact_pages);
  const double needed = first.size() < exact_pages || first.empty()
                            ? -std::numeric_limits<double>::infinity()
                            : first.back().score;
  std::vector<UnitId> units;
  for (UnitId unit; unit.value < most.size(); ++unit) {
    if (most[unit.value] >= needed) units.push_back(unit);
  }
  return units;
}

std::vector<float> VectorScan::all(const UnitScorer& scorer, double reach,
                                   std::size_t exact_pages) const {
  if (!view_.set().format.keep_exact || exact_pages == 0) return scan(scorer, true);
  std::vector<float> scores = scan(scorer, false);
  score_some(to_rescore(scores, reach, exact_pages), scorer, scores.data());
  return scores;
}

std::vector<float> VectorScan::some(std::span<const UnitId> units, const UnitScorer& scorer) const {
  std::vector<float> scores = nothing(view_.unit_count());
  score_some(units, scorer, scores.data());
  return scores;
}

std::vector<UnitId> VectorScan::best(std::span<const float> scores, std::size_t count) {
  std::vector<UnitId> units;
  for (const score::Scored& unit : score::top_items(scores, std::max<std::size_t>(count, 1))) {
    units.push_back(UnitId(unit.item));
  }
  return units;
}

}  // namespace fineprint::retrieve
