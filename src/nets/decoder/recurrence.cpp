// Stores the states of recurrent layers, which sum up all tokens in one matrix for each head.
#include "nets/decoder/recurrence.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/util/Exception.h>

#include "fineprint/core/log.h"

namespace fineprint::nets {
namespace {

// Kinds in SavedHeader; saved files hold them, so they must not change.
constexpr std::int64_t kMatrices = 2, kTails = 3;

std::int64_t as_number(const at::TensorOptions& options) {
  return static_cast<std::int64_t>(c10::typeMetaToScalarType(options.dtype()));
}

// Returns the header of the matrices in a slot. There are no rows before the first token.
SavedHeader matrices_header(const RecurrenceShape& shape, std::int64_t tokens) {
  const std::int64_t rows = tokens == 0 ? 0 : shape.heads * shape.key_dim;
  const auto type = static_cast<std::int64_t>(at::kFloat);
  return {kMatrices, shape.layers, rows, shape.value_dim, type, 0, tokens};
}

SavedHeader tails_header(const RecurrenceShape& shape, std::int64_t tokens) {
  const std::int64_t rows = tokens == 0 ? 0 : shape.tail;
  return {kTails, shape.layers, rows, shape.channels, as_number(shape.options), 0, tokens};
}

std::int32_t slot_of(const serving::BlockTable& table) { return table.blocks().at(0); }

void save_slot(const SavedHeader& header, const at::Tensor& all, const serving::BlockTable& table,
               std::vector<std::uint8_t>* bytes) {
  const std::size_t begin = bytes->size();
  bytes->resize(begin + sizeof(header) + header.bytes());
  std::memcpy(bytes->data() + begin, &header, sizeof(header));
  if (header.bytes() == 0) return;
  const at::Tensor from = all[slot_of(table)];
  at::Tensor to = at::from_blob(bytes->data() + begin + sizeof(header), from.sizes(),
                                at::TensorOptions(from.scalar_type()));
  to.copy_(from);
}

// The header must match exactly, because a state cannot be used in part.
std::size_t restore_slot(const SavedHeader& wanted, const at::Tensor& all,
                         const serving::BlockTable& table, std::span<const std::uint8_t> bytes) {
  const SavedHeader header = saved_header(bytes);
  if (header != wanted) {
    refuse_saved("it is of another shape or number format, or of another token position");
  }
  if (header.bytes() > 0) {
    at::Tensor to = all[slot_of(table)];
    auto* data = const_cast<std::uint8_t*>(bytes.data() + sizeof(header));  // only read
    to.copy_(at::from_blob(data, to.sizes(), at::TensorOptions(to.scalar_type())));
  }
  return sizeof(header) + header.bytes();
}

}  // namespace

std::int64_t RecurrenceShape::bytes() const {
  const auto size = [](at::ScalarType type) {
    return static_cast<std::int64_t>(c10::elementSize(type));
  };
  return layers * (heads * key_dim * value_dim * size(at::kFloat) +
                   channels * tail * size(c10::typeMetaToScalarType(options.dtype())));
}

RecurrenceMemory::RecurrenceMemory(const RecurrenceShape& shape, std::int64_t slots)
    : shape_(shape),
      most_(slots),
      slots_(std::make_shared<serving::BlockPool>(
          most_, [this](std::int64_t wanted) { return grow(wanted); })) {}

// Allocated once for all slots, because states point into the tensors.
bool RecurrenceMemory::grow(std::int64_t slots) {
  if (matrices_.defined() || slots > most_) return false;
  // Both or neither: matrices_ is set last of all that may throw, and marks the memory as made.
  try {
    at::Tensor tails =
        at::empty({slots, shape_.layers, shape_.tail, shape_.channels}, shape_.options);
    matrices_ = at::empty({slots, shape_.layers, shape_.heads, shape_.key_dim, shape_.value_dim},
                          shape_.options.dtype(at::kFloat));
    tails_ = std::move(tails);
  } catch (const c10::Error&) {
    log::warn("cannot allocate memory for the states of {} sequences", slots);
    return false;
  }
  return true;
}

Recurrence::Recurrence(std::shared_ptr<RecurrenceMemory> memory)
    : memory_(std::move(memory)), now_(memory_->slots(), 1), next_(memory_->slots(), 1) {}

// Only the current slot is shared; a step that is under way belongs to this sequence alone.
std::unique_ptr<StatePart> Recurrence::fork() const {
  auto copy = std::make_unique<Recurrence>(memory_);
  copy->now_ = now_;
  return copy;
}

bool Recurrence::reserve(std::int64_t /*length*/, std::int64_t /*tokens*/) {
  // Always one slot, however many tokens: a state has a fixed size.
  return next_.reserve(0, 1, nullptr);
}

void Recurrence::unreserve(std::int64_t /*length*/) noexcept { next_.clear(); }

void Recurrence::advance(std::int64_t /*length*/, std::int64_t tokens) noexcept {
  // A step of no tokens wrote nothing into the next slot.
  if (tokens == 0) return;
  std::swap(now_, next_);
  next_.clear();
}

// A state has a fixed size, however many tokens it sums up.
std::size_t Recurrence::bytes(std::int64_t from, std::int64_t length) const {
  return from == length ? 0 : static_cast<std::size_t>(memory_->shape().bytes());
}

void Recurrence::save(std::int64_t /*from*/, std::int64_t length,
                      std::vector<std::uint8_t>* bytes) const {
  save_slot(matrices_header(memory_->shape(), length), memory_->matrices(), now_, bytes);
  save_slot(tails_header(memory_->shape(), length), memory_->tails(), now_, bytes);
}

std::size_t Recurrence::restore(std::int64_t /*length*/, std::int64_t to,
                                std::span<const std::uint8_t> bytes) {
  if (!next_.reserve(0, 1, nullptr)) throw std::bad_alloc();
  const RecurrenceShape& shape = memory_->shape();
  const std::size_t size =
      restore_slot(matrices_header(shape, to), memory_->matrices(), next_, bytes);
  return size + restore_slot(tails_header(shape, to), memory_->tails(), next_, bytes.subspan(size));
}

Recurrence::Layer Recurrence::before(int layer) const {
  if (now_.blocks().empty()) return {};
  const std::int32_t slot = slot_of(now_);
  return {memory_->matrices()[slot][layer], memory_->tails()[slot][layer]};
}

Recurrence::Layer Recurrence::after(int layer) const {
  const std::int32_t slot = slot_of(next_);
  return {memory_->matrices()[slot][layer], memory_->tails()[slot][layer]};
}

}  // namespace fineprint::nets
