// The room is a file in memory without a name, which both ends map. Its length is sealed: a worker
// gone wrong could otherwise shorten it, which kills a program that looks at a mapping. What such a
// worker still can do is to change a picture while it is looked at.
#include "fineprint/documents/picture_room.h"

#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::documents {
namespace {

// A picture larger than a usual page at 300 dpi leaves no memory behind for the next.
constexpr std::size_t kKeptBytes = std::size_t{32} << 20;
constexpr std::size_t kPlaceBytes = std::size_t{512}
                                    << 20;  // above what unpack_picture_size lets in
constexpr int kFixedLength = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

off_t start_of(int place) { return static_cast<off_t>(kPlaceBytes) * place; }

void* map_place(int descriptor, int place, std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, start_of(place));
}

int new_file() {
  const int made = memfd_create("fineprint-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) return -1;
  // Under a small limit of file sizes (ulimit -f) the room stays empty: all but pictures is read.
  const bool roomy = ftruncate(made, start_of(kPicturePlaces)) == 0 || errno == EFBIG;
  const bool fixed = roomy && fcntl(made, F_ADD_SEALS, kFixedLength) == 0;
  // Above what a worker is started with, so that nothing takes its place before it is passed on.
  const int moved = fixed ? fcntl(made, F_DUPFD_CLOEXEC, PictureDesk::kDescriptor + 1) : -1;
  const int error = errno;
  close(made);
  errno = error;
  return moved;
}

}  // namespace

// What pictures still in use keep alive when their room is gone.
struct PictureRoom::Memory {
  struct Place {
    std::uint8_t* pixels = nullptr;
    std::size_t bytes = 0;
    std::atomic<bool> lent = false;
  };

  int descriptor = new_file();
  std::array<Place, kPicturePlaces> places;

  Memory() = default;
  ~Memory() {
    for (int place = 0; place < kPicturePlaces; ++place) unmap(place);
    if (descriptor >= 0) close(descriptor);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Place& at(int place) { return places[static_cast<std::size_t>(place)]; }

  void unmap(int place) {
    if (at(place).pixels != nullptr) munmap(at(place).pixels, at(place).bytes);
    at(place).pixels = nullptr;
    at(place).bytes = 0;
  }

  // Looks for holes only where nothing was mapped yet: it takes as long as a tenth of a page.
  void map(int place, std::size_t bytes) {
    if (bytes <= at(place).bytes) return;
    if (!holds(place, bytes)) {
      throw Error(ErrorCode::damaged, "a document worker's picture is not whole");
    }
    unmap(place);
    void* mapped = map_place(descriptor, place, bytes);
    if (mapped == MAP_FAILED) {
      throw Error(ErrorCode::out_of_memory,
                  format("a picture of {} bytes: {}", bytes, std::strerror(errno)));
    }
    at(place).pixels = static_cast<std::uint8_t*>(mapped);
    at(place).bytes = bytes;
  }

  // Whether as much was drawn there.
  bool holds(int place, std::size_t bytes) const {
    if (bytes > kPlaceBytes) return false;
    const off_t hole = lseek(descriptor, start_of(place), SEEK_HOLE);
    return hole - start_of(place) >= static_cast<off_t>(bytes);
  }

  void release(int place) noexcept {
    if (at(place).bytes > kKeptBytes) {
      unmap(place);
      // When this fails, the place stays large: no harm but memory.
      (void)fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start_of(place),
                      static_cast<off_t>(kPlaceBytes));
    }
    at(place).lent.store(false, std::memory_order_release);
  }
};

PictureRoom::PictureRoom() : memory_(std::make_shared<Memory>()) {
  if (memory_->descriptor >= 0) return;
  throw Error(ErrorCode::internal,
              format("document worker: no memory for pictures: {}", std::strerror(errno)));
}

int PictureRoom::descriptor() const { return memory_->descriptor; }

int PictureRoom::free_place() const {
  for (int place = 1; place < kPicturePlaces; ++place) {
    if (!memory_->at(place).lent.load(std::memory_order_acquire)) return place;
  }
  return 0;
}

Image PictureRoom::take(int place, const PictureSize& size) {
  memory_->map(place, size.bytes());
  memory_->at(place).lent.store(true, std::memory_order_relaxed);
  const std::shared_ptr<void> loan(memory_->at(place).pixels,
                                   [memory = memory_, place](void*) { memory->release(place); });
  Pixels pixels(loan, {memory_->at(place).pixels, size.bytes()});
  if (place == 0) pixels = Pixels(std::as_const(pixels));
  return {size.width, size.height, size.channels, std::move(pixels)};
}

PictureDesk::~PictureDesk() {
  for (const Mapping& place : places_) {
    if (place.pixels != nullptr) munmap(place.pixels, place.bytes);
  }
}

std::uint8_t* PictureDesk::open(int place, const PictureSize& size) {
  const std::size_t bytes = size.bytes();
  const auto refused = [&] {
    const char* why = errno == EPERM ? "the limit of file sizes (ulimit -f) leaves no room for it"
                                     : std::strerror(errno);
    return Error(ErrorCode::out_of_memory,
                 format("a picture of {} x {} pixels: {}", size.width, size.height, why));
  };
  Mapping& mapping = places_[static_cast<std::size_t>(place)];
  if (bytes <= mapping.bytes && mapping.bytes <= kKeptBytes) return mapping.pixels;
  // Also what the program has given back since is made anew. Without memory for it, a write into
  // the mapping would end the worker by a signal that tells nothing.
  if (fallocate(descriptor_, 0, start_of(place), static_cast<off_t>(bytes)) != 0) throw refused();
  if (mapping.pixels != nullptr) munmap(mapping.pixels, mapping.bytes);
  mapping = {};
  void* mapped = map_place(descriptor_, place, bytes);
  if (mapped == MAP_FAILED) throw refused();
  mapping = {static_cast<std::uint8_t*>(mapped), bytes};
  return mapping.pixels;
}

}  // namespace fineprint::documents
