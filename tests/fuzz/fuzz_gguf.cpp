// Feeds any bytes to the reader of GGUF files: they must open and be readable to the last byte, and
// to the last block's values, or be refused with Error(model).
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <variant>

#include "fineprint/core/error.h"
#include "fineprint/tensorfile/gguf.h"

#include "support/temp_dir.h"

using fineprint::tensorfile::GgufReader;
using fineprint::tensorfile::GgufValue;
using fineprint::tensorfile::TensorView;

namespace {

// Keeps the sums below from being optimised away.
volatile std::uint64_t gguf_sink = 0;

std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return sum;
}

std::uint64_t sum_of(const GgufValue& value) {
  return std::visit(
      [](const auto& held) -> std::uint64_t {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string_view>) {
          return sum_of(held);
        } else if constexpr (std::is_same_v<Held, std::vector<std::string_view>>) {
          std::uint64_t sum = 0;
          for (const std::string_view text : held) sum += sum_of(text);
          return sum;
        } else if constexpr (std::is_arithmetic_v<Held>) {
          return 1;
        } else {
          return held.size();
        }
      },
      value);
}

void read_tensor(const TensorView& view) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : view.shape) elements *= extent;
  if (elements != view.element_count()) std::abort();
  std::uint64_t sum = 0;
  for (const std::uint8_t byte : view.bytes) sum += byte;
  if (view.blocks) {
    std::vector<float> values(static_cast<std::size_t>(elements));
    fineprint::tensorfile::widen(*view.blocks, view.bytes, values);
    sum += values.size();
  }
  gguf_sink = gguf_sink + sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir dir;
  const std::string path = dir.write("a.gguf", {reinterpret_cast<const char*>(data), size});
  try {
    const GgufReader reader(path);
    for (const auto& [key, value] : reader.metadata()) gguf_sink = gguf_sink + sum_of(value);
    for (const auto& [name, view] : reader.tensors()) read_tensor(view);
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::model) std::abort();
  }
  return 0;
}
