// Memory that a worker and its program share for one picture at a time: a page has megabytes, which
// a socket would copy eight times.
#pragma once

#include <cstddef>
#include <cstdint>

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

// The program's end. The two ends take turns: a worker draws a picture and says so, its program
// takes it out before it asks for another.
class PictureRoom {
 public:
  // A new, empty room. Throws Error(internal) when the system has none to give.
  PictureRoom();
  ~PictureRoom();
  PictureRoom(const PictureRoom&) = delete;
  PictureRoom& operator=(const PictureRoom&) = delete;

  int descriptor() const { return descriptor_; }

  // Throws Error(damaged) when there is less in the room than a picture of this size has. A large
  // picture's memory is given back to the system.
  Image take(const PictureSize& size);

 private:
  int descriptor_ = -1;
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

  // Memory to draw a picture of this size into, good until the next call. Throws
  // Error(out_of_memory).
  std::uint8_t* open(const PictureSize& size);

 private:
  void map(std::size_t bytes);

  int descriptor_;
  std::uint8_t* pixels_ = nullptr;
  std::size_t mapped_ = 0;  // bytes
};

}  // namespace fineprint::documents
