// Blocks: lowest first, counted owners, all or none; tables that never write into another's block.
#include "fineprint/serving/block_table.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::serving {
namespace {

using Numbers = std::vector<std::int32_t>;

// Which blocks were copied where.
struct Copies {
  std::vector<std::pair<std::int32_t, std::int32_t>> made;
  BlockTable::CopyBlock add() {
    return [this](std::int32_t from, std::int32_t to) { made.emplace_back(from, to); };
  }
};

// A pool that may grow up to `limit` blocks.
std::shared_ptr<BlockPool> limited_pool(std::int64_t at_a_time, std::int64_t limit) {
  auto left = std::make_shared<std::int64_t>(limit);
  return std::make_shared<BlockPool>(at_a_time, [left](std::int64_t blocks) {
    if (blocks > *left) return false;
    *left -= blocks;
    return true;
  });
}

TEST(BlockPool, LowestFreeBlockComesFirst) {
  const auto pool = limited_pool(4, 8);
  EXPECT_EQ(pool->take(3), (Numbers{0, 1, 2}));
  EXPECT_EQ(pool->take(3), (Numbers{3, 4, 5}));
  pool->drop(4);
  pool->drop(1);
  pool->drop(2);
  EXPECT_EQ(pool->take(4), (Numbers{1, 2, 4, 6}));
  EXPECT_EQ(pool->size(), 8);
  EXPECT_EQ(pool->free(), 1);
}

TEST(BlockPool, AllOrNone) {
  const auto pool = limited_pool(2, 4);
  EXPECT_EQ(pool->take(5), std::nullopt);
  EXPECT_EQ(pool->size(), 0);
  EXPECT_EQ(pool->take(3), (Numbers{0, 1, 2}));
  EXPECT_EQ(pool->take(2), std::nullopt);
  EXPECT_EQ(pool->free(), 1);
  EXPECT_EQ(pool->take(0), Numbers{});
  EXPECT_EQ(pool->take(1), Numbers{3});
}

TEST(BlockPool, AsksForWholePortionsOnlyWhenNeeded) {
  std::vector<std::int64_t> asked;
  BlockPool pool(4, [&](std::int64_t blocks) {
    asked.push_back(blocks);
    return true;
  });
  pool.take(1);
  pool.take(3);
  pool.take(9);
  EXPECT_EQ(asked, (std::vector<std::int64_t>{4, 12}));
}

TEST(BlockPool, AFailedGrowthChangesNothing) {
  bool fails = false;
  BlockPool pool(2, [&](std::int64_t) {
    if (fails) throw std::bad_alloc();
    return true;
  });
  pool.take(1);
  fails = true;
  EXPECT_THROW(pool.take(2), std::bad_alloc);
  EXPECT_EQ(pool.size(), 2);
  EXPECT_EQ(pool.free(), 1);
  EXPECT_EQ(pool.take(1), Numbers{1});
  fails = false;
  EXPECT_EQ(pool.take(1), Numbers{2});
}

TEST(BlockPool, OwnersAreCounted) {
  const auto pool = limited_pool(1, 2);
  pool->take(1);
  EXPECT_FALSE(pool->shared(0));
  pool->share(0);
  EXPECT_TRUE(pool->shared(0));
  pool->drop(0);
  EXPECT_FALSE(pool->shared(0));
  EXPECT_EQ(pool->free(), 0);
  pool->drop(0);
  EXPECT_EQ(pool->free(), 1);
}

TEST(BlockPool, MistakesAreNamed) {
  const auto pool = limited_pool(1, 2);
  EXPECT_THROW(pool->drop(0), Error);
  pool->take(1);
  pool->drop(0);
  EXPECT_THROW(pool->drop(0), Error);
  EXPECT_THROW(pool->share(0), Error);
  EXPECT_THROW(pool->share(-1), Error);
  EXPECT_THROW(pool->take(-1), Error);
  EXPECT_THROW(BlockPool(0, [](std::int64_t) { return true; }), Error);
}

TEST(BlockTable, RoomIsWholeBlocks) {
  BlockTable table(limited_pool(1, 10), 16);
  Copies copies;
  EXPECT_TRUE(table.reserve(0, 1, copies.add()));
  EXPECT_EQ(table.room(), 16);
  EXPECT_TRUE(table.reserve(1, 16, copies.add()));
  EXPECT_EQ(table.blocks(), Numbers{0});
  EXPECT_TRUE(table.reserve(16, 33, copies.add()));
  EXPECT_EQ(table.blocks(), (Numbers{0, 1, 2}));
  EXPECT_TRUE(copies.made.empty());
  EXPECT_FALSE(table.reserve(33, 161, copies.add()));
  EXPECT_EQ(table.room(), 48);
  EXPECT_TRUE(table.reserve(33, 33, nullptr));
}

TEST(BlockTable, ThePartlyFilledBlockIsCopiedBeforeItIsWrittenTo) {
  const auto pool = limited_pool(1, 10);
  BlockTable first(pool, 4);
  Copies copies;
  ASSERT_TRUE(first.reserve(0, 6, copies.add()));
  BlockTable second = first;
  EXPECT_EQ(second.blocks(), (Numbers{0, 1}));
  EXPECT_TRUE(pool->shared(0) && pool->shared(1));
  ASSERT_TRUE(second.reserve(6, 9, copies.add()));
  EXPECT_EQ(second.blocks(), (Numbers{0, 2, 3}));
  ASSERT_EQ(copies.made.size(), 1U);
  EXPECT_EQ(copies.made[0], std::pair(1, 2));
  // The first is now the only owner of block 1: nothing to copy.
  copies.made.clear();
  ASSERT_TRUE(first.reserve(6, 8, copies.add()));
  EXPECT_TRUE(copies.made.empty());
  EXPECT_EQ(first.blocks(), (Numbers{0, 1}));
}

TEST(BlockTable, WholeBlocksStayShared) {
  const auto pool = limited_pool(1, 10);
  BlockTable first(pool, 4);
  Copies copies;
  ASSERT_TRUE(first.reserve(0, 8, copies.add()));
  BlockTable second = first;
  ASSERT_TRUE(second.reserve(8, 12, copies.add()));
  EXPECT_EQ(second.blocks(), (Numbers{0, 1, 2}));
  // A fork at a fork point goes on over blocks that hold nothing of its own.
  BlockTable third = first;
  ASSERT_TRUE(third.reserve(4, 5, copies.add()));
  EXPECT_EQ(third.blocks(), (Numbers{0, 3}));
  EXPECT_TRUE(copies.made.empty());
}

TEST(BlockTable, WithoutMemoryNothingChanges) {
  const auto pool = limited_pool(1, 2);
  BlockTable first(pool, 4);
  Copies copies;
  ASSERT_TRUE(first.reserve(0, 6, copies.add()));
  BlockTable second = first;
  EXPECT_FALSE(second.reserve(6, 7, copies.add()));
  EXPECT_EQ(second.blocks(), first.blocks());
  EXPECT_TRUE(copies.made.empty());
  EXPECT_TRUE(pool->shared(1));
  first.clear();
  EXPECT_TRUE(second.reserve(6, 7, copies.add()));
  EXPECT_TRUE(copies.made.empty());
}

TEST(BlockTable, ACopyThatFailsChangesNothing) {
  const auto pool = limited_pool(1, 5);
  BlockTable first(pool, 4);
  Copies copies;
  ASSERT_TRUE(first.reserve(0, 6, copies.add()));
  BlockTable second = first;
  const auto fails = [](std::int32_t, std::int32_t) { throw std::bad_alloc(); };
  EXPECT_THROW(second.reserve(6, 12, fails), std::bad_alloc);
  EXPECT_EQ(second.blocks(), first.blocks());
  EXPECT_TRUE(pool->shared(1));
  EXPECT_TRUE(second.reserve(6, 12, copies.add()));
  EXPECT_EQ(copies.made.size(), 1U);
  EXPECT_EQ(pool->size(), 4);
}

TEST(BlockTable, BlocksComeBack) {
  const auto pool = limited_pool(1, 8);
  {
    BlockTable table(pool, 1);
    ASSERT_TRUE(table.reserve(0, 8, nullptr));
    BlockTable copy = table;
    BlockTable moved = std::move(copy);
    table = moved;
    EXPECT_EQ(pool->free(), 0);
    EXPECT_TRUE(copy.blocks().empty());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(copy.reserve(0, 0, nullptr));
  }
  EXPECT_EQ(pool->free(), 8);
}

// Random forks and writes against tables that simply hold their tokens.
TEST(BlockTable, ForksNeverSeeEachOthersWrites) {
  constexpr std::int64_t kTokens = 4;
  const auto pool = limited_pool(3, 24);
  std::vector<int> memory(24 * kTokens);
  struct Holder {
    BlockTable table;
    std::vector<int> tokens;
  };
  std::vector<Holder> holders;
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    const auto choice = random() % 8;
    if (holders.empty() || (choice == 0 && holders.size() < 12)) {
      holders.push_back({BlockTable(pool, kTokens), {}});
    } else if (choice == 1 && holders.size() < 12) {
      holders.push_back(Holder(holders[random() % holders.size()]));
      // A fork of a part.
      Holder& fork = holders.back();
      fork.tokens.resize(fork.tokens.size() - random() % (fork.tokens.size() + 1) / 2);
    } else if (choice == 2) {
      std::swap(holders[random() % holders.size()], holders.back());
      holders.pop_back();
    } else {
      Holder& holder = holders[random() % holders.size()];
      const auto used = static_cast<std::int64_t>(holder.tokens.size());
      const auto total = used + static_cast<std::int64_t>(random() % 7);
      const auto copy = [&](std::int32_t from, std::int32_t to) {
        if (random() % 4 == 0) throw std::bad_alloc();
        std::copy_n(memory.begin() + from * kTokens, kTokens, memory.begin() + to * kTokens);
      };
      try {
        if (!holder.table.reserve(used, total, copy)) continue;
      } catch (const std::bad_alloc&) {
        continue;
      }
      for (std::int64_t i = used; i < total; ++i) {
        holder.tokens.push_back(static_cast<int>(random()));
        const auto block = holder.table.blocks()[static_cast<std::size_t>(i / kTokens)];
        memory[static_cast<std::size_t>(block * kTokens + i % kTokens)] = holder.tokens.back();
      }
    }
    for (const Holder& holder : holders) {
      for (std::size_t i = 0; i < holder.tokens.size(); ++i) {
        const auto block = holder.table.blocks()[i / kTokens];
        ASSERT_EQ(memory[static_cast<std::size_t>(block) * kTokens + i % kTokens], holder.tokens[i])
            << "round " << round;
      }
    }
  }
  holders.clear();
  EXPECT_EQ(pool->free(), pool->size());
}

