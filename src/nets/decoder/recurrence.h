// Stores the states of recurrent layers, which sum up all tokens in one matrix for each head.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/serving/block_table.h"

#include "nets/decoder/state.h"

namespace fineprint::nets {

// Sizes of the states of all recurrent layers of a decoder.
struct RecurrenceShape {
  std::int64_t layers = 0, heads = 0, key_dim = 0, value_dim = 0;
  std::int64_t channels = 0, tail = 0;  // of the convolution: the last inputs of each channel
  at::TensorOptions options;            // of the inputs; the matrices are in float32

  std::int64_t bytes() const;  // of one sequence
};

// The memory for the recurrent states of all sequences of a model. A slot holds one sequence at one
// token position. Allocated when the first slot is needed; on the CPU, the system gives it pages
// only once they are written to.
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

// A step writes into a new slot, which replaces the old one in `advance`. So a step that fails has
// changed nothing, and forks share a slot as long as none of them reads on.
class Recurrence final : public StatePart {
 public:
  explicit Recurrence(std::shared_ptr<RecurrenceMemory> memory);

  std::unique_ptr<StatePart> fork() const override;
  bool reserve(std::int64_t length, std::int64_t tokens) override;
  void unreserve(std::int64_t length) noexcept override;
  void advance(std::int64_t length, std::int64_t tokens) noexcept override;
  bool counts_parts_of_steps() const override { return false; }
  std::size_t bytes(std::int64_t from, std::int64_t length) const override;
  void save(std::int64_t from, std::int64_t length,
            std::vector<std::uint8_t>* bytes) const override;
  std::size_t restore(std::int64_t length, std::int64_t to,
                      std::span<const std::uint8_t> bytes) override;

  struct Layer {
    at::Tensor matrices;  // [heads, key_dim, value_dim]; undefined before the first token
    at::Tensor tail;      // [tail, channels]
  };
  // Returns a layer's state before the step.
  Layer before(int layer) const;
  // Returns where a step writes a layer's new state; a slot must be reserved.
  Layer after(int layer) const;

 private:
  std::shared_ptr<RecurrenceMemory> memory_;
  serving::BlockTable now_, next_;  // each holds one slot or none
};

}  // namespace fineprint::nets
