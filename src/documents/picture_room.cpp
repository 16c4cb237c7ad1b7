// The room is an anonymous file in memory that both sides map. Its length is sealed: if a faulty
// worker could shorten it, looking at the mapping would kill the program. Such a worker can still
// change a picture while the program looks at it.
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

// A picture larger than a usual page at 300 dpi gives its memory back; smaller ones keep it for the
// next picture.
constexpr std::size_t kKeptBytes = std::size_t{32} << 20;
// Above what unpack_picture_size accepts.
constexpr std::size_t kPlaceBytes = std::size_t{512} << 20;
constexpr int kFixedLength = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

off_t start_of(int place) { return static_cast<off_t>(kPlaceBytes) * place; }

void* map_place(int descriptor, int place, std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, start_of(place));
}

// Returns the descriptor of a new file for pictures, or -1 with errno set.
int new_file() {
  const int made = memfd_create("fineprint-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) return -1;
  // If file sizes are limited (ulimit -f), the room stays empty, so that everything but pictures
  // can still be read.
  const bool roomy = ftruncate(made, start_of(kPicturePlaces)) == 0 || errno == EFBIG;
  const bool fixed = roomy && fcntl(made, F_ADD_SEALS, kFixedLength) == 0;
  // Moves the descriptor above the ones that a worker starts with, so that the worker's setup
  // cannot overwrite it.
  const int moved = fixed ? fcntl(made, F_DUPFD_CLOEXEC, PictureDesk::kDescriptor + 1) : -1;
  const int error = errno;
  close(made);
  errno = error;
  return moved;
}

}  // namespace

// The shared memory. Pictures in use keep it alive after their room is gone.
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

  // Maps the first `bytes` of a place. Looks for holes only if the mapping grows, because the
  // search takes about a tenth of the time of reading a page.
  void map(int place, std::size_t bytes) {
    if (bytes <= at(place).bytes) return;
    if (!holds(place, bytes)) {
      throw Error(ErrorCode::damaged, "a document worker's picture is incomplete");
    }
    unmap(place);
    void* mapped = map_place(descriptor, place, bytes);
    if (mapped == MAP_FAILED) {
      throw Error(ErrorCode::out_of_memory,
                  format("no memory for a picture of {} bytes: {}", bytes, std::strerror(errno)));
    }
    at(place).pixels = static_cast<std::uint8_t*>(mapped);
    at(place).bytes = bytes;
  }

  // Returns whether the worker has written this many bytes to the place. Memory that was never
  // written is a hole, and a picture from a hole would be invented.
  bool holds(int place, std::size_t bytes) const {
    if (bytes > kPlaceBytes) return false;
    const off_t hole = lseek(descriptor, start_of(place), SEEK_HOLE);
    return hole - start_of(place) >= static_cast<off_t>(bytes);
  }

  void release(int place) noexcept {
    if (at(place).bytes > kKeptBytes) {
      unmap(place);
      // If this fails, the place stays large. That costs memory and does no other harm.
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

// Place 0 is the last resort: `take` copies from it, so it is always free.
int PictureRoom::free_place() const {
  for (int place = 1; place < kPicturePlaces; ++place) {
    if (!memory_->at(place).lent.load(std::memory_order_acquire)) return place;
  }
  return 0;
}

Image PictureRoom::take(int place, const PictureSize& size) {
  memory_->map(place, size.bytes());
  memory_->at(place).lent.store(true, std::memory_order_relaxed);
  // The picture owns this loan; its last user releases the place.
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
    const char* why =
        errno == EPERM ? "the limit of file sizes (ulimit -f) is too low" : std::strerror(errno);
    return Error(ErrorCode::out_of_memory, format("no memory for a picture of {} x {} pixels: {}",
                                                  size.width, size.height, why));
  };
  Mapping& mapping = places_[static_cast<std::size_t>(place)];
  if (bytes <= mapping.bytes && mapping.bytes <= kKeptBytes) return mapping.pixels;
  // Also allocates again what the program has given back since. If memory were missing at a write
  // into the mapping, a signal would end the worker without a message.
  if (fallocate(descriptor_, 0, start_of(place), static_cast<off_t>(bytes)) != 0) throw refused();
  if (mapping.pixels != nullptr) munmap(mapping.pixels, mapping.bytes);
  mapping = {};
  void* mapped = map_place(descriptor_, place, bytes);
  if (mapped == MAP_FAILED) throw refused();
  mapping = {static_cast<std::uint8_t*>(mapped), bytes};
  return mapping.pixels;
}

}  // namespace fineprint::documents
