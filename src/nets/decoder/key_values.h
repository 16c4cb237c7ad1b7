// Stores the keys and values of one sequence, for all layers that attend alike.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "nets/decoder/kv_memory.h"
#include "nets/decoder/state.h"

namespace fineprint::nets {

// Keys and values in blocks of the model's common memory. Forks share blocks until one writes to
// them. If the layers have a window, blocks that no later token can see are freed.
class KeyValues final : public StatePart {
 public:
  explicit KeyValues(std::shared_ptr<KvMemory> memory);

  std::unique_ptr<StatePart> fork() const override;
  bool reserve(std::int64_t length, std::int64_t tokens) override;
  void unreserve(std::int64_t length) noexcept override;
  void advance(std::int64_t length, std::int64_t tokens) noexcept override;
  bool counts_parts_of_steps() const override { return true; }
  std::size_t bytes(std::int64_t from, std::int64_t length) const override;
  void save(std::int64_t from, std::int64_t length,
            std::vector<std::uint8_t>* bytes) const override;
  std::size_t restore(std::int64_t length, std::int64_t to,
                      std::span<const std::uint8_t> bytes) override;

  // Writes keys and values [kv_heads, T, head_dim] of new tokens after the first `length` tokens of
  // a layer. Memory must be reserved. `layer` counts among the layers of this memory.
  void append(int layer, std::int64_t length, const at::Tensor& keys, const at::Tensor& values);
  struct View {
    at::Tensor keys, values;  // [kv_heads, to - from, head_dim]
  };
  // Returns tokens [from, to) of a layer, including appended ones.
  View view(int layer, std::int64_t from, std::int64_t to) const;
  // Returns attention of one query [heads, 1, head_dim] over these tokens: [1, heads * head_dim].
  // Only on the CPU and in float32.
  at::Tensor attend(int layer, const at::Tensor& query, std::int64_t from, std::int64_t to) const;

 private:
  // The row indices computed last, for writing and for reading. They are the same in every layer,
  // so they are computed once in a step.
  struct Rows {
    std::int64_t from = 0, to = 0;
    at::Tensor index;
  };
  at::Tensor seen(const at::Tensor& all, std::int64_t from, std::int64_t to) const;
  void write(const at::Tensor& all, std::int64_t length, const at::Tensor& values);

  // Returns the first of `tokens` tokens that a later one can see.
  std::int64_t first_kept(std::int64_t tokens) const;

  std::shared_ptr<KvMemory> memory_;
  serving::BlockTable table_;
  std::optional<serving::BlockTable> restored_;  // replaces table_ in `advance`
  mutable Rows written_, seen_;
};

}  // namespace fineprint::nets
