// The state of a decoder after some tokens of one sequence; each kind of layer has its own part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Precedes the saved values of a part: matrices of `width` columns, row by row.
struct SavedHeader {
  std::int64_t kind = 0;  // the kind of part; each class has its own number
  std::int64_t layers = 0;
  std::int64_t rows = 0;  // of each layer
  std::int64_t width = 0;
  std::int64_t type = 0;              // an at::ScalarType
  std::int64_t from = 0, tokens = 0;  // the tokens that the values belong to
  bool operator==(const SavedHeader&) const = default;

  // Returns the size of the values after the header, or the largest size_t if no valid values can
  // have this header.
  std::size_t bytes() const;
};

// The state of the layers of one kind, for one sequence. Everywhere, `length` is the number of
// tokens that have been read. Values written for later tokens count only once `advance` is called.
class StatePart {
 public:
  virtual ~StatePart() = default;
  // Returns a copy at the same position, which then goes on independently.
  virtual std::unique_ptr<StatePart> fork() const = 0;
  // Reserves memory for `tokens` more tokens. Returns false or throws if there is none at present;
  // then nothing has changed.
  virtual bool reserve(std::int64_t length, std::int64_t tokens) = 0;
  // Frees memory that was reserved and is not used.
  virtual void unreserve(std::int64_t length) noexcept = 0;
  // Counts `tokens` more tokens as read. Cannot fail. If `counts_parts_of_steps`, they may be fewer
  // than the decoder has read; the others are then forgotten.
  virtual void advance(std::int64_t length, std::int64_t tokens) noexcept = 0;
  // Returns false if a step counts entirely or not at all, because only the state after its last
  // token is kept.
  virtual bool counts_parts_of_steps() const = 0;
  // Returns the bytes that this part takes beyond a copy that was made when `from` tokens had been
  // read, because copies share memory.
  virtual std::size_t bytes(std::int64_t from, std::int64_t length) const = 0;
  // Appends a SavedHeader, and the values that are needed to get from the state at `from` to this.
  virtual void save(std::int64_t from, std::int64_t length,
                    std::vector<std::uint8_t>* bytes) const = 0;
  // Reads what `save` wrote for the tokens from `length` to `to`, and returns how many of `bytes`
  // it used. Throws Error(input) if no part of this kind was saved as these bytes, and
  // std::bad_alloc if there is no memory.
  virtual std::size_t restore(std::int64_t length, std::int64_t to,
                              std::span<const std::uint8_t> bytes) = 0;
};

// The state of one sequence. Only the decoder that made it looks inside; others may fork it where
// it is, keep it and pass it back. It is never cut back to an earlier token, because recurrent
// layers could not do that. One thread at a time may use it, except for `fork`, `bytes` and `save`,
// which only read.
class SequenceState {
 public:
  explicit SequenceState(std::vector<std::unique_ptr<StatePart>> parts);

  std::int64_t length() const { return length_; }  // tokens read
  // Returns a copy at the same position; see StatePart.
  std::unique_ptr<SequenceState> fork() const;
  // Reserves memory for `tokens` more tokens. Returns false or throws if there is none at present;
  // then nothing has changed.
  bool reserve(std::int64_t tokens);
  // Counts `tokens` more tokens as read, for which memory was reserved. Until then the state is as
  // before, even if the decoder failed in between.
  void advance(std::int64_t tokens) noexcept;
  // Returns whether all parts do; see StatePart.
  bool counts_parts_of_steps() const;
  // Returns the bytes that it takes beyond a copy that was made when `from` tokens had been read.
  std::size_t bytes(std::int64_t from) const;
  // Returns, as bytes, the values that are needed in addition to the state at `from` tokens. For
  // keys and values, this is the tokens since then that can still be seen; for recurrent layers,
  // the full state.
  std::vector<std::uint8_t> save(std::int64_t from) const;
  // Goes on from saved bytes, which must begin at `length()`. Throws Error(input) if no state of
  // such a decoder was saved as these bytes, and std::bad_alloc if there is no memory; then the
  // state is as before.
  void restore(std::span<const std::uint8_t> bytes);

  StatePart& part(std::size_t index) { return *parts_[index]; }
  const StatePart& part(std::size_t index) const { return *parts_[index]; }

 private:
  std::vector<std::unique_ptr<StatePart>> parts_;
  std::int64_t length_ = 0;
};

// Precedes a saved state.
struct SavedState {
  std::int64_t parts = 0;
  std::int64_t from = 0, to = 0;  // tokens
};

// Returns the header of a part. Throws Error(input) if the bytes end before the header or its
// values do.
SavedHeader saved_header(std::span<const std::uint8_t> bytes);
// Throws Error(input) that says why a saved state cannot be used.
[[noreturn]] void refuse_saved(const char* why);

}  // namespace fineprint::nets
