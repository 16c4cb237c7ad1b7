// A decoded picture in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "fineprint/core/pixels.h"

namespace fineprint {

// Rows of pixels from the top, without padding, channels interleaved: 1 is grey, 3 is RGB, 4 is
// RGBA with straight alpha. `pixels.size() == width * height * channels` always holds.
struct Image {
  // In pixels.
  int width = 0;
  int height = 0;
  int channels = 0;
  Pixels pixels;

  // Bytes of one row.
  std::size_t stride() const { return static_cast<std::size_t>(width) * channels; }
  // The first byte of row `y`, counted from 0. Not checked against `height`.
  const std::uint8_t* row(int y) const { return pixels.data() + stride() * y; }
  std::uint8_t* row(int y) { return pixels.data() + stride() * y; }
};

// A picture that several calls and threads share without copying it, because a page at full size
// takes megabytes. Immutable and never null. Copies are cheap.
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
