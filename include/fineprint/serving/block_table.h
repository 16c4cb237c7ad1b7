// Memory in blocks of equal size that sequences share: which blocks are taken, and by how many.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fineprint::serving {

// Hands out numbers of blocks, the lowest free one first, and counts their owners. Safe from many
// threads.
class BlockPool {
 public:
  // `grow(blocks)` is asked for memory of that many more blocks, a multiple of `blocks_at_a_time`,
  // when too few are free; they are numbered on from size(). false, or an exception: there is none,
  // and nothing changes. It is called with the pool's lock held.
  BlockPool(std::int64_t blocks_at_a_time, std::function<bool(std::int64_t)> grow);
  ~BlockPool();

  // All or none.
  std::optional<std::vector<std::int32_t>> take(std::int64_t count);
  void share(std::int32_t block);  // one owner more
  void drop(std::int32_t block);   // one less; free when none is left
  bool shared(std::int32_t block) const;
  std::int64_t size() const;  // taken and free
  std::int64_t free() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The blocks of one sequence, in order; the last may be filled in part. Gives its blocks back when
// it ends. A copy shares the blocks of the original.
class BlockTable {
 public:
  BlockTable(std::shared_ptr<BlockPool> pool, std::int64_t tokens_a_block);
  ~BlockTable();
  BlockTable(const BlockTable& other);
  BlockTable(BlockTable&&) noexcept;
  BlockTable& operator=(BlockTable other) noexcept;

  using CopyBlock = std::function<void(std::int32_t from, std::int32_t to)>;
  // Room for `tokens` in all, of which the first `used` are filled. When tokens will be written
  // into a block that others own too, it is replaced by one of its own, into which `copy` puts what
  // the other holds if that is filled in part. Blocks at hand beyond `tokens` stay. false, or an
  // exception of `copy`: no memory; nothing has changed.
  bool reserve(std::int64_t used, std::int64_t tokens, const CopyBlock& copy);
  // Gives back the blocks behind those that hold the first `tokens`.
  void shrink(std::int64_t tokens);
  // Gives back the blocks that hold none but the first `tokens`, or does without them where there
  // are none yet; their places stay, as kForgotten.
  void forget(std::int64_t tokens);
  void clear();
  std::int64_t room() const { return tokens_a_block_ * static_cast<std::int64_t>(blocks_.size()); }
  const std::vector<std::int32_t>& blocks() const { return blocks_; }
  static constexpr std::int32_t kForgotten = -1;

 private:
  std::shared_ptr<BlockPool> pool_;
  std::int64_t tokens_a_block_;
  std::vector<std::int32_t> blocks_;
};

}  // namespace fineprint::serving
