// Converts 8-bit values to the numbers that a tower was trained on.
#include "preprocess/image_processor_norm.h"

#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::preprocess {

NormTable::NormTable(const PixelNorm& norm, NormSteps steps) {
  // Which of the two orders a reference uses decides the last bit of each value; see NormSteps.
  for (std::size_t c = 0; c < 3; ++c) {
    const float scale = steps == NormSteps::folded ? 255.0F : 1.0F;
    const float mean = norm.mean[c] * scale;
    const float deviation = norm.deviation[c] * scale;
    if (!std::isfinite(mean) || !std::isfinite(1 / deviation)) {
      throw Error(ErrorCode::model,
                  format("preprocessor_config.json: image_mean {} and image_std {} cannot be used",
                         norm.mean[c], norm.deviation[c]));
    }
    // 256 values for each channel replace a division for each pixel.
    for (std::size_t v = 0; v < 256; ++v) {
      const float value = static_cast<float>(v) / (255.0F / scale);
      values_[c][v] = (value - mean) / deviation;
    }
  }
}

void fill_planes(const NormTable& table, const Image& rgb, std::span<float> planes) {
  const std::size_t plane = rgb.pixels.size() / 3;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::array<float, 256>& values = table.of(c);
    float* out = planes.data() + c * plane;
    for (std::size_t i = 0; i < plane; ++i) out[i] = values[rgb.pixels[i * 3 + c]];
  }
}

}  // namespace fineprint::preprocess
