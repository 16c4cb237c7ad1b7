// Keeps the nearest stored vectors while all vectors of the pool are multiplied with the
// question's.
#include "retrieve/nearest_rows.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "fineprint/score/dense.h"

namespace fineprint::retrieve {
namespace {

constexpr std::size_t kBlockRows = 1024;  // rows whose products are in memory at once

bool nearer(const NearRow& a, const NearRow& b) {
  return a.product > b.product || (a.product == b.product && a.unit < b.unit);
}

// The nearest rows of one query vector so far.
class Nearest {
 public:
  explicit Nearest(std::size_t count) : count_(count) {}

  // Rows with a smaller product than this need not be added.
  float least() const {
    return rows_.size() < count_ ? -std::numeric_limits<float>::infinity() : rows_.front().product;
  }
  void add(const NearRow& row) {
    if (rows_.size() == count_) {
      if (!nearer(row, rows_.front())) return;
      std::ranges::pop_heap(rows_, nearer);
      rows_.pop_back();
    }
    rows_.push_back(row);
    std::ranges::push_heap(rows_, nearer);
  }
  const std::vector<NearRow>& rows() const { return rows_; }

 private:
  std::size_t count_;
  std::vector<NearRow> rows_;  // a heap with the farthest row in front
};

// Collects the nearest rows of all pieces. Thread-safe, because pieces are searched on several
// threads.
class NearestOfPieces {
 public:
  NearestOfPieces(std::size_t queries, std::size_t count) : nearest_(queries, Nearest(count)) {}

  std::vector<float> least() const {
    const std::lock_guard lock(mutex_);
    std::vector<float> bars;
    bars.reserve(nearest_.size());
    for (const Nearest& one : nearest_) bars.push_back(one.least());
    return bars;
  }
  void add(const std::vector<Nearest>& piece) {
    const std::lock_guard lock(mutex_);
    for (std::size_t q = 0; q < nearest_.size(); ++q) {
      for (const NearRow& row : piece[q].rows()) nearest_[q].add(row);
    }
  }
  std::vector<std::vector<NearRow>> take() const {
    std::vector<std::vector<NearRow>> rows;
    rows.reserve(nearest_.size());
    for (const Nearest& one : nearest_) rows.push_back(one.rows());
    return rows;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Nearest> nearest_;
};

// Returns the unit that owns a row: the last unit that begins at or before it, because units before
// it with the same beginning are empty.
UnitId unit_of(const session::VectorPart& part, std::size_t row) {
  const auto after = std::ranges::upper_bound(part.first_row, row);
  return part.first_unit + static_cast<std::uint32_t>(after - part.first_row.begin() - 1);
}

// `bars`: products below these cannot be among the nearest of the whole pool.
void add_block(const Matrix& query, const session::VectorPart& part, std::size_t first,
               std::size_t rows, const std::vector<float>& bars, std::vector<Nearest>* nearest) {
  std::vector<float> products(query.rows * rows);
  score::dot_rows_many(query.values.data(), query.rows, part.rows.slice(first, rows),
                       products.data());
  for (std::size_t q = 0; q < query.rows; ++q) {
    Nearest& own = (*nearest)[q];
    for (std::size_t r = 0; r < rows; ++r) {
      const float product = products[q * rows + r];
      if (product >= own.least() && product >= bars[q]) {
        own.add({product, unit_of(part, first + r)});
      }
    }
  }
}

}  // namespace

std::vector<std::vector<NearRow>> nearest_rows(const VectorScan& scan, const Matrix& query,
                                               std::size_t count) {
  NearestOfPieces joined(query.rows, count);
  scan.each([&](const session::VectorPart& part, std::uint32_t first, std::uint32_t units) {
    std::vector<Nearest> nearest(query.rows, Nearest(count));
    // The bars are read once for each piece: stale ones are only lower and so still correct, and
    // this way the lock is taken twice per piece.
    const std::vector<float> bars = joined.least();
    const std::size_t end = part.first_row[first + units];
    for (std::size_t row = part.first_row[first]; row < end; row += kBlockRows) {
      add_block(query, part, row, std::min(kBlockRows, end - row), bars, &nearest);
    }
    joined.add(nearest);
  });
  return joined.take();
}

}  // namespace fineprint::retrieve
