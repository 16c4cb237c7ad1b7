// Keeps vectors of vector sets in the memory of a GPU while a session lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "fineprint/models/device.h"
#include "fineprint/score/cuda.h"
#include "fineprint/session/vectors.h"

namespace fineprint::session {

// Consecutive parts of a view that were copied to the GPU together: [first_part, first_part +
// parts).
struct GpuSlab {
  std::size_t first_part = 0;
  // Number of parts, and of units and rows in them.
  std::size_t parts = 0;
  std::size_t units = 0;
  std::size_t rows = 0;
  score::DeviceRows* on_gpu = nullptr;  // the copy in GPU memory
};

// The first parts of a vector set, as many as the GPU had room for. Immutable; safe from several
// threads.
class GpuSet {
 public:
  // Copies rows of the view in their stored format (the codes, if it has codes and originals), up
  // to `most_bytes`. Warns if not all parts fit. Throws Error(internal) if the GPU fails.
  GpuSet(const score::CudaTable& table, int device, const VectorView& view, std::size_t most_bytes);
  ~GpuSet();
  // Not copyable, because it owns memory of the GPU.
  GpuSet(const GpuSet&) = delete;
  GpuSet& operator=(const GpuSet&) = delete;

  // Returns the functions that can scan the slabs.
  const score::CudaTable& table() const { return table_; }
  // Returns the copies, ordered by their first part.
  const std::vector<GpuSlab>& slabs() const { return slabs_; }
  // Returns how many parts of the view are on the GPU: parts [0, parts()).
  std::size_t parts() const;
  // Returns the bytes that all slabs take.
  std::size_t bytes() const { return bytes_; }

 private:
  // Copies the next parts. Returns false if nothing more fits or there are no more parts.
  bool add_slab(const VectorView& view, int device, std::size_t most_bytes);

  // Must stay open while the copies exist.
  const score::CudaTable& table_;
  std::vector<GpuSlab> slabs_;
  std::size_t bytes_ = 0;
};

// Decides which vector sets to keep on the GPU. With `device` "cuda" a set is copied when it is
// first scanned. With "auto" it is copied after the session has scanned it a few times, because for
// one question the copying costs more than it gains. With "cpu", or without a GPU, nothing is
// copied. All sets together take at most half of the memory that is free when the first one is
// copied, so that networks have room.
class GpuVectors {
 public:
  // `table` may be nullptr. Then the library next to the program is opened when it is first needed.
  GpuVectors(const models::DeviceOptions& options, const score::CudaTable* table);
  ~GpuVectors();

  // Call this once for each scan of the view, because it counts scans. Returns nullptr if the CPU
  // should scan.
  const GpuSet* for_scan(const VectorView& view) const;

 private:
  // Looks for the library and the GPU at the first call.
  bool has_gpu() const;

  // The scans of one view so far, and its copy in the memory of the GPU.
  struct Asked {
    int scans = 0;
    std::unique_ptr<const GpuSet> set;
  };
  int device_ = -1;       // number of the GPU; -1: use none
  int scans_before_ = 0;  // scans of a set by the CPU before it is copied
  mutable std::mutex mutex_;
  mutable const score::CudaTable* table_ = nullptr;
  mutable bool looked_ = false;   // true once the library and the GPU were looked for
  mutable std::size_t room_ = 0;  // bytes that further sets may take
  // By address, because a session keeps its views.
  mutable std::map<const VectorView*, Asked> asked_;
};

}  // namespace fineprint::session
