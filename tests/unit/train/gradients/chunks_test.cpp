// Tests of how a batch is cut into chunks.
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "train/gradients/gradient_cache.h"

namespace fineprint::train {
namespace {

std::vector<std::int64_t> lengths_of(const std::vector<Chunk>& chunks,
                                     const std::vector<std::int64_t>& items) {
  std::vector<std::int64_t> lengths;
  std::int64_t next = 0;
  for (const Chunk& chunk : chunks) {
    EXPECT_EQ(chunk.begin, next);  // none is left out or read twice
    next = chunk.end;
    lengths.push_back(
        std::accumulate(items.begin() + chunk.begin, items.begin() + chunk.end, std::int64_t{0}));
  }
  EXPECT_EQ(next, std::ssize(items));
  return lengths;
}

using Lengths = std::vector<std::int64_t>;

TEST(Chunks, FillUpToTheMost) {
  const Lengths items = {3, 3, 3, 9, 1, 1};
  EXPECT_EQ(lengths_of(chunks_of(items, 7), items), (Lengths{6, 3, 9, 2}));
}

TEST(Chunks, EvenOnesAreAPowerOfTwoAndOfAboutOneLength) {
  const Lengths items(10, 10);
  EXPECT_EQ(lengths_of(even_chunks_of(items, 100), items), (Lengths{100}));
  EXPECT_EQ(lengths_of(even_chunks_of(items, 99), items), (Lengths{50, 50}));
  EXPECT_EQ(lengths_of(even_chunks_of(items, 49), items), (Lengths{30, 20, 30, 20}));
}

TEST(Chunks, EvenOnesOfItemsThatDiffer) {
  const Lengths items = {40, 1, 1, 1, 1, 40};
  EXPECT_EQ(lengths_of(even_chunks_of(items, 60), items), (Lengths{42, 42}));
  const Lengths one_long = {1, 1, 100};
  EXPECT_EQ(lengths_of(even_chunks_of(one_long, 10), one_long), (Lengths{2, 100}));
  EXPECT_TRUE(even_chunks_of(Lengths{}, 10).empty());
}

}  // namespace
}  // namespace fineprint::train
