// Rearranges matrices of quantised folders, which stay in codes on the CPU.
#include "nets/weights/held_groups.h"

#include <algorithm>
#include <vector>

#include <ATen/ops/empty.h>

#include "nets/layers/parallel.h"
#include "nets/weights/held_blocks.h"

namespace fineprint::nets {
namespace {

constexpr std::int64_t kRun = 32;  // columns of a block of grouped4

// Packs codes of a byte each into the nibbles of grouped4.
void pair_codes(const std::uint8_t* codes, std::int64_t columns, std::uint8_t* to) {
  for (std::int64_t run = 0; run < columns; run += kRun) {
    for (std::int64_t i = 0; i < kRun / 2; ++i) {
      *to++ = static_cast<std::uint8_t>(codes[run + i] | codes[run + kRun / 2 + i] << 4);
    }
  }
}

}  // namespace

bool may_stay_in_groups(const tensorfile::CodedMatrix& coded) {
  return may_stay_in_blocks(coded.rows) && coded.columns % kRun == 0 && is_grouped(coded);
}

HeldMatrix hold_groups(const tensorfile::CodedMatrix& coded) {
  const bool nibbles = coded.bits == 4 && coded.layout != tensorfile::CodeLayout::int8;
  const std::int64_t groups = groups_of(coded), columns = coded.columns;
  const std::int64_t row_bytes = nibbles ? columns / 2 : columns;
  HeldMatrix held;
  held.codec = nibbles ? Codec::grouped4 : Codec::grouped8;
  held.values = at::empty({coded.rows, row_bytes}, at::kByte);
  held.scales = at::empty({coded.rows, groups}, at::kFloat);
  held.leasts = at::empty({coded.rows, groups}, at::kFloat);
  auto* bytes = held.values.mutable_data_ptr<std::uint8_t>();
  auto* steps = held.scales.mutable_data_ptr<float>();
  auto* leasts = held.leasts.mutable_data_ptr<float>();
  // The offset of grouped8's codes: this code's value is the least value.
  const float middle = static_cast<float>(codec_facts(*held.codec).offset);
  const std::int64_t bands = (coded.rows + tensorfile::kCodedRows - 1) / tensorfile::kCodedRows;
  parallel_loop(0, bands, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint8_t> codes;
    for (std::int64_t first = begin * tensorfile::kCodedRows;
         first < std::min(end * tensorfile::kCodedRows, coded.rows);
         first += tensorfile::kCodedRows) {
      const std::int64_t rows = std::min(tensorfile::kCodedRows, coded.rows - first);
      codes.resize(static_cast<std::size_t>(rows * columns));
      const auto scales = static_cast<std::size_t>(rows * groups);
      float* least = leasts + first * groups;
      take_rows(coded, first, {codes, {steps + first * groups, scales}, {least, scales}});
      // A folder gives zero points and steps; products need the value of code `middle`.
      for (std::size_t i = 0; i < scales; ++i) {
        least[i] = (middle - least[i]) * steps[first * groups + static_cast<std::int64_t>(i)];
      }
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::uint8_t* from = codes.data() + row * columns;
        std::uint8_t* to = bytes + (first + row) * row_bytes;
        if (nibbles) {
          pair_codes(from, columns, to);
        } else {
          std::copy_n(from, columns, to);
        }
      }
    }
  });
  return held;
}

}  // namespace fineprint::nets
