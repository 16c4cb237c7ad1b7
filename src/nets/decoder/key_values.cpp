// Stores the keys and values of one sequence, for all layers that attend alike.
#include "nets/decoder/key_values.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>

#include "nets/layers/token_attention.h"

namespace fineprint::nets {
namespace {

// The kind in SavedHeader; saved files hold it, so it must not change.
constexpr std::int64_t kKeyValues = 1;
constexpr std::int64_t kBlock = KvMemory::kBlockTokens;

// Returns the first memory row of tokens [from, to) if their rows are consecutive, else nothing. A
// sequence that grows alone gets consecutive blocks, so this is the common case: its tokens are a
// view of the memory and need no gathering.
std::optional<std::int64_t> consecutive_rows(const serving::BlockTable& table, std::int64_t from,
                                             std::int64_t to) {
  const std::int64_t first = from / kBlock, last = (to - 1) / kBlock;
  const auto& blocks = table.blocks();
  const std::int32_t start = blocks[static_cast<std::size_t>(first)];
  for (std::int64_t b = first; b <= last; ++b) {
    if (blocks[static_cast<std::size_t>(b)] != start + b - first) return std::nullopt;
  }
  return start * kBlock + from % kBlock;
}

// Returns the memory row of each token, for blocks in any order.
at::Tensor row_index(const serving::BlockTable& table, std::int64_t from, std::int64_t to,
                     const at::Device& device) {
  std::vector<std::int64_t> rows;
  rows.reserve(static_cast<std::size_t>(to - from));
  for (std::int64_t t = from; t < to; ++t) {
    rows.push_back(table.blocks()[static_cast<std::size_t>(t / kBlock)] * kBlock + t % kBlock);
  }
  return at::tensor(rows, at::kLong).to(device);
}

// Two matrices for each layer, keys and values, hence the factor 2.
SavedHeader header_of(const KvShape& shape, std::int64_t from, std::int64_t to) {
  return {kKeyValues,
          shape.layers,
          2 * (to - from) * shape.kv_heads,
          shape.head_dim,
          static_cast<std::int64_t>(c10::typeMetaToScalarType(shape.options.dtype())),
          from,
          to - from};
}

// Returns saved values in the shape that the memory has.
at::Tensor as_memory(const KvShape& shape, std::int64_t tokens, const std::uint8_t* data) {
  return at::from_blob(const_cast<std::uint8_t*>(data),
                       {shape.layers, 2, tokens, shape.kv_heads, shape.head_dim},
                       at::TensorOptions(c10::typeMetaToScalarType(shape.options.dtype())));
}

}  // namespace

KeyValues::KeyValues(std::shared_ptr<KvMemory> memory)
    : memory_(std::move(memory)), table_(memory_->blocks(), kBlock) {}

std::unique_ptr<StatePart> KeyValues::fork() const {
  auto copy = std::make_unique<KeyValues>(memory_);
  copy->table_ = table_;
  return copy;
}

// A token sees itself and the window - 1 tokens before it, so the next one needs window - 1 of
// these.
std::int64_t KeyValues::first_kept(std::int64_t tokens) const {
  const std::int64_t window = memory_->shape().window;
  return window == 0 ? 0 : std::max<std::int64_t>(0, tokens - window + 1);
}

bool KeyValues::reserve(std::int64_t length, std::int64_t tokens) {
  const std::vector<std::int32_t> before = table_.blocks();
  const auto copy = [this](std::int32_t from, std::int32_t to) {
    memory_->values()
        .narrow(2, to * kBlock, kBlock)
        .copy_(memory_->values().narrow(2, from * kBlock, kBlock));
  };
  if (!table_.reserve(length, length + tokens, copy)) return false;
  // Row indices were computed from the old blocks.
  if (table_.blocks() != before) written_ = seen_ = {};
  return true;
}

void KeyValues::unreserve(std::int64_t length) noexcept {
  restored_.reset();
  table_.shrink(length);
  written_ = seen_ = {};
}

void KeyValues::advance(std::int64_t length, std::int64_t tokens) noexcept {
  if (restored_) {
    // Only now, because a restored state must not be seen before its step is counted.
    table_ = std::move(*restored_);
    restored_.reset();
    written_ = seen_ = {};
  }
  table_.forget(first_kept(length + tokens));
}

// Tokens outside the window are freed, so they do not count.
std::size_t KeyValues::bytes(std::int64_t from, std::int64_t length) const {
  const std::int64_t more = length - std::max(from, first_kept(length));
  return static_cast<std::size_t>(more * memory_->shape().bytes_per_token());
}

// The index is kept because all layers of a step ask for the same tokens.
at::Tensor KeyValues::seen(const at::Tensor& all, std::int64_t from, std::int64_t to) const {
  if (const auto start = consecutive_rows(table_, from, to)) {
    return all.narrow(0, *start, to - from).transpose(0, 1);
  }
  if (!seen_.index.defined() || seen_.from != from || seen_.to != to) {
    seen_ = {from, to, row_index(table_, from, to, all.device())};
  }
  return all.index_select(0, seen_.index).transpose(0, 1);  // [kv_heads, tokens, head_dim]
}

void KeyValues::write(const at::Tensor& all, std::int64_t length, const at::Tensor& values) {
  const std::int64_t end = length + values.size(0);
  if (const auto start = consecutive_rows(table_, length, end)) {
    all.narrow(0, *start, end - length).copy_(values);
    return;
  }
  if (!written_.index.defined() || written_.from != length || written_.to != end) {
    written_ = {length, end, row_index(table_, length, end, all.device())};
  }
  at::Tensor(all).index_copy_(0, written_.index, values);
}

void KeyValues::append(int layer, std::int64_t length, const at::Tensor& keys,
                       const at::Tensor& values) {
  const at::Tensor both = memory_->values()[layer];  // [2, rows, kv_heads, head_dim]
  write(both[0], length, keys.transpose(0, 1));
  write(both[1], length, values.transpose(0, 1));
}

KeyValues::View KeyValues::view(int layer, std::int64_t from, std::int64_t to) const {
  const at::Tensor both = memory_->values()[layer];
  return {seen(both[0], from, to), seen(both[1], from, to)};
}

at::Tensor KeyValues::attend(int layer, const at::Tensor& query, std::int64_t from,
                             std::int64_t to) const {
  const KvShape& shape = memory_->shape();
  const at::Tensor both = memory_->values()[layer];
  // Block tables go to the kernel as they are, because gathering would cost more than attending.
  const BlockedRows rows{both[0].const_data_ptr<float>(),
                         both[1].const_data_ptr<float>(),
                         table_.blocks(),
                         kBlock,
                         from,
                         to,
                         shape.kv_heads,
                         shape.head_dim};
  const at::Tensor contiguous_query = query.contiguous();
  at::Tensor result = at::empty({1, query.size(0) * shape.head_dim}, query.options());
  attend_token(contiguous_query.const_data_ptr<float>(), query.size(0), rows,
               result.mutable_data_ptr<float>());
  return result;
}

void KeyValues::save(std::int64_t from, std::int64_t length,
                     std::vector<std::uint8_t>* bytes) const {
  const KvShape& shape = memory_->shape();
  const std::int64_t first = std::max(from, first_kept(length));
  const SavedHeader header = header_of(shape, first, length);
  const std::size_t begin = bytes->size();
  bytes->resize(begin + sizeof(header) + header.bytes());
  std::memcpy(bytes->data() + begin, &header, sizeof(header));
  if (first == length) return;
  const at::Tensor& all = memory_->values();
  const auto start = consecutive_rows(table_, first, length);
  const at::Tensor saved =
      start ? all.narrow(2, *start, length - first)
            : all.index_select(2, row_index(table_, first, length, all.device()));
  as_memory(shape, length - first, bytes->data() + begin + sizeof(header)).copy_(saved);
}

std::size_t KeyValues::restore(std::int64_t length, std::int64_t to,
                               std::span<const std::uint8_t> bytes) {
  const KvShape& shape = memory_->shape();
  const SavedHeader header = saved_header(bytes);
  const std::int64_t first = std::max(length, first_kept(to));
  SavedHeader wanted = header_of(shape, first, first);
  wanted.tokens = to - first;
  wanted.rows = header.rows;
  // Divided and not multiplied, because the header may hold any number and a product could
  // overflow.
  const std::int64_t a_token = 2 * shape.kv_heads;
  if (header != wanted || header.rows % a_token != 0 || header.rows / a_token != to - first) {
    refuse_saved("it is of another shape or number format, or of another token position");
  }
  const std::size_t size = sizeof(header) + header.bytes();
  if (to == length) return size;
  // Works on a copy of the table, so that a failure leaves the state as it was.
  serving::BlockTable grown = table_;
  if (first > length) grown.forget(first);
  const std::int64_t used = std::max(length, first / kBlock * kBlock);
  const auto copy = [this](std::int32_t from_block, std::int32_t to_block) {
    memory_->values()
        .narrow(2, to_block * kBlock, kBlock)
        .copy_(memory_->values().narrow(2, from_block * kBlock, kBlock));
  };
  if (!grown.reserve(used, to, copy)) throw std::bad_alloc();
  const at::Tensor saved =
      as_memory(shape, to - first, bytes.data() + sizeof(header)).to(shape.options.device());
  at::Tensor(memory_->values())
      .index_copy_(2, row_index(grown, first, to, shape.options.device()), saved);
  restored_ = std::move(grown);
  return size;
}

}  // namespace fineprint::nets