TEST(BlockTable, ManyThreadsTakeAndForkAtOnce) {
  const auto pool = limited_pool(8, 64);
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 8; ++seed) {
    threads.emplace_back([pool, seed] {
      std::mt19937 random(seed);
      std::vector<BlockTable> tables;
      for (int round = 0; round < 2000; ++round) {
        if (tables.size() > 4) tables.erase(tables.begin());
        if (tables.empty() || random() % 2 == 0) {
          tables.emplace_back(pool, 2);
        } else {
          tables.push_back(BlockTable(tables.back()));
        }
        Copies copies;
        const std::int64_t used = tables.back().room();
        tables.back().reserve(used, used + static_cast<std::int64_t>(random() % 5), copies.add());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool->free(), pool->size());
  // Every block is there once.
  Numbers all = *pool->take(pool->size());
  Numbers expected(all.size());
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

// Places stay, so that what comes later lies where it would have.
TEST(BlockTable, ForgetsItsBeginning) {
  const auto pool = limited_pool(1, 8);
  BlockTable table(pool, 4);
  ASSERT_TRUE(table.reserve(0, 20, nullptr));
  const std::int32_t third = table.blocks()[2];
  table.forget(11);
  EXPECT_EQ(table.blocks()[1], BlockTable::kForgotten);
  EXPECT_EQ(table.blocks()[2], third);
  EXPECT_EQ(pool->free(), pool->size() - 3);
  {
    const BlockTable copy = table;
    table.forget(16);
    EXPECT_EQ(pool->free(), pool->size() - 3) << "the copy still has them";
  }
  EXPECT_EQ(pool->free(), pool->size() - 1);
  EXPECT_EQ(table.room(), 20);
  ASSERT_TRUE(table.reserve(20, 24, nullptr));
  table.shrink(3);
  EXPECT_EQ(pool->free(), pool->size());
  EXPECT_EQ(table.room(), 4);
  // One that begins later has no memory for what is before.
  BlockTable late(pool, 4);
  late.forget(400);
  EXPECT_EQ(late.room(), 400);
  ASSERT_TRUE(late.reserve(400, 403, nullptr));
  EXPECT_EQ(pool->free(), pool->size() - 1);
}

}  // namespace
}  // namespace fineprint::serving
