// What a decoder remembers of the tokens it has read.
#include "nets/decoder/state.h"

#include <cstring>
#include <new>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"

#include "nets/layers/token_attention.h"

namespace fineprint::nets {

KvState::KvState(std::shared_ptr<KvMemory> memory)
    : memory_(std::move(memory)), table_(memory_->blocks(), KvMemory::kBlockTokens) {}

std::unique_ptr<SequenceState> KvState::first(std::int64_t tokens) const {
  auto copy = std::make_unique<KvState>(*this);
  copy->length_ = tokens;
  copy->known_rows_ = {};
  copy->table_.shrink(tokens);
  return copy;
}

bool KvState::reserve(std::int64_t tokens) {
  const std::vector<std::int32_t> before = table_.blocks();
  const auto copy = [this](std::int32_t from, std::int32_t to) {
    constexpr std::int64_t kBlock = KvMemory::kBlockTokens;
    memory_->values()
        .narrow(2, to * kBlock, kBlock)
        .copy_(memory_->values().narrow(2, from * kBlock, kBlock));
  };
  if (!table_.reserve(length_, length_ + tokens, copy)) return false;
  if (table_.blocks() != before) known_rows_ = {};
  return true;
}

std::optional<std::int64_t> KvState::run(std::int64_t from, std::int64_t to) const {
  constexpr std::int64_t kBlock = KvMemory::kBlockTokens;
  const std::int64_t first = from / kBlock, last = (to - 1) / kBlock;
  const auto& blocks = table_.blocks();
  const std::int32_t start = blocks[static_cast<std::size_t>(first)];
  for (std::int64_t b = first; b <= last; ++b) {
    if (blocks[static_cast<std::size_t>(b)] != start + b - first) return std::nullopt;
  }
  return start * kBlock + from % kBlock;
}

const at::Tensor& KvState::rows(std::int64_t from, std::int64_t to) const {
  constexpr std::int64_t kBlock = KvMemory::kBlockTokens;
  Rows& known = known_rows_[from == 0 ? 0 : 1];
  if (known.index.defined() && known.from == from && known.to == to) return known.index;
  std::vector<std::int64_t> rows;
  rows.reserve(static_cast<std::size_t>(to - from));
  for (std::int64_t t = from; t < to; ++t) {
    rows.push_back(table_.blocks()[static_cast<std::size_t>(t / kBlock)] * kBlock + t % kBlock);
  }
  known = {from, to, at::tensor(rows, at::kLong).to(memory_->values().device())};
  return known.index;
}

at::Tensor KvState::seen(const at::Tensor& all, std::int64_t tokens) const {
  if (const auto start = run(0, tokens)) return all.narrow(0, *start, tokens).transpose(0, 1);
  return all.index_select(0, rows(0, tokens)).transpose(0, 1);  // [kv_heads, tokens, head_dim]
}

void KvState::write(const at::Tensor& all, std::int64_t dim, const at::Tensor& values) {
  const std::int64_t tokens = values.size(dim);
  if (const auto start = run(length_, length_ + tokens)) {
    all.narrow(dim, *start, tokens).copy_(values);
  } else {
    at::Tensor(all).index_copy_(dim, rows(length_, length_ + tokens), values);
  }
}

void KvState::append(int layer, const at::Tensor& keys, const at::Tensor& values) {
  const at::Tensor both = memory_->values()[layer];  // [2, rows, kv_heads, head_dim]
  write(both[0], 0, keys.transpose(0, 1));
  write(both[1], 0, values.transpose(0, 1));
}

KvState::View KvState::view(int layer, std::int64_t tokens) const {
  const at::Tensor both = memory_->values()[layer];
  return {seen(both[0], tokens), seen(both[1], tokens)};
}

at::Tensor KvState::attend(int layer, const at::Tensor& query, std::int64_t tokens) const {
  const KvShape& shape = memory_->shape();
  const at::Tensor both = memory_->values()[layer];
  const BlockedRows rows{both[0].const_data_ptr<float>(),
                         both[1].const_data_ptr<float>(),
                         table_.blocks(),
                         KvMemory::kBlockTokens,
                         tokens,
                         shape.kv_heads,
                         shape.head_dim};
  const at::Tensor whole = query.contiguous();
  at::Tensor result = at::empty({1, query.size(0) * shape.head_dim}, query.options());
  attend_token(whole.const_data_ptr<float>(), query.size(0), rows,
               result.mutable_data_ptr<float>());
  return result;
}

at::Tensor KvState::part(std::int64_t from, std::int64_t to) const {
  if (const auto start = run(from, to)) return memory_->values().narrow(2, *start, to - from);
  return memory_->values().index_select(2, rows(from, to));
}

std::vector<std::uint8_t> KvState::save(std::int64_t from, std::int64_t to) const {
  const KvShape& shape = memory_->shape();
  const auto type = c10::typeMetaToScalarType(shape.options.dtype());
  const SavedHeader header{shape.layers,   shape.kv_heads,
                           shape.head_dim, static_cast<std::int64_t>(type),
                           from,           to - from};
  const auto size = static_cast<std::size_t>((to - from) * shape.bytes_per_token());
  std::vector<std::uint8_t> bytes(sizeof(header) + size);
  std::memcpy(bytes.data(), &header, sizeof(header));
  if (from == to) return bytes;
  const at::Tensor saved = at::from_blob(
      bytes.data() + sizeof(header), {shape.layers, 2, to - from, shape.kv_heads, shape.head_dim},
      at::TensorOptions(type));
  at::Tensor(saved).copy_(part(from, to));
  return bytes;
}

void KvState::restore(std::span<const std::uint8_t> bytes) {
  const auto refuse = [](const char* why) -> void {
    throw Error(ErrorCode::input, std::string("saved state of a sequence: ") + why);
  };
  SavedHeader header;
  if (bytes.size() < sizeof(header)) refuse("it is cut off");
  std::memcpy(&header, bytes.data(), sizeof(header));
  const KvShape& shape = memory_->shape();
  const auto type = c10::typeMetaToScalarType(shape.options.dtype());
  const std::int64_t tokens = header.tokens;
  const SavedHeader wanted{shape.layers,   shape.kv_heads,
                           shape.head_dim, static_cast<std::int64_t>(type),
                           length_,        tokens};
  if (header != wanted) {
    refuse("it comes from a model of another shape or number format, or from another place");
  }
  // Sizes are bounded by the bytes that are there before any of them is multiplied up.
  const auto data_bytes = static_cast<std::int64_t>(bytes.size() - sizeof(header));
  const std::int64_t per_token = shape.bytes_per_token();
  if (tokens < 0 || data_bytes % per_token != 0 || data_bytes / per_token != tokens) {
    refuse("its size does not fit its header");
  }
  if (tokens == 0) return;
  if (!reserve(tokens)) throw std::bad_alloc();
  auto* data = const_cast<std::uint8_t*>(bytes.data() + sizeof(header));  // only read
  const at::Tensor saved = at::from_blob(
      data, {shape.layers, 2, tokens, shape.kv_heads, shape.head_dim}, at::TensorOptions(type));
  write(memory_->values(), 2, saved.to(shape.options.device()));
  length_ += tokens;
}

}  // namespace fineprint::nets
