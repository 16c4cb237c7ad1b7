// Memory that a worker shares with its program for pictures, because the pixels of a page are
// megabytes, which a socket would copy eight times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "fineprint/core/image.h"

namespace fineprint::documents {

// The size of a picture that a worker has drawn into its room. Sides are in pixels.
struct PictureSize {
  int width = 0;
  int height = 0;
  int channels = 0;
  // Returns the number of bytes of the pixels, without padding.
  std::size_t bytes() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
           static_cast<std::size_t>(channels);
  }
};

// A room has this many places for one picture each. Every place is as large as the largest picture,
// but only drawn pictures take memory. The first place (0) is always free between two tasks.
inline constexpr int kPicturePlaces = 3;

// The program's side of the shared memory. The two sides take turns: the worker draws a picture and
// reports it, and the program takes the picture out before it asks for another.
class PictureRoom {
 public:
  // Makes a new, empty room. Throws Error(internal) if the system cannot provide the memory.
  PictureRoom();

  // Returns the file descriptor to pass to the worker. The room owns it.
  int descriptor() const;

  // Returns the place for the next picture: one that no picture taken out earlier still uses.
  int free_place() const;

  // Returns the picture in a free place without copying it. The place is free again when the last
  // user releases the picture's pixels; these may outlive the room and the worker. A picture in the
  // first place is copied. The memory of a large picture goes back to the system afterwards. Throws
  // Error(damaged) if no picture of this size was drawn there.
  Image take(int place, const PictureSize& size);

 private:
  struct Memory;
  std::shared_ptr<Memory> memory_;
};

// The worker's side of the room, whose descriptor it inherits.
class PictureDesk {
 public:
  // The file descriptor under which a worker finds its room.
  static constexpr int kDescriptor = 3;

  explicit PictureDesk(int descriptor = kDescriptor) : descriptor_(descriptor) {}
  ~PictureDesk();
  PictureDesk(const PictureDesk&) = delete;
  PictureDesk& operator=(const PictureDesk&) = delete;

  // Returns memory for a picture of this size. It is valid until the next call for the same place.
  // Throws Error(out_of_memory) if there is no room for it.
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
