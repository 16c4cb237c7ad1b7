// What a decoder remembers of the tokens it has read.
#include "nets/state.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <ATen/ops/empty.h>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

constexpr std::int64_t kFirstRoom = 64;  // tokens

// layers, kv_heads, head_dim, element type, tokens: in front of a saved state.
using Header = std::array<std::int64_t, 5>;

}  // namespace

KvState::KvState(int layers, std::int64_t kv_heads, std::int64_t head_dim,
                 const at::TensorOptions& options) {
  for (int layer = 0; layer < layers; ++layer) {
    keys_.push_back(at::empty({kv_heads, 0, head_dim}, options));
    values_.push_back(at::empty({kv_heads, 0, head_dim}, options));
  }
}

void KvState::reserve(std::int64_t tokens) {
  const std::int64_t room = keys_[0].size(1), needed = length_ + tokens;
  if (needed <= room) return;
  const std::int64_t wanted = std::max({needed, 2 * room, kFirstRoom});
  for (auto* tensors : {&keys_, &values_}) {
    for (at::Tensor& tensor : *tensors) {
      at::Tensor wider = at::empty({tensor.size(0), wanted, tensor.size(2)}, tensor.options());
      wider.narrow(1, 0, length_).copy_(tensor.narrow(1, 0, length_));
      tensor = wider;
    }
  }
}

KvState::View KvState::append(int layer, const at::Tensor& keys, const at::Tensor& values) {
  const std::int64_t tokens = keys.size(1);
  reserve(tokens);
  keys_[layer].narrow(1, length_, tokens).copy_(keys);
  values_[layer].narrow(1, length_, tokens).copy_(values);
  return {keys_[layer].narrow(1, 0, length_ + tokens),
          values_[layer].narrow(1, 0, length_ + tokens)};
}

std::unique_ptr<SequenceState> KvState::fork() const {
  auto copy = std::make_unique<KvState>(*this);
  for (auto* tensors : {&copy->keys_, &copy->values_}) {
    for (at::Tensor& tensor : *tensors) tensor = tensor.narrow(1, 0, length_).clone();
  }
  return copy;
}

std::vector<std::uint8_t> KvState::save() const {
  const Header header{static_cast<std::int64_t>(keys_.size()), keys_[0].size(0), keys_[0].size(2),
                      static_cast<std::int64_t>(keys_[0].scalar_type()), length_};
  std::vector<std::uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), header.data(), sizeof(header));
  for (const auto* tensors : {&keys_, &values_}) {
    for (const at::Tensor& tensor : *tensors) {
      const at::Tensor used = tensor.narrow(1, 0, length_).contiguous().cpu();
      const auto* data = static_cast<const std::uint8_t*>(used.const_data_ptr());
      bytes.insert(bytes.end(), data, data + used.nbytes());
    }
  }
  return bytes;
}

std::unique_ptr<KvState> KvState::restore(const KvState& empty,
                                          std::span<const std::uint8_t> bytes) {
  const auto refuse = [](const char* why) -> void {
    throw Error(ErrorCode::input, std::string("saved state of a sequence: ") + why);
  };
  Header header{};
  if (bytes.size() < sizeof(header)) refuse("it is cut off");
  std::memcpy(header.data(), bytes.data(), sizeof(header));
  const auto& like = empty.keys_[0];
  const Header wanted{static_cast<std::int64_t>(empty.keys_.size()), like.size(0), like.size(2),
                      static_cast<std::int64_t>(like.scalar_type()), header[4]};
  if (header != wanted) refuse("it comes from a model of another shape or number format");
  // Sizes are bounded by the bytes that are there before any of them is multiplied up.
  const std::int64_t length = header[4];
  const auto per_token =
      static_cast<std::int64_t>(like.element_size()) * like.size(0) * like.size(2) * 2 * header[0];
  const auto data_bytes = static_cast<std::int64_t>(bytes.size() - sizeof(header));
  if (length < 0 || data_bytes % per_token != 0 || data_bytes / per_token != length) {
    refuse("its size does not fit its header");
  }
  auto state = std::make_unique<KvState>(empty);
  state->reserve(length);
  const std::uint8_t* next = bytes.data() + sizeof(header);
  for (auto* tensors : {&state->keys_, &state->values_}) {
    for (at::Tensor& tensor : *tensors) {
      at::Tensor part =
          at::empty({like.size(0), length, like.size(2)}, at::TensorOptions(like.scalar_type()));
      std::memcpy(part.data_ptr(), next, part.nbytes());
      next += part.nbytes();
      tensor.narrow(1, 0, length).copy_(part);
    }
  }
  state->length_ = length;
  return state;
}

}  // namespace fineprint::nets
