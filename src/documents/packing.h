// Packs plain values into bytes and unpacks them, never reading past the end.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "fineprint/core/error.h"

namespace fineprint::documents {

// Appends values to a string of bytes. Uses the machine's own byte order, because both ends run on
// one machine, from one program file.
class Packer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_.append(value);
  }
  void raw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes values from bytes in the same order. Every function throws Error(damaged) if the bytes do
// not fit.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T value;
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) fail("a number that is not finite");
    }
    return value;
  }
  bool flag() {
    const auto value = number<std::uint8_t>();
    if (value > 1) fail("a flag that is neither 0 nor 1");
    return value == 1;
  }
  // Returns an enumerator, which must not be greater than `last`.
  template <class E>
  E one_of(E last) {
    const auto value = number<std::underlying_type_t<E>>();
    if (value < 0 || value > static_cast<std::underlying_type_t<E>>(last)) fail("an unknown kind");
    return static_cast<E>(value);
  }
  std::string text() { return std::string(bytes(number<std::uint64_t>())); }
  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) fail("bytes are missing");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  // Returns the number of items that follow. Each item takes at least `item_size` bytes, so that an
  // absurd count is refused before memory is allocated for it.
  std::size_t count(std::size_t item_size) {
    const auto value = number<std::uint64_t>();
    if (value > rest_.size() / item_size) fail("a count past the end");
    return value;
  }
  void finish() const {
    if (!rest_.empty()) fail("bytes are left over");
  }
  [[noreturn]] static void fail(const char* reason) {
    throw Error(ErrorCode::damaged,
                std::string("message between program and document worker: ") + reason);
  }

 private:
  std::string_view rest_;
};

}  // namespace fineprint::documents
