// What a decoder remembers of the tokens it has read, made of what its layers remember.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// In front of the saved values of a part: matrices of `width` columns, a row after the other.
struct SavedHeader {
  std::int64_t kind = 0;  // of the part
  std::int64_t layers = 0;
  std::int64_t rows = 0;  // of each layer
  std::int64_t width = 0;
  std::int64_t type = 0;              // an at::ScalarType
  std::int64_t from = 0, tokens = 0;  // which tokens' values they are; all before when whole
  bool operator==(const SavedHeader&) const = default;

  // Of the values behind it; the largest number there is when no such values can be.
  std::size_t bytes() const;
};

// What the layers of one kind remember of one sequence. `length` is everywhere the number of tokens
// that have been read; what is laid down behind them counts only once `advance` has been called.
class StatePart {
 public:
  virtual ~StatePart() = default;
  // A copy at the place where it is now, which goes its own way from there.
  virtual std::unique_ptr<StatePart> fork() const = 0;
  // Memory for `tokens` more. false, or an exception: there is none at present, nothing has
  // changed.
  virtual bool reserve(std::int64_t length, std::int64_t tokens) = 0;
  // Gives back what was reserved and is not used.
  virtual void unreserve(std::int64_t length) noexcept = 0;
  // What was laid down for `tokens` more is read. Cannot fail.
  virtual void advance(std::int64_t length, std::int64_t tokens) noexcept = 0;
  // Memory that it takes beyond that of a copy made when `from` tokens had been read.
  virtual std::size_t bytes(std::int64_t from, std::int64_t length) const = 0;
  // Appends a SavedHeader and what must be known besides the state at `from`.
  virtual void save(std::int64_t from, std::int64_t length,
                    std::vector<std::uint8_t>* bytes) const = 0;
  // Lays down what was saved from `length` on to `to`, and returns how many bytes of `bytes` that
  // were. Throws Error(input) for bytes that no such part was saved as, std::bad_alloc when there
  // is no memory.
  virtual std::size_t restore(std::int64_t length, std::int64_t to,
                              std::span<const std::uint8_t> bytes) = 0;
};

// Opaque to everyone but the decoder that made it. Others may copy it where it is now, keep it, and
// hand it back; it is never cut at an earlier place, which not all parts could do. One thread at a
// time, except for `fork`, `bytes` and `save`, which only look.
class SequenceState {
 public:
  explicit SequenceState(std::vector<std::unique_ptr<StatePart>> parts);

  std::int64_t length() const { return length_; }  // tokens read
  std::unique_ptr<SequenceState> fork() const;
  // Memory for `tokens` more. false, or an exception: there is none at present, nothing has
  // changed.
  bool reserve(std::int64_t tokens);
  // The decoder has read `tokens` more, for which room was reserved. Until then the state is as
  // before, whatever became of that reading.
  void advance(std::int64_t tokens) noexcept;
  // Memory that it takes beyond that of a copy made when `from` tokens had been read.
  std::size_t bytes(std::int64_t from) const;
  // What is to be known besides the state at `from` tokens, as bytes: keys and values of the tokens
  // since then, as far as they can still be seen; what is no list of tokens as a whole.
  std::vector<std::uint8_t> save(std::int64_t from) const;
  // Goes on after what was saved, which must begin at `length()`. Throws Error(input) for bytes
  // that no state of such a decoder was saved as, std::bad_alloc when there is no memory; then it
  // is as before.
  void restore(std::span<const std::uint8_t> bytes);

  StatePart& part(std::size_t index) { return *parts_[index]; }
  const StatePart& part(std::size_t index) const { return *parts_[index]; }

 private:
  std::vector<std::unique_ptr<StatePart>> parts_;
  std::int64_t length_ = 0;
};

// In front of a saved state.
struct SavedState {
  std::int64_t parts = 0;
  std::int64_t from = 0, to = 0;  // tokens
};

// Reads what stands before the values of a part; throws Error(input) when the bytes end before
// header and values do.
SavedHeader saved_header(std::span<const std::uint8_t> bytes);
[[noreturn]] void refuse_saved(const char* why);

}  // namespace fineprint::nets
