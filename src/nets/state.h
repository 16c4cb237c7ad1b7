// What a decoder remembers of the tokens it has read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Opaque to everyone but the decoder that made it. Others may copy it, keep it, and hand it back.
class SequenceState {
 public:
  virtual ~SequenceState() = default;
  virtual std::int64_t length() const = 0;  // tokens read
  // A copy that goes its own way.
  virtual std::unique_ptr<SequenceState> fork() const = 0;
  // Bytes from which the decoder's `restore` makes an equal state.
  virtual std::vector<std::uint8_t> save() const = 0;
};

// Keys and values of all layers. Room grows by doubling, so that appending is amortised.
class KvState final : public SequenceState {
 public:
  KvState(int layers, std::int64_t kv_heads, std::int64_t head_dim,
          const at::TensorOptions& options);

  std::int64_t length() const override { return length_; }
  std::unique_ptr<SequenceState> fork() const override;
  std::vector<std::uint8_t> save() const override;
  // Throws Error(input) for bytes that no state of these sizes was saved as.
  static std::unique_ptr<KvState> restore(const KvState& empty,
                                          std::span<const std::uint8_t> bytes);

  // Makes room for `tokens` more than are there.
  void reserve(std::int64_t tokens);
  struct View {
    at::Tensor keys, values;  // [kv_heads, length + T, head_dim]
  };
  // Lays keys and values [kv_heads, T, head_dim] of new tokens behind a layer's earlier ones, which
  // `advance` then counts as read.
  View append(int layer, const at::Tensor& keys, const at::Tensor& values);
  void advance(std::int64_t tokens) { length_ += tokens; }

 private:
  std::vector<at::Tensor> keys_, values_;  // a layer: [kv_heads, room, head_dim]
  std::int64_t length_ = 0;
};

}  // namespace fineprint::nets
