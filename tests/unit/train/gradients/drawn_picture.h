// A picture that no processor of the Qwen2-VL line resizes; see
// scripts/golden/make_training_pages.py.
#pragma once

#include <string>

#include "fineprint/core/image.h"

namespace fineprint::train {

// `name`: a digit.
inline Image drawn_picture(const std::string& name) {
  Image image{84, 112, 3, {}};
  image.pixels.resize(image.stride() * 112);
  const int number = name[0] - '0';
  for (int y = 0; y < image.height; ++y) {
    std::uint8_t* to = image.row(y);
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        *to++ = static_cast<std::uint8_t>((x * 7 + y * 13 + c * 50 + number * 31) % 256);
      }
    }
  }
  return image;
}

}  // namespace fineprint::train
