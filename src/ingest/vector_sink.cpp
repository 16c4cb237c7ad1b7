// Collects the vectors of one set and stores them in parts.
#include "ingest/vector_sink.h"

#include <iterator>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/token_pooling.h"

namespace fineprint::ingest {

namespace {

using Clock = std::chrono::steady_clock;

// A killed run loses this much (or one call of the encoder, if that takes longer). Storing each
// document separately would make thousands of files, each of which is synced to disk.
constexpr std::chrono::seconds kLongestWait{5};
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr int kFlushesACompaction = 64;  // about every five minutes

void check_shape(const Matrix& vectors, const store::VectorSet& set) {
  const std::size_t columns = store::is_sparse(set) ? store::kSparseColumns : set.dim;
  if (vectors.cols == columns && (set.many_vectors || vectors.rows == 1)) return;
  throw Error(ErrorCode::model,
              fineprint::format("the model {} gave {} vectors of {} values for one {}, which the "
                                "vector set \"{}\" cannot hold",
                                set.model, vectors.rows, vectors.cols, store::unit_name(set.unit),
                                set.name));
}

bool continues(const store::NewVectors& part, std::int64_t document, std::uint32_t unit) {
  return part.document == document && part.first_unit + part.units == unit;
}

void append_vectors(const Matrix& vectors, bool many, store::NewVectors* part) {
  ++part->units;
  if (many) part->rows_of_unit.push_back(static_cast<std::uint32_t>(vectors.rows));
  part->rows.rows += vectors.rows;
  part->rows.values.insert(part->rows.values.end(), vectors.values.begin(), vectors.values.end());
}

}  // namespace

void VectorSink::add(std::int64_t document, std::uint32_t unit, const Matrix& vectors) {
  check_shape(vectors, set_);
  // Pools before locking, because pooling takes time.
  const bool pooled = set_.pool_factor > 1;
  const Matrix fewer = pooled ? score::pool_tokens(vectors, set_.pool_factor) : Matrix{};
  const std::lock_guard lock(mutex_);
  if (pending_.empty()) oldest_ = Clock::now();
  if (pending_.empty() || !continues(pending_.back(), document, unit)) {
    pending_.push_back({.document = document,
                        .first_unit = unit,
                        .units = 0,
                        .rows_of_unit = {},
                        .rows = {.rows = 0, .cols = vectors.cols, .values = {}}});
  }
  const Matrix& kept = pooled ? fewer : vectors;
  append_vectors(kept, set_.many_vectors, &pending_.back());
  pending_bytes_ += kept.values.size() * sizeof(float);
}

void VectorSink::flush_if_due() {
  std::unique_lock lock(mutex_);
  const bool due =
      !pending_.empty() && (pending_bytes_ >= kMostBytes || Clock::now() - oldest_ >= kLongestWait);
  // More units of the last document may follow, and sparse vectors are stored by whole documents.
  if (due) put_pending(std::move(lock), store::is_sparse(set_) ? 1 : 0);
}

void VectorSink::flush() { put_pending(std::unique_lock(mutex_), 0); }

std::int64_t VectorSink::stored() const {
  const std::lock_guard lock(mutex_);
  return stored_;
}

// Unlocks while storing, because the store has its own lock and other threads may add meanwhile.
void VectorSink::put_pending(std::unique_lock<std::mutex> lock, std::size_t kept) {
  std::vector<store::NewVectors> parts = std::exchange(pending_, {});
  if (parts.size() <= kept) {
    pending_ = std::move(parts);
    return;
  }
  pending_.assign(std::make_move_iterator(parts.end() - static_cast<std::ptrdiff_t>(kept)),
                  std::make_move_iterator(parts.end()));
  parts.resize(parts.size() - kept);
  pending_bytes_ = 0;
  for (const store::NewVectors& part : pending_) {
    pending_bytes_ += part.rows.values.size() * sizeof(float);
  }
  oldest_ = Clock::now();
  const bool compact = ++flushes_ % kFlushesACompaction == 0;
  lock.unlock();
  store_.put_vectors(set_.name, parts);
  lock.lock();
  for (const store::NewVectors& part : parts) stored_ += part.units;
  lock.unlock();
  if (compact) store_.compact();
}

}  // namespace fineprint::ingest
