// The steps of a text encoder's layers over rows of float32, in the instructions of the processor
// at hand. Each row of a result depends on its own row of the input alone, to the last bit: not on
// the rows beside it or their number. Free of LibTorch; nothing here starts a thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nets/packed/panels.h"

namespace fineprint::nets {

// Some rows of `step` floats each.
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

// What a product does with its sums before it stores them.
struct Finish {
  const float* bias = nullptr;   // [out up to whole panels], or nullptr
  const float* added = nullptr;  // rows [out] that are added, or nullptr; may be y itself
  std::int64_t added_step = 0;
  bool gelu = false;  // after that
};

// y = x W^T, as many rows as x has. y must not be x.
struct RowsProduct {
  ConstRows x;
  const float* panels = nullptr;  // as fill_panels leaves them
  std::int64_t out = 0, in = 0;   // W's rows and columns
  Rows y;
  Finish finish;
};

// Rows as codes 0 to 255: x is about low + scale * code.
struct CodeRows {
  std::uint8_t* codes = nullptr;  // [count, step], 0 behind a row's end up to kCodesAtATime
  std::int64_t count = 0, step = 0;
  float* low = nullptr;    // [count]
  float* scale = nullptr;  // [count]
};

struct CodesProduct {
  CodeRows x;
  const CodePanels* weight = nullptr;
  Rows y;
  Finish finish;  // its bias is the weight's
};

struct RowsNorm {
  const float* weight = nullptr;  // [width]
  const float* bias = nullptr;    // [width]
  std::int64_t width = 0;
  float eps = 0;
};

// Numbers to add to rows, each chosen by its kind.
constexpr std::int64_t kBiasKinds = 16;
struct ByKind {
  const float* numbers = nullptr;       // [kBiasKinds]
  const std::uint8_t* kinds = nullptr;  // [count, step], with kBiasKinds more that can be read
  std::int64_t step = 0;
};

// What an instruction set has of its own; the caller makes sure that the processor has it.
struct RowsKernel {
  void (*multiply)(const RowsProduct& product) = nullptr;
  // Each row, of `width` values, becomes softmax(scale * row); scale is above 0. Writes behind a
  // row's end up to the next kPanel values, which belong to its step.
  void (*softmax)(const Rows& rows, std::int64_t width, float scale) = nullptr;
  // Adds to each row, of `width` values. Writes behind a row's end as softmax does.
  void (*add)(const Rows& rows, std::int64_t width, const ByKind& added) = nullptr;
  // Source: Ba et al., "Layer Normalization" (2016), equation 3. y may be x.
  void (*norm)(const ConstRows& x, const RowsNorm& norm, const Rows& y) = nullptr;
  // Codes for rows of `width` finite values. None is off by more than half its row's scale, to
  // float32 rounding.
  void (*quantise)(const ConstRows& x, std::int64_t width, const CodeRows& codes) = nullptr;
};
using CodesKernel = void (*)(const CodesProduct& product);

extern const RowsKernel kRowsPortable;
extern const CodesKernel kCodesPortable;
#if defined(__x86_64__)
extern const RowsKernel kRowsAvx2;
extern const CodesKernel kCodesAvx2;
extern const RowsKernel kRowsAvx512;
extern const CodesKernel kCodesVnni;
#endif

// The best ones that may be used.
const RowsKernel& rows_kernel();
const CodesKernel& codes_kernel();

// "avx512-vnni", "avx512", "avx2" or "portable": the best set whose kernels are in use, and all
// that this machine can run, best first.
std::string packed_kernel();
std::vector<std::string> packed_kernels();
// simd::limit_to, for tests and measurements.
bool use_packed_kernel(const std::string& name);

}  // namespace fineprint::nets
