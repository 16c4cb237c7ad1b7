// The room is a file in memory without a name. The worker draws into a mapping of it; the program
// only reads it: a worker gone wrong may shorten it at any moment, which would kill a program that
// looks at a mapping.
#include "documents/picture_room.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::documents {
namespace {

// A room larger than for a usual page at 300 dpi is not kept for the next picture.
constexpr std::size_t kKeptBytes = std::size_t{32} << 20;

}  // namespace

PictureRoom::PictureRoom() {
  const int made = memfd_create("fineprint-picture", MFD_CLOEXEC);
  if (made >= 0) {
    // Above what a worker is started with, so that nothing takes its place before it is passed on.
    descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, PictureDesk::kDescriptor + 1);
    close(made);
  }
  if (descriptor_ < 0) {
    throw Error(ErrorCode::internal,
                format("document worker: no memory for pictures: {}", std::strerror(errno)));
  }
}

PictureRoom::~PictureRoom() {
  if (descriptor_ >= 0) close(descriptor_);
}

Image PictureRoom::take(const PictureSize& size) {
  Image picture{size.width, size.height, size.channels, {}};
  picture.pixels.resize(size.bytes());
  std::size_t done = 0;
  while (done < picture.pixels.size()) {
    const ssize_t got = pread(descriptor_, picture.pixels.data() + done,
                              picture.pixels.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Error(ErrorCode::damaged, "a document worker's picture is not whole");
    done += static_cast<std::size_t>(got);
  }
  // When this fails, the room stays large: no harm but memory.
  if (size.bytes() > kKeptBytes && ftruncate(descriptor_, 0) != 0) return picture;
  return picture;
}

PictureDesk::~PictureDesk() {
  if (pixels_ != nullptr) munmap(pixels_, mapped_);
}

std::uint8_t* PictureDesk::open(const PictureSize& size) {
  const std::size_t bytes = size.bytes();
  // Also what the program has given back since is made anew. Without memory for it, a write into
  // the mapping would end the worker by a signal that tells nothing.
  if (fallocate(descriptor_, 0, 0, static_cast<off_t>(bytes)) != 0) {
    throw Error(ErrorCode::out_of_memory, format("a picture of {} x {} pixels: {}", size.width,
                                                 size.height, std::strerror(errno)));
  }
  if (bytes > mapped_ || mapped_ > kKeptBytes) map(bytes);
  return pixels_;
}

void PictureDesk::map(std::size_t bytes) {
  if (pixels_ != nullptr) munmap(pixels_, mapped_);
  pixels_ = nullptr;
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) {
    throw Error(ErrorCode::out_of_memory,
                format("a picture of {} bytes: {}", bytes, std::strerror(errno)));
  }
  pixels_ = static_cast<std::uint8_t*>(mapped);
  mapped_ = bytes;
}

}  // namespace fineprint::documents
