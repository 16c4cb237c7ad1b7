// Feeds any bytes to the reader of vector segments: they must hold the rows that the catalogue
// names, all of them readable, or be refused with Error(store).
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fineprint/core/error.h"

#include "store/vectors/segments.h"
#include "support/temp_dir.h"

namespace {

using namespace fineprint::store;
using fineprint::score::VectorRows;
using fineprint::score::VectorType;

// Keeps the reads below from being optimised away.
volatile float sink = 0;

void read_rows(const VectorRows& rows) {
  std::vector<float> row(rows.dim);
  for (std::size_t i = 0; i < rows.count; ++i) {
    fineprint::score::decode_row(rows, i, row.data());
    sink = row.front();
  }
}

void read_view(const SegmentView& view) {
  read_rows(view.rows);
  if (view.exact) read_rows(*view.exact);
  for (const float error : view.errors) sink = error;
  checksum_of(view.arrays);
}

}  // namespace

// The first three bytes are the format, the rows and the numbers of a row, as a catalogue has them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  static const fineprint::testing::TempDir dir;
  VectorSet set;
  set.format.type = static_cast<VectorType>(data[0] % 4);
  set.format.keep_exact = set.format.type == VectorType::i8 && data[0] >= 128;
  set.dim = data[2] % 16 + 1U;
  SegmentRow row;
  row.id = 1;
  row.rows = data[1];
  row.file = "a.safetensors";
  dir.write(row.file, {reinterpret_cast<const char*>(data) + 3, size - 3});
  try {
    SegmentMaps maps(dir.path());
    read_view(maps.view(row, set));
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::store) std::abort();
  }
  return 0;
}
