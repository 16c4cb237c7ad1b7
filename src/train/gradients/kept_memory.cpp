// Keeps the memory of freed tensors for later ones.
#include "train/gradients/kept_memory.h"

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

namespace fineprint::train {
namespace {

constexpr std::size_t kLine = 64;                      // alignment, and space for a block's header
constexpr std::size_t kLeast = std::size_t{64} << 10;  // smaller blocks come from the heap
constexpr std::size_t kMostKept = std::size_t{6} << 30;  // bytes in waiting blocks, in total
constexpr std::size_t kSizesADoubling = 8;  // so at most an eighth of a block is wasted
constexpr std::size_t kSizes = 64 * kSizesADoubling;

// Precedes the bytes of a tensor.
struct Header {
  std::size_t kind = 0;  // the number of its size class, or kSizes: from the heap
  std::size_t bytes = 0;
};
static_assert(sizeof(Header) <= kLine);

// The smallest size class that holds a number of bytes, and the bytes that it holds.
struct Kind {
  std::size_t number = 0, bytes = 0;
};
// Eight sizes between powers of two: fewer would waste memory, more would reuse less.
Kind kind_of(std::size_t bytes) {
  const auto doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;
  const std::size_t first = std::size_t{1} << doubling, step = first / kSizesADoubling;
  const std::size_t steps = (bytes - first + step - 1) / step;  // 1 to kSizesADoubling
  return {doubling * kSizesADoubling + steps - 1, first + steps * step};
}

class KeptMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes == 0) return {nullptr, nullptr, &give_back, c10::Device(c10::DeviceType::CPU)};
    void* data = bytes < kLeast ? fresh(bytes, kSizes) : kept_or_fresh(kind_of(bytes));
    return {data, data, &give_back, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }

  static KeptMemory& instance() {
    static auto* const memory =
        new KeptMemory;  // never freed, because it must outlive every tensor
    return *memory;
  }

 private:
  static void* fresh(std::size_t bytes, std::size_t kind) {
    auto* base = static_cast<std::byte*>(::operator new(kLine + bytes, std::align_val_t{kLine}));
    new (base) Header{kind, bytes};
    return base + kLine;
  }
  static void release(void* data) {
    ::operator delete(static_cast<std::byte*>(data) - kLine, std::align_val_t{kLine});
  }

  // Blocks of a size class are interchangeable, because each is allocated with the size of its
  // class.
  void* kept_or_fresh(const Kind& kind) {
    {
      const std::lock_guard lock(mutex_);
      std::vector<void*>& blocks = waiting_[kind.number];
      if (!blocks.empty()) {
        void* const data = blocks.back();
        blocks.pop_back();
        kept_ -= kind.bytes;
        return data;
      }
    }
    return fresh(kind.bytes, kind.number);
  }

  static void give_back(void* data) {
    if (data == nullptr) return;
    const Header header = *reinterpret_cast<Header*>(static_cast<std::byte*>(data) - kLine);
    if (header.kind == kSizes || !instance().keep(data, header)) release(data);
  }
  // Beyond the limit, blocks go back to the heap, so that a long training does not hold all memory.
  bool keep(void* data, const Header& header) {
    const std::lock_guard lock(mutex_);
    if (kept_ + header.bytes > kMostKept) return false;
    waiting_[header.kind].push_back(data);
    kept_ += header.bytes;
    return true;
  }

  std::mutex mutex_;
  std::array<std::vector<void*>, kSizes> waiting_;
  std::size_t kept_ = 0;
};

}  // namespace

void keep_memory_of_tensors() {
  constexpr std::uint8_t kOverTheDefault = 1;
  static const bool once = (c10::SetCPUAllocator(&KeptMemory::instance(), kOverTheDefault), true);
  static_cast<void>(once);
}

}  // namespace fineprint::train
