// Memory that a worker and its program share for pictures: a page has megabytes, which a socket
// would copy eight times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "fineprint/core/image.h"

namespace fineprint::documents {

// What a worker says of the picture that it has put into its room.
struct PictureSize {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::size_t bytes() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
           static_cast<std::size_t>(channels);
  }
};

// A room has places for one picture each, all as large as the largest picture: memory is taken for
// what is drawn only. The first place is always free between two tasks.
inline constexpr int kPicturePlaces = 3;

// The program's end. The two ends take turns: a worker draws a picture and says so, its program
// takes it out before it asks for another.
class PictureRoom {
 public:
  // A new, empty room. Throws Error(internal) when the system has none to give.
  PictureRoom();

  int descriptor() const;

  // Where the next picture is to be drawn: a place that no picture taken out before still uses.
  int free_place() const;

  // The picture in a free place, without copying it: the place is free again when the picture's
  // pixels are let go, which may be after the end of room and worker. From the first place it is
  // copied. Throws Error(damaged) when no picture as large was ever drawn there. A large picture's
  // memory goes back to the system.
  Image take(int place, const PictureSize& size);

 private:
  struct Memory;
  std::shared_ptr<Memory> memory_;
};

// A worker's end of the room that it inherits.
class PictureDesk {
 public:
  // The descriptor under which a worker finds its room.
  static constexpr int kDescriptor = 3;

  explicit PictureDesk(int descriptor = kDescriptor) : descriptor_(descriptor) {}
  ~PictureDesk();
  PictureDesk(const PictureDesk&) = delete;
  PictureDesk& operator=(const PictureDesk&) = delete;

  // Memory to draw a picture of this size into, good until the next call for this place. Throws
  // Error(out_of_memory).
  std::uint8_t* open(int place, const PictureSize& size);

 private:
  struct Mapping {
    std::uint8_t* pixels = nullptr;
    std::size_t bytes = 0;
  };

  int descriptor_;
  std::array<Mapping, kPicturePlaces> places_;
};

}  // namespace fineprint::documents
