// The steps of a text encoder's layers over rows of float32, in the processor's instructions. Each
// row of a result depends only on its own input row, to the last bit, and not on other rows or
// their number. So a text gets the same vector in every batch. Does not use LibTorch, and starts no
// threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nets/packed/panels.h"

namespace fineprint::nets {

// `count` rows whose beginnings are `step` floats apart.
struct Rows {
  float* values = nullptr;
  std::int64_t count = 0, step = 0;
};
struct ConstRows {
  const float* values = nullptr;
  std::int64_t count = 0, step = 0;

  ConstRows() = default;
  ConstRows(const float* at, std::int64_t how_many, std::int64_t apart)
      : values(at), count(how_many), step(apart) {}
  ConstRows(const Rows& rows) : values(rows.values), count(rows.count), step(rows.step) {}
};

// What a product does to its sums before it stores them, in this order.
struct Finish {
  const float* bias = nullptr;   // [out rounded up to full panels], or nullptr
  const float* added = nullptr;  // rows [out] that are added, or nullptr; may be y itself
  std::int64_t added_step = 0;
  bool gelu = false;  // applied last
};

// The product y = x W^T; y has as many rows as x and must not be x.
struct RowsProduct {
  ConstRows x;
  const float* panels = nullptr;  // laid out by fill_panels
  std::int64_t out = 0, in = 0;   // W's rows and columns
  Rows y;
  Finish finish;
};

// Rows as codes 0 to 255. A value is about low + scale * code. CodesKernel::code_bytes says how
// wide a code is.
struct CodeRows {
  void* codes = nullptr;  // [count, step]; after a row's end, 0 up to kCodesAtATime
  std::int64_t count = 0, step = 0;
  float* low = nullptr;    // [count]
  float* scale = nullptr;  // [count]
};

// The product y = x W^T of codes.
struct CodesProduct {
  CodeRows x;
  const CodePanels* weight = nullptr;
  Rows y;
  Finish finish;  // without bias: that is in `weight`
};

// The parameters of a layer norm.
struct RowsNorm {
  const float* weight = nullptr;  // [width]
  const float* bias = nullptr;    // [width]
  std::int64_t width = 0;
  float eps = 0;
};

// Numbers to add to rows; each value's kind chooses its number.
constexpr std::int64_t kBiasKinds = 16;
struct ByKind {
  const float* numbers = nullptr;       // [kBiasKinds]
  const std::uint8_t* kinds = nullptr;  // [count, step]; kBiasKinds more must be readable
  std::int64_t step = 0;
};

// The functions of one instruction set. The caller makes sure that the processor has it.
struct RowsKernel {
  void (*multiply)(const RowsProduct& product) = nullptr;
  // Replaces each row of `width` values by softmax(scale * row); scale is above 0. May write after
  // a row's end, up to the next multiple of kPanel, so `step` must leave room.
  void (*softmax)(const Rows& rows, std::int64_t width, float scale) = nullptr;
  // Adds numbers to each row of `width` values. May write after a row's end, as softmax does.
  void (*add)(const Rows& rows, std::int64_t width, const ByKind& added) = nullptr;
  // Computes layer norm. y may be x. Source: Ba et al., "Layer Normalization" (2016), equation 3.
  void (*norm)(const ConstRows& x, const RowsNorm& norm, const Rows& y) = nullptr;
};
struct CodesKernel {
  // Bytes of a code of x, 1 or 2: without VNNI, products need codes of 16 bits.
  std::int64_t code_bytes = 0;
  // Computes codes for rows of `width` finite values. No value is off by more than half the scale
  // of its row, up to the rounding of float32.
  void (*quantise)(const ConstRows& x, std::int64_t width, const CodeRows& codes) = nullptr;
  void (*multiply)(const CodesProduct& product) = nullptr;
};

extern const RowsKernel kRowsPortable;
extern const CodesKernel kCodesPortable;
#if defined(__x86_64__)
extern const RowsKernel kRowsAvx2;
extern const CodesKernel kCodesAvx2;
extern const RowsKernel kRowsAvx512;
extern const CodesKernel kCodesVnni;
#elif defined(__aarch64__)
extern const RowsKernel kRowsNeon;
extern const CodesKernel kCodesNeon;
extern const CodesKernel kCodesNeonDot;
extern const CodesKernel kCodesNeonI8mm;
#endif

// Return the best kernels that may be used; see simd::limit_to.
const RowsKernel& rows_kernel();
const CodesKernel& codes_kernel();

// Return the best instruction set whose kernels are in use, for example "avx2", and all sets that
// this machine can run, best first.
std::string packed_kernel();
std::vector<std::string> packed_kernels();
// Calls simd::limit_to; for tests and measurements.
bool use_packed_kernel(const std::string& name);

}  // namespace fineprint::nets
