// The free list and owner counts of blocks, and tables that copy a shared block before writing to
// it.
#include "fineprint/serving/block_table.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::serving {

struct BlockPool::State {
  std::int64_t at_a_time;
  std::function<bool(std::int64_t)> grow;
  mutable std::mutex mutex;
  std::vector<std::int32_t> owners;  // [blocks]
  // A min-heap. Its capacity equals that of `owners`, so that giving a block back never allocates.
  std::vector<std::int32_t> free;

  bool grow_by(std::int64_t missing);
  std::int32_t& owners_of(std::int32_t block);
};

// Grows by a multiple of at_a_time. Both lists reserve their capacity first: once `grow` has
// provided memory, nothing may fail any more.
bool BlockPool::State::grow_by(std::int64_t missing) {
  const auto size = static_cast<std::int64_t>(owners.size());
  if (missing > std::numeric_limits<std::int32_t>::max() - at_a_time - size) return false;
  const std::int64_t more = (missing + at_a_time - 1) / at_a_time * at_a_time;
  const auto wanted = static_cast<std::size_t>(size + more);
  if (wanted > owners.capacity()) owners.reserve(std::max(wanted, owners.capacity() * 2));
  free.reserve(owners.capacity());
  if (!grow(more)) return false;
  owners.resize(wanted, 0);
  for (std::int64_t block = size; block < size + more; ++block) {
    free.push_back(static_cast<std::int32_t>(block));
    std::push_heap(free.begin(), free.end(), std::greater<>());
  }
  return true;
}

std::int32_t& BlockPool::State::owners_of(std::int32_t block) {
  const auto index = static_cast<std::size_t>(block);
  if (block < 0 || index >= owners.size() || owners[index] == 0) {
    throw Error(
        ErrorCode::internal,
        format("block {} of {} is used but was not taken from the pool", block, owners.size()));
  }
  return owners[index];
}

BlockPool::BlockPool(std::int64_t blocks_at_a_time, std::function<bool(std::int64_t)> grow)
    : state_(std::make_unique<State>()) {
  if (blocks_at_a_time < 1 || blocks_at_a_time > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorCode::internal,
                format("a block pool must grow by 1 to 2^31 - 1 blocks at a time, not by {}",
                       blocks_at_a_time));
  }
  state_->at_a_time = blocks_at_a_time;
  state_->grow = std::move(grow);
}

BlockPool::~BlockPool() = default;

std::optional<std::vector<std::int32_t>> BlockPool::take(std::int64_t count) {
  if (count < 0) throw Error(ErrorCode::internal, format("cannot take {} blocks", count));
  const std::lock_guard lock(state_->mutex);
  std::vector<std::int32_t>& free = state_->free;
  const std::int64_t missing = count - static_cast<std::int64_t>(free.size());
  if (missing > 0 && !state_->grow_by(missing)) return std::nullopt;
  std::vector<std::int32_t> taken;
  taken.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    // The lowest numbers first keep the used part of the memory compact.
    std::pop_heap(free.begin(), free.end(), std::greater<>());
    taken.push_back(free.back());
    free.pop_back();
    state_->owners[static_cast<std::size_t>(taken.back())] = 1;
  }
  return taken;
}

void BlockPool::share(std::int32_t block) {
  const std::lock_guard lock(state_->mutex);
  ++state_->owners_of(block);
}

void BlockPool::drop(std::int32_t block) {
  const std::lock_guard lock(state_->mutex);
  if (--state_->owners_of(block) > 0) return;
  state_->free.push_back(block);
  std::push_heap(state_->free.begin(), state_->free.end(), std::greater<>());
}

bool BlockPool::shared(std::int32_t block) const {
  const std::lock_guard lock(state_->mutex);
  return state_->owners_of(block) > 1;
}

std::int64_t BlockPool::size() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<std::int64_t>(state_->owners.size());
}

std::int64_t BlockPool::free() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<std::int64_t>(state_->free.size());
}

