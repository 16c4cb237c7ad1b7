// The bytes of a picture: owned, or borrowed from memory that another process has written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace fineprint {

// Used like a vector of bytes. A copy always owns its bytes. Borrowed memory is released when its
// last holder is destroyed, assigned to or resized. Borrowing spares copying megabytes for each
// page that a document worker renders.
class Pixels {
 public:
  // No pixels.
  Pixels() = default;
  Pixels(std::initializer_list<std::uint8_t> bytes) : own_(bytes) {}
  Pixels(std::vector<std::uint8_t> bytes) : own_(std::move(bytes)) {}
  // Borrows `bytes`. `lender` keeps them alive; nobody else may write to them until it is released.
  Pixels(std::shared_ptr<void> lender, std::span<std::uint8_t> bytes)
      : lender_(std::move(lender)), lent_(bytes) {}

  Pixels(const Pixels& other) : own_(other.begin(), other.end()) {}
  Pixels(Pixels&& other) noexcept { swap(other); }
  // By value: the argument is copied or moved first, so assignment cannot fail half-way.
  Pixels& operator=(Pixels other) noexcept {
    swap(other);
    return *this;
  }
  ~Pixels() = default;

  std::size_t size() const { return lender_ ? lent_.size() : own_.size(); }
  bool empty() const { return size() == 0; }
  const std::uint8_t* data() const { return lender_ ? lent_.data() : own_.data(); }
  std::uint8_t* data() { return lender_ ? lent_.data() : own_.data(); }
  const std::uint8_t* begin() const { return data(); }
  std::uint8_t* begin() { return data(); }
  const std::uint8_t* end() const { return data() + size(); }
  std::uint8_t* end() { return data() + size(); }
  const std::uint8_t& operator[](std::size_t i) const { return data()[i]; }
  std::uint8_t& operator[](std::size_t i) { return data()[i]; }

  // As for a vector: existing bytes stay, new bytes are 0. Borrowed bytes are copied first.
  void resize(std::size_t size) {
    if (lender_) *this = Pixels(*this);
    own_.resize(size);
  }
  // Replaces the content by `size` bytes of the same value.
  void assign(std::size_t size, std::uint8_t value) {
    *this = Pixels(std::vector<std::uint8_t>(size, value));
  }

  // Returns true if the bytes belong to a lender.
  bool is_borrowed() const { return lender_ != nullptr; }

  friend bool operator==(const Pixels& a, const Pixels& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  void swap(Pixels& other) noexcept {
    own_.swap(other.own_);
    lender_.swap(other.lender_);
    std::swap(lent_, other.lent_);
  }

  std::vector<std::uint8_t> own_;
  std::shared_ptr<void> lender_;
  std::span<std::uint8_t> lent_;
};

}  // namespace fineprint
