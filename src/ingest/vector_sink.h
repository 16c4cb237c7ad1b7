// Collects the vectors of one set and stores them in parts.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// Stores vectors in batches, because each batch becomes a file. Thread-safe.
class VectorSink {
 public:
  VectorSink(store::Store& store, const store::VectorSet& set) : store_(store), set_(set) {}

  // Adds the vectors of one unit, and pools them if the set says so. Throws Error(model) if they do
  // not have the shape of the set.
  void add(std::int64_t document, std::uint32_t unit, const Matrix& vectors);
  // Stores the pending vectors if they have waited for 5 seconds or has more than 64 MB. Of a
  // sparse set, the last document waits until another one follows or flush() is called.
  void flush_if_due();
  // Stores everything that is pending. Call it at the end.
  void flush();
  // Returns the number of units that were stored.
  std::int64_t stored() const;

 private:
  // Stores all parts but the last `kept` ones.
  void put_pending(std::unique_lock<std::mutex> lock, std::size_t kept);

  store::Store& store_;
  const store::VectorSet& set_;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<store::NewVectors> pending_;
  std::size_t pending_bytes_ = 0;
  std::chrono::steady_clock::time_point oldest_;
  std::int64_t stored_ = 0;
  int flushes_ = 0;
};

}  // namespace fineprint::ingest
