// Feeds any bytes to the reader of safetensors files: they must open and be readable to the last
// byte, or be refused with Error(model).
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/tensorfile/safetensors.h"

#include "support/temp_dir.h"

using fineprint::tensorfile::SafetensorsReader;

namespace {

// Keeps the sums below from being optimised away.
volatile std::uint64_t sink = 0;

void read_everything(const std::string& path) {
  const SafetensorsReader reader(path);
  std::uint64_t sum = reader.metadata().size();
  for (const auto& [name, view] : reader.tensors()) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : view.shape) elements *= extent;
    if (elements != view.element_count() || name != view.name) std::abort();
    for (const std::uint8_t byte : view.bytes) sum += byte;
    fineprint::tensorfile::release(view);
  }
  sink = sink + sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir dir;
  const std::string path = dir.write("a.safetensors", {reinterpret_cast<const char*>(data), size});
  try {
    read_everything(path);
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::model) std::abort();
  }
  return 0;
}
