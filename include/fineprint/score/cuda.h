// What the program and its library of scoring kernels for GPUs, opened at run time, agree upon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fineprint/core/matrix.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::score {

// File name of the library; it stands in the program's own folder.
inline constexpr const char* kCudaLibrary = "libfineprint_score_cuda.so";

// Rows in the memory of a GPU, of float32, float16, bfloat16 or int8, in pages as VectorBags has
// them. Opaque; one scan at a time, others wait.
struct DeviceRows;

// What the library can do. All functions may be called from any thread. They throw Error(internal)
// when the GPU fails in the middle of something, saying so.
struct CudaTable {
  // GPUs that this process can use; 0 without a driver.
  int (*device_count)();
  // "NVIDIA H200, 139 GiB": for people.
  std::string (*describe)(int device);

  // Memory of a device that nobody uses.
  std::size_t (*free_bytes)(int device);

  // Copies rows to a device. nullptr when its memory does not hold them. The caller releases what
  // it gets.
  DeviceRows* (*upload)(int device, const VectorBags& pages);
  void (*release)(DeviceRows* rows);

  // As the functions of the same names in dense.h, hybrid_mask.h and max_sim.h, sums in float32 in
  // another order; pages that float32 cannot judge are scored as on the CPU. `query` is [dim] and
  // `scores` [rows], all in the program's memory; for max_sim [pages].
  void (*dot_rows)(DeviceRows& rows, const float* query, float* scores);
  void (*hybrid_mask_rows)(DeviceRows& rows, const float* query, const MaskOptions& options,
                           float* scores);
  void (*max_sim)(DeviceRows& rows, const Matrix& query, float* scores);
};

// Changes when the two must not be mixed: raise the first number with any change to the types or
// functions that cross the border. The sizes catch a forgotten one.
inline constexpr std::uint64_t kCudaInterface = std::uint64_t{2} << 48 | sizeof(MaskOptions) << 24 |
                                                sizeof(CudaTable) << 8 | sizeof(VectorBags);

// The library's one exported function. Returns nullptr when `interface` is not its own
// kCudaInterface.
using CudaEntry = const CudaTable*(std::uint64_t interface);
inline constexpr const char* kCudaEntry = "fineprint_score_cuda";

}  // namespace fineprint::score
