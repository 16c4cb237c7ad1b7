// Converts 8-bit values to the numbers that a tower was trained on.
#pragma once

#include <array>
#include <span>

#include "fineprint/core/image.h"
#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

// The order in which a reference implementation rescales and normalises. It decides the last bit.
enum class NormSteps {
  folded,  // (value - 255 mean) / (255 deviation)
  apart,   // (value / 255 - mean) / deviation
};

// The normalised number of each 8-bit value, for each channel. Throws Error(model) if a mean is not
// finite, or if dividing by a deviation does not give a finite number.
class NormTable {
 public:
  NormTable(const PixelNorm& norm, NormSteps steps);
  const std::array<float, 256>& of(std::size_t channel) const { return values_[channel]; }

 private:
  std::array<std::array<float, 256>, 3> values_{};
};

// Writes RGB pixels as planes [3, height, width].
void fill_planes(const NormTable& table, const Image& rgb, std::span<float> planes);

}  // namespace fineprint::preprocess
