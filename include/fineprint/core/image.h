// A decoded picture in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "fineprint/core/pixels.h"

namespace fineprint {

// Rows from the top, no padding, channels interleaved: 1 = grey, 3 = RGB, 4 = RGBA (straight
// alpha). `pixels.size() == width * height * channels`.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 0;
  Pixels pixels;

  std::size_t stride() const { return static_cast<std::size_t>(width) * channels; }
  const std::uint8_t* row(int y) const { return pixels.data() + stride() * y; }
  std::uint8_t* row(int y) { return pixels.data() + stride() * y; }
};

// A picture that several calls and threads hold at once without copying it: a page at full size has
// megabytes. Never empty.
class SharedImage {
 public:
  SharedImage(Image image) : image_(std::make_shared<const Image>(std::move(image))) {}
  explicit SharedImage(std::shared_ptr<const Image> image) : image_(std::move(image)) {}

  const Image& operator*() const { return *image_; }
  const Image* operator->() const { return image_.get(); }
  operator const Image&() const { return *image_; }

 private:
  std::shared_ptr<const Image> image_;
};

}  // namespace fineprint
