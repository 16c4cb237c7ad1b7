// Resizes images to one fixed size (SigLIP, PaliGemma).
#include "preprocess/square_processor.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

#include "preprocess/image_processor_norm.h"

namespace fineprint::preprocess {
namespace {

constexpr int kMaxSquareSide = 1 << 14;  // limits what a configuration file can make us allocate

}  // namespace

PixelInput plan_square(const SquareProcessor& processor) {
  if (std::min({processor.width, processor.height, processor.tokens}) < 1 ||
      std::max(processor.width, processor.height) > kMaxSquareSide) {
    throw Error(ErrorCode::model,
                format("preprocessor_config.json: cannot use images of {} x {} pixels and {} "
                       "tokens",
                       processor.width, processor.height, processor.tokens));
  }
  PixelInput input;
  input.shape = {1, 3, processor.height, processor.width};
  input.tokens = processor.tokens;
  input.width = processor.width;
  input.height = processor.height;
  return input;
}

PixelInput process_square(const SquareProcessor& processor, const Image& image) {
  PixelInput input = plan_square(processor);
  const Image resized = image::resample(
      image::to_rgb(image, image::Alpha::on_white), processor.width, processor.height,
      processor.bilinear ? image::Filter::bilinear : image::Filter::bicubic,
      image::Arithmetic::pillow);
  // SquareProcessor follows Pillow's arithmetic, which rounds differently from torchvision's.
  input.values.resize(resized.pixels.size());
  fill_planes({processor.norm, NormSteps::folded}, resized, input.values);
  return input;
}

}  // namespace fineprint::preprocess
