// Collects the vectors of one set and stores them in parts.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// Safe from several threads.
class VectorSink {
 public:
  VectorSink(store::Store& store, const store::VectorSet& set) : store_(store), set_(set) {}

  // The vectors of one unit, pooled here as the set asks. Throws Error(model) when they are not of
  // the set's shape.
  void add(std::int64_t document, std::uint32_t unit, const Matrix& vectors);
  // Stores what has waited for 5 seconds, or when it is more than 64 MB.
  void flush_if_due();
  void flush();
  // Units that were stored.
  std::int64_t stored() const;

 private:
  void put_pending(std::unique_lock<std::mutex> lock);

  store::Store& store_;
  const store::VectorSet& set_;
  mutable std::mutex mutex_;  // guards all below
  std::vector<store::NewVectors> pending_;
  std::size_t pending_bytes_ = 0;
  std::chrono::steady_clock::time_point oldest_;
  std::int64_t stored_ = 0;
  int flushes_ = 0;
};

}  // namespace fineprint::ingest
