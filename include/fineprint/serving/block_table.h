// Shares memory between sequences in blocks of equal size: counts the owners of each block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fineprint::serving {

// Hands out block numbers, the lowest free one first, and counts the owners of each block. Holds no
// memory itself. Thread-safe.
class BlockPool {
 public:
  // `grow(blocks)` is called if too few blocks are free. It must provide memory for that many more
  // blocks, a multiple of `blocks_at_a_time`; they are numbered from size() on. If it returns false
  // or throws, there is no memory and the pool is unchanged. The pool's lock is held during the
  // call, so `grow` must not use the pool.
  BlockPool(std::int64_t blocks_at_a_time, std::function<bool(std::int64_t)> grow);
  ~BlockPool();

  // Returns `count` blocks with one owner each, or nullopt if there are not enough; then none are
  // taken.
  std::optional<std::vector<std::int32_t>> take(std::int64_t count);
  void share(std::int32_t block);  // adds an owner
  void drop(std::int32_t block);   // removes an owner; the block is free when none is left
  // Returns true if the block has more than one owner.
  bool shared(std::int32_t block) const;
  std::int64_t size() const;  // all blocks, taken and free
  std::int64_t free() const;  // free blocks

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The blocks of one sequence, in order; the last one may be partly filled. The destructor gives the
// blocks back. A copy shares the blocks of the original, for example when a prompt begins like one
// that was read before.
class BlockTable {
 public:
  // `tokens_a_block` is the capacity of one block.
  BlockTable(std::shared_ptr<BlockPool> pool, std::int64_t tokens_a_block);
  ~BlockTable();
  BlockTable(const BlockTable& other);
  BlockTable(BlockTable&&) noexcept;
  BlockTable& operator=(BlockTable other) noexcept;

  // Copies the contents of block `from` to block `to`.
  using CopyBlock = std::function<void(std::int32_t from, std::int32_t to)>;
  // Makes room for `tokens` tokens in all, the first `used` of which are filled. If tokens will be
  // written into a block that has other owners, a new block replaces it; `copy` copies the contents
  // if the block is partly filled. Blocks beyond `tokens` are kept. If there is no memory (returns
  // false) or if `copy` throws, nothing changes.
  bool reserve(std::int64_t used, std::int64_t tokens, const CopyBlock& copy);
  // Gives back the blocks after the ones that hold the first `tokens` tokens.
  void shrink(std::int64_t tokens);
  // Gives back the blocks that hold only the first `tokens` tokens, or never allocates them if
  // there are none yet. Their entries remain as kForgotten, so that later tokens keep their
  // positions. Used for attention with a window, which never reads old tokens again.
  void forget(std::int64_t tokens);
  // Gives back all blocks.
  void clear();
  // Returns the number of tokens that fit, forgotten ones included.
  std::int64_t room() const { return tokens_a_block_ * static_cast<std::int64_t>(blocks_.size()); }
  // Returns the block of each `tokens_a_block` tokens, or kForgotten.
  const std::vector<std::int32_t>& blocks() const { return blocks_; }
  static constexpr std::int32_t kForgotten = -1;

 private:
  std::shared_ptr<BlockPool> pool_;
  std::int64_t tokens_a_block_;
  std::vector<std::int32_t> blocks_;
};

}  // namespace fineprint::serving
