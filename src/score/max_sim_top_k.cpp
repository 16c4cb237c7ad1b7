// Finds the best pages of an 8-bit index exactly. Codes of the query and of the pages show which
// rows of which pages can matter. Only those are multiplied in float32.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "fineprint/score/max_sim.h"

#include "score/k_best.h"
#include "score/kernels.h"
#include "score/max_sim_codes.h"
#include "score/max_sim_scan.h"

namespace fineprint::score {
namespace {

// Copies of some rows, because the kernel needs them next to each other.
class RowCopies {
 public:
  VectorRows rows(const VectorRows& from, const std::vector<std::uint32_t>& which) {
    const std::size_t bytes = from.dim * vector_type_bytes(from.type);
    values_.resize(which.size() * bytes);
    for (std::size_t i = 0; i < which.size(); ++i) {
      fetch(from.row(which[std::min(i + kAhead, which.size() - 1)]), bytes);
      std::copy_n(from.row(which[i]), bytes, values_.data() + i * bytes);
    }
    return {from.type, values_.data(), nullptr, which.size(), from.dim};
  }

 private:
  static constexpr std::size_t kAhead = 6;

  // Prefetches a row. The rows are far apart, so a processor cannot guess where the next one is.
  static void fetch(const std::uint8_t* row, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(row + i);
  }

  std::vector<std::uint8_t> values_;
};

}  // namespace

// The k-th best score so far, which a page must reach to matter. Safe from several threads.
class ExactMaxSim::Bar {
 public:
  explicit Bar(std::size_t k) : best_(k) {}

  // May be slightly too low while another thread adds a score: then a page too many is scored
  // exactly.
  double height() const { return height_.load(std::memory_order_relaxed); }
  void add(float score) {
    if (std::isnan(score)) return;
    const std::lock_guard lock(mutex_);
    best_.add(static_cast<double>(score));
    height_.store(best_.least(), std::memory_order_relaxed);
  }

 private:
  std::mutex mutex_;
  KBest best_;
  std::atomic<double> height_ = -std::numeric_limits<double>::infinity();
};

ExactMaxSim::ExactMaxSim(const Matrix& query, std::size_t k)
    : query_(query), bar_(std::make_unique<Bar>(k)) {}

ExactMaxSim::~ExactMaxSim() = default;

void ExactMaxSim::score(const VectorBags& codes, std::span<const float> errors,
                        const VectorBags& exact, float* scores) {
  const CodeKernel* kernel = kernels().max_sim_codes.find();
  // Without a fast kernel for codes, the exact scores are cheaper.
  if (kernel == nullptr) return max_sim(query_, exact, scores);
  CodeScan rough(*kernel, query_);
  MaxSimScan fine(query_);
  RowCopies copies;
  for (std::uint32_t p = 0; p < codes.pages(); ++p) {
    const VectorRows rows = exact.page(p);
    const double bound = rough.bound(codes.page(p), errors[p]);
    // A NaN bound is not below the bar, so a page of which nothing is known is scored exactly.
    if (bound < bar_->height()) {
      scores[p] = rough.estimate();
      continue;
    }
    scores[p] = std::isfinite(bound) ? fine.score(copies.rows(rows, rough.rows_that_matter()))
                                     : fine.score(rows);
    bar_->add(scores[p]);
  }
}

}  // namespace fineprint::score
