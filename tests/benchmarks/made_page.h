// Page images that nobody printed: white paper with dark specks, every seed another page.
#pragma once

#include <random>

#include "fineprint/core/image.h"

namespace fineprint::testing {

inline Image made_page(int width, int height, unsigned seed) {
  Image page{.width = width, .height = height, .channels = 3, .pixels = {}};
  page.pixels.assign(page.stride() * static_cast<std::size_t>(height), 255);
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < page.pixels.size(); i += 3) {
    if (random() % 8 != 0) continue;
    const auto shade = static_cast<std::uint8_t>(random() % 128);
    page.pixels[i] = page.pixels[i + 1] = page.pixels[i + 2] = shade;
  }
  return page;
}

}  // namespace fineprint::testing
