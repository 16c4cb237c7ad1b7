// How large the pages of transcript tests are: small, and of another size in each tier, so that a
// picture tells the tier that it was made at.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/image.h"

namespace fineprint::testing {

// Ten lines of sixty typed characters.
inline constexpr float kCasePageWidth = 360, kCasePageHeight = 120;  // points

struct CaseTierSize {
  std::string_view tier;
  int width = 0, height = 0;  // pixels
};

// At 72, 144 and 200 dpi; `low` is enlarged to its floor of 200,704 pixels.
inline constexpr CaseTierSize kCaseTierSizes[] = {
    {"thumb", 360, 120}, {"low", 776, 259}, {"page", 720, 240}, {"fine", 1000, 333}};

// "page", or "300x100" for a picture that is no whole page.
inline std::string case_size(const Image& image) {
  for (const CaseTierSize& size : kCaseTierSizes) {
    if (size.width == image.width && size.height == image.height) return std::string(size.tier);
  }
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

}  // namespace fineprint::testing
