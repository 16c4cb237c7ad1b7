// The interface between the program and its library of GPU scoring kernels, which it opens at run
// time so that it starts on machines without a GPU driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fineprint/core/matrix.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::score {

// File name of the library, which is in the program's own folder.
inline constexpr const char* kCudaLibrary = "libfineprint_score_cuda.so";

// Rows in the memory of a GPU, of float32, float16, bfloat16 or int8, grouped into pages like
// VectorBags. Opaque. Only one scan runs at a time; others wait.
struct DeviceRows;

// The functions of the library. All may be called from any thread. They throw Error(internal) with
// the reason if the GPU fails.
struct CudaTable {
  // Returns the number of GPUs that this process can use; 0 without a driver.
  int (*device_count)();
  // Returns a description for people: for example "NVIDIA H200, 139 GiB".
  std::string (*describe)(int device);

  // Returns the free memory of a device, in bytes.
  std::size_t (*free_bytes)(int device);

  // Copies rows to a device. Returns nullptr if its memory is too small. The caller must release
  // the result.
  DeviceRows* (*upload)(int device, const VectorBags& pages);
  void (*release)(DeviceRows* rows);

  // Compute what the functions of the same names in dense.h, hybrid_mask.h and max_sim.h compute.
  // Sums are in float32, in another order. Pages for which float32 is too coarse are scored on the
  // CPU. `query` is [dim] and `scores` [rows], for max_sim [pages]; both are in the program's
  // memory.
  void (*dot_rows)(DeviceRows& rows, const float* query, float* scores);
  void (*hybrid_mask_rows)(DeviceRows& rows, const float* query, const MaskOptions& options,
                           float* scores);
  void (*max_sim)(DeviceRows& rows, const Matrix& query, float* scores);
};

// Version of the interface: program and library must agree on it. Increase the first number with
// every change to a type or function of the interface. The sizes catch most changes that forget it.
inline constexpr std::uint64_t kCudaInterface = std::uint64_t{2} << 48 | sizeof(MaskOptions) << 24 |
                                                sizeof(CudaTable) << 8 | sizeof(VectorBags);

// The only function that the library exports. Returns nullptr if `interface` differs from the
// library's own kCudaInterface.
using CudaEntry = const CudaTable*(std::uint64_t interface);
inline constexpr const char* kCudaEntry = "fineprint_score_cuda";

}  // namespace fineprint::score
