// Keys and values of the layers that attend, of one sequence.
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

// In blocks of a model's common memory that copies share. Where the memory is that of layers with a
// window, what no later token can see is given back.
class KeyValues final : public StatePart {
 public:
  explicit KeyValues(std::shared_ptr<KvMemory> memory);

  std::unique_ptr<StatePart> fork() const override;
  bool reserve(std::int64_t length, std::int64_t tokens) override;
  void unreserve(std::int64_t length) noexcept override;
  void advance(std::int64_t length, std::int64_t tokens) noexcept override;
  std::size_t bytes(std::int64_t from, std::int64_t length) const override;
  void save(std::int64_t from, std::int64_t length,
            std::vector<std::uint8_t>* bytes) const override;
  std::size_t restore(std::int64_t length, std::int64_t to,
                      std::span<const std::uint8_t> bytes) override;

  // Lays keys and values [kv_heads, T, head_dim] of new tokens behind a layer's first `length`, for
  // which room was reserved. Layers are counted among those of the memory.
  void append(int layer, std::int64_t length, const at::Tensor& keys, const at::Tensor& values);
  struct View {
    at::Tensor keys, values;  // [kv_heads, to - from, head_dim]
  };
  // A layer's tokens [from, to), appended ones included.
  View view(int layer, std::int64_t from, std::int64_t to) const;
  // On the CPU in float32, one query [heads, 1, head_dim] over them; [1, heads * head_dim].
  at::Tensor attend(int layer, const at::Tensor& query, std::int64_t from, std::int64_t to) const;

 private:
  // The rows last asked for, of what is written and of what is seen: the same in every layer.
  struct Rows {
    std::int64_t from = 0, to = 0;
    at::Tensor index;
  };
  at::Tensor seen(const at::Tensor& all, std::int64_t from, std::int64_t to) const;
  void write(const at::Tensor& all, std::int64_t length, const at::Tensor& values);

  // The first of `tokens` that a later one can see.
  std::int64_t first_kept(std::int64_t tokens) const;

  std::shared_ptr<KvMemory> memory_;
  serving::BlockTable table_;
  std::optional<serving::BlockTable> restored_;  // takes the table's place at `advance`
  mutable Rows written_, seen_;
};

}  // namespace fineprint::nets
