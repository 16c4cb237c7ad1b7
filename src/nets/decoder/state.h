// What a decoder remembers of the tokens it has read.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "nets/decoder/kv_memory.h"

namespace fineprint::nets {

// In front of saved bytes. All counts are of the part that was saved.
struct SavedHeader {
  std::int64_t layers = 0, kv_heads = 0, head_dim = 0;
  std::int64_t type = 0;  // an at::ScalarType
  std::int64_t from = 0, tokens = 0;
  bool operator==(const SavedHeader&) const = default;
};

// Opaque to everyone but the decoder that made it. Others may copy it, keep it, and hand it back.
// One thread at a time, except for `first` and `save`, which only look.
class SequenceState {
 public:
  virtual ~SequenceState() = default;
  virtual std::int64_t length() const = 0;  // tokens read
  // What the state was when it had read only `tokens`; goes its own way from there. A fork is
  // first(length()).
  virtual std::unique_ptr<SequenceState> first(std::int64_t tokens) const = 0;
  // Memory for `tokens` more. false, or an exception: there is none at present, nothing has
  // changed.
  virtual bool reserve(std::int64_t tokens) = 0;
  // What it remembers of the tokens [from, to), as bytes.
  virtual std::vector<std::uint8_t> save(std::int64_t from, std::int64_t to) const = 0;
  // Goes on after what was saved, which must begin at `length()`. Throws Error(input) for bytes
  // that no state of such a decoder was saved as, std::bad_alloc when there is no memory.
  virtual void restore(std::span<const std::uint8_t> bytes) = 0;
};

// Keys and values of all layers, in blocks of a model's common memory that copies share.
class KvState final : public SequenceState {
 public:
  explicit KvState(std::shared_ptr<KvMemory> memory);

  std::int64_t length() const override { return length_; }
  std::unique_ptr<SequenceState> first(std::int64_t tokens) const override;
  bool reserve(std::int64_t tokens) override;
  std::vector<std::uint8_t> save(std::int64_t from, std::int64_t to) const override;
  void restore(std::span<const std::uint8_t> bytes) override;

  // Lays keys and values [kv_heads, T, head_dim] of new tokens behind a layer's earlier ones, for
  // which room was reserved. `advance` then counts them as read.
  void append(int layer, const at::Tensor& keys, const at::Tensor& values);
  struct View {
    at::Tensor keys, values;  // [kv_heads, tokens, head_dim]
  };
  // A layer's first `tokens` tokens, appended ones included.
  View view(int layer, std::int64_t tokens) const;
  // On the CPU in float32, one query [heads, 1, head_dim] over them; [1, heads * head_dim].
  at::Tensor attend(int layer, const at::Tensor& query, std::int64_t tokens) const;
  void advance(std::int64_t tokens) { length_ += tokens; }

 private:
  // Rows of the memory in which tokens [from, to) lie: the first one when they lie side by side.
  std::optional<std::int64_t> run(std::int64_t from, std::int64_t to) const;
  const at::Tensor& rows(std::int64_t from, std::int64_t to) const;  // [to - from]
  at::Tensor part(std::int64_t from, std::int64_t to) const;  // [layers, 2, T, kv_heads, head_dim]
  at::Tensor seen(const at::Tensor& all, std::int64_t tokens) const;
  void write(const at::Tensor& all, std::int64_t dim, const at::Tensor& values);

  std::shared_ptr<KvMemory> memory_;
  serving::BlockTable table_;
  std::int64_t length_ = 0;
  // The rows last asked for, of what is written and of what is seen: the same in every layer.
  struct Rows {
    std::int64_t from = 0, to = 0;
    at::Tensor index;
  };
  mutable std::array<Rows, 2> known_rows_;
};

}  // namespace fineprint::nets
