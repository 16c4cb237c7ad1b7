// What layers remember that sum up all tokens in one matrix a head, of one sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/serving/block_table.h"

#include "nets/decoder/state.h"

namespace fineprint::nets {

// Sizes of what all recurrent layers of a decoder remember.
struct RecurrenceShape {
  std::int64_t layers = 0, heads = 0, key_dim = 0, value_dim = 0;
  std::int64_t channels = 0, tail = 0;  // of the convolution: the last inputs of each channel
  at::TensorOptions options;            // of the inputs; the matrices are in float32

  std::int64_t bytes() const;  // of one sequence
};

// The memory in which those of all of a model's sequences lie: slots, each for one sequence at one
// place. Made when the first is wanted; on the CPU its pages take up memory only once they are
// written to.
class RecurrenceMemory {
 public:
  RecurrenceMemory(const RecurrenceShape& shape, std::int64_t slots);

  const RecurrenceShape& shape() const { return shape_; }
  const std::shared_ptr<serving::BlockPool>& slots() const { return slots_; }
  const at::Tensor& matrices() const { return matrices_; }  // [slots, layers, heads, key, value]
  const at::Tensor& tails() const { return tails_; }        // [slots, layers, tail, channels]

 private:
  bool grow(std::int64_t slots);

  RecurrenceShape shape_;
  std::int64_t most_;
  at::Tensor matrices_, tails_;
  std::shared_ptr<serving::BlockPool> slots_;
};

// A step writes into a slot of its own, which takes the place of the one before it at `advance`: so
// a step that fails has changed nothing, and copies share a slot for as long as they stay.
class Recurrence final : public StatePart {
 public:
  explicit Recurrence(std::shared_ptr<RecurrenceMemory> memory);

  std::unique_ptr<StatePart> fork() const override;
  bool reserve(std::int64_t length, std::int64_t tokens) override;
  void unreserve(std::int64_t length) noexcept override;
  void advance(std::int64_t length, std::int64_t tokens) noexcept override;
  std::size_t bytes(std::int64_t from, std::int64_t length) const override;
  void save(std::int64_t from, std::int64_t length,
            std::vector<std::uint8_t>* bytes) const override;
  std::size_t restore(std::int64_t length, std::int64_t to,
                      std::span<const std::uint8_t> bytes) override;

  struct Layer {
    at::Tensor matrices;  // [heads, key_dim, value_dim]; undefined before the first token
    at::Tensor tail;      // [tail, channels]
  };
  Layer before(int layer) const;
  // Where a step leaves what it came to; room was reserved.
  Layer after(int layer) const;

 private:
  std::shared_ptr<RecurrenceMemory> memory_;
  serving::BlockTable now_, next_;  // a slot or none
};

}  // namespace fineprint::nets