BlockTable::BlockTable(std::shared_ptr<BlockPool> pool, std::int64_t tokens_a_block)
    : pool_(std::move(pool)), tokens_a_block_(tokens_a_block) {
  if (!pool_ || tokens_a_block_ < 1) {
    throw Error(ErrorCode::internal, "a block table needs a pool and blocks of at least 1 token");
  }
}

BlockTable::~BlockTable() { clear(); }

BlockTable::BlockTable(const BlockTable& other)
    : pool_(other.pool_), tokens_a_block_(other.tokens_a_block_), blocks_(other.blocks_) {
  // A copy costs no memory until one of the two writes.
  for (const std::int32_t block : blocks_) {
    if (block != kForgotten) pool_->share(block);
  }
}

BlockTable::BlockTable(BlockTable&& other) noexcept
    : pool_(other.pool_),
      tokens_a_block_(other.tokens_a_block_),
      blocks_(std::exchange(other.blocks_, {})) {}

BlockTable& BlockTable::operator=(BlockTable other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(tokens_a_block_, other.tokens_a_block_);
  std::swap(blocks_, other.blocks_);
  return *this;
}

void BlockTable::shrink(std::int64_t tokens) {
  const auto needed = static_cast<std::size_t>((tokens + tokens_a_block_ - 1) / tokens_a_block_);
  while (blocks_.size() > needed) {
    if (blocks_.back() != kForgotten) pool_->drop(blocks_.back());
    blocks_.pop_back();
  }
}

void BlockTable::forget(std::int64_t tokens) {
  const auto count = static_cast<std::size_t>(tokens / tokens_a_block_);
  // From the end, up to the first forgotten block: all before it are forgotten as well.
  for (std::size_t i = std::min(count, blocks_.size()); i > 0 && blocks_[i - 1] != kForgotten;
       --i) {
    pool_->drop(blocks_[i - 1]);
    blocks_[i - 1] = kForgotten;
  }
  if (count > blocks_.size()) blocks_.resize(count, kForgotten);
}

void BlockTable::clear() { shrink(0); }

bool BlockTable::reserve(std::int64_t used, std::int64_t tokens, const CopyBlock& copy) {
  if (used < 0 || used > room()) {
    throw Error(
        ErrorCode::internal,
        format("a block table is said to hold {} tokens but has room for {}", used, room()));
  }
  const std::size_t had = blocks_.size();
  const auto needed =
      static_cast<std::size_t>(tokens / tokens_a_block_ + (tokens % tokens_a_block_ > 0 ? 1 : 0));
  // Existing blocks that will be written to although they have other owners.
  std::vector<std::size_t> replaced;
  const auto first = static_cast<std::size_t>(used / tokens_a_block_);
  for (std::size_t i = first; used < tokens && i < std::min(had, needed); ++i) {
    if (pool_->shared(blocks_[i])) replaced.push_back(i);
  }
  const std::size_t more = needed > had ? needed - had : 0;
  if (more + replaced.size() == 0) return true;
  // Before blocks are taken: the insertion below must not throw.
  blocks_.reserve(had + more);
  // Only the partly filled block holds tokens that are still needed; later ones are written from
  // their beginning.
  const bool copies = used % tokens_a_block_ > 0 && !replaced.empty() && replaced.front() == first;
  if (copies && !copy) {
    throw Error(
        ErrorCode::internal,
        "a shared block must be copied before it is written, but no copy function was given");
  }
  // One request for all blocks, so that a refusal changes nothing.
  const auto taken = pool_->take(static_cast<std::int64_t>(more + replaced.size()));
  if (!taken) return false;
  try {
    if (copies) copy(blocks_[first], taken->front());
  } catch (...) {
    for (const std::int32_t block : *taken) pool_->drop(block);
    throw;
  }
  auto next = taken->begin();
  for (const std::size_t i : replaced) {
    pool_->drop(blocks_[i]);
    blocks_[i] = *next++;
  }
  blocks_.insert(blocks_.end(), next, taken->end());
  return true;
}

}  // namespace fineprint::serving
