// Widens stored weights to float32.
#include "nets/texts/plain_values.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "fineprint/tensorfile/block_layouts.h"
#include "fineprint/tensorfile/coded.h"

namespace fineprint::nets {
namespace {

std::vector<float> widened_codes(const tensorfile::CodedMatrix& coded) {
  std::vector<float> values(static_cast<std::size_t>(coded.rows * coded.columns));
  for (std::int64_t first = 0; first < coded.rows; first += tensorfile::kCodedRows) {
    const std::int64_t rows = std::min(tensorfile::kCodedRows, coded.rows - first);
    tensorfile::widen(coded, first,
                      std::span(values).subspan(static_cast<std::size_t>(first * coded.columns),
                                                static_cast<std::size_t>(rows * coded.columns)));
  }
  return values;
}

}  // namespace

std::optional<std::vector<float>> widened_values(const models::Weight& weight) {
  const tensorfile::TensorView& view = *weight.view;
  if (view.blocks || view.turned || !weight.changes.empty() || weight.interleaved_heads != 0) {
    return std::nullopt;
  }
  if (view.coded) return widened_codes(*view.coded);
  std::vector<float> values(static_cast<std::size_t>(view.element_count()));
  if (view.dtype == tensorfile::Dtype::f32) {
    std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  } else if (view.dtype == tensorfile::Dtype::f16) {
    const std::uint8_t* half = view.bytes.data();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensorfile::half_at(half + 2 * i);
  } else {
    return std::nullopt;
  }
  return values;
}

}  // namespace fineprint::nets
