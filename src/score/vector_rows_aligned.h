// Arrays that start at a cache line, so that loading a vector register never touches two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fineprint::score {

// An allocator for std::vector with that alignment.
template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <typename U>
  explicit LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kLine));
  }
  void deallocate(T* values, std::size_t) { ::operator delete(values, kLine); }
  bool operator==(const LineAllocator&) const = default;
};

using AlignedFloats = std::vector<float, LineAllocator<float>>;

}  // namespace fineprint::score
