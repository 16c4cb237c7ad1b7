// Feeds any bytes to the reader of pictures: a picture within the limit that comes back equal from
// a PNG, or an Error that says why not. What recognises animations must read within the bytes.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/image/animation.h"
#include "fineprint/image/codec.h"

namespace {

constexpr std::int64_t kMaxPixels = 1 << 18;

void check(const fineprint::Image& image) {
  const std::int64_t pixels = std::int64_t{image.width} * image.height;
  if (image.width < 1 || image.height < 1 || pixels > kMaxPixels) std::abort();
  if (image.pixels.size() != static_cast<std::size_t>(pixels * image.channels)) std::abort();
  const std::vector<std::uint8_t> png = fineprint::image::encode_png(image);
  if (fineprint::image::decode(png, "again").pixels != image.pixels) std::abort();
}

bool is_of_a_file(fineprint::ErrorCode code) {
  using enum fineprint::ErrorCode;
  return code == damaged || code == unsupported || code == too_large;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fineprint::image::is_animation({data, size});
  try {
    check(fineprint::image::decode({data, size}, "picture", kMaxPixels));
  } catch (const fineprint::Error& error) {
    if (!is_of_a_file(error.code())) std::abort();
  }
  return 0;
}
