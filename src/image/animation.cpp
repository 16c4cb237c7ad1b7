// Walks over the blocks of a GIF file and the chunks of a PNG file.
#include "fineprint/image/animation.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fineprint::image {
namespace {

// Reads forward and stays at the end once it gets there.
class Walk {
 public:
  explicit Walk(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ >= bytes_.size(); }
  unsigned byte() { return at_end() ? 0U : bytes_[at_++]; }
  std::size_t number() {  // four bytes, the highest first
    std::size_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | byte();
    return value;
  }
  std::string_view text(std::size_t count) {
    const std::size_t most = std::min(count, bytes_.size() - at_);
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
    at_ += most;
    return {begin, most};
  }
  void skip(std::size_t count) { at_ += std::min(count, bytes_.size() - at_); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

void skip_colours(unsigned flags, Walk* walk) {
  constexpr unsigned kHasTable = 0x80, kSize = 0x07;
  if ((flags & kHasTable) != 0) walk->skip(std::size_t{3} << ((flags & kSize) + 1));
}

void skip_blocks(Walk* walk) {
  while (const unsigned size = walk->byte()) walk->skip(size);
}

bool has_frames(Walk gif) {
  constexpr unsigned kExtension = 0x21, kFrame = 0x2C;
  gif.skip(4);  // the size
  const unsigned flags = gif.byte();
  gif.skip(2);
  skip_colours(flags, &gif);
  for (int frames = 0; !gif.at_end();) {
    const unsigned kind = gif.byte();
    if (kind == kExtension) {
      gif.skip(1);
    } else if (kind == kFrame) {
      if (++frames > 1) return true;
      gif.skip(8);  // place and size
      skip_colours(gif.byte(), &gif);
      gif.skip(1);
    } else {
      return false;
    }
    skip_blocks(&gif);
  }
  return false;
}

// The chunk that says how many frames there are comes before the first picture.
bool has_frame_count(Walk png) {
  while (!png.at_end()) {
    const std::size_t size = png.number();
    const std::string_view kind = png.text(4);
    if (kind == "acTL") return png.number() > 1;
    if (kind == "IDAT") return false;
    png.skip(size);
    png.skip(4);  // the checksum
  }
  return false;
}

}  // namespace

bool is_animation(std::span<const std::uint8_t> bytes) {
  Walk walk(bytes);
  const std::string_view head = walk.text(6);
  if (head == "GIF87a" || head == "GIF89a") return has_frames(walk);
  if (head != std::string_view("\x89PNG\r\n", 6)) return false;
  walk.skip(2);
  return has_frame_count(walk);
}

}  // namespace fineprint::image
