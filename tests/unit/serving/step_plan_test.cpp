// Shares of a step: one token for each who generates, even shares for prompts, nobody forgotten.
#include "serving/step_plan.h"

#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::serving {
namespace {

using Counts = std::vector<std::int64_t>;

ReadingSequence prompt(std::int64_t unread, std::int64_t smallest = 1) {
  return {unread, smallest};
}
ReadingSequence generating(std::int64_t unread, std::uint64_t last_step = 0) {
  return {unread, 1, true, last_step};
}

Counts share(const std::vector<ReadingSequence>& sequences, std::int64_t tokens) {
  return share_step(sequences, tokens);
}

TEST(EngineStepPlan, ThoseWhoGenerateComeFirst) {
  EXPECT_EQ(share({prompt(1000), generating(1), generating(1)}, 100), (Counts{98, 1, 1}));
}

TEST(EngineStepPlan, AFewTokensAreReadAtOnce) {
  EXPECT_EQ(share({generating(5), generating(1)}, 100), (Counts{5, 1}));
  EXPECT_EQ(share({generating(16), generating(1)}, 10), (Counts{9, 1}));
}

TEST(EngineStepPlan, PromptsShareEvenly) {
  EXPECT_EQ(share({prompt(1000), prompt(1000), prompt(1000), prompt(1000)}, 100),
            (Counts{25, 25, 25, 25}));
  EXPECT_EQ(share({prompt(1000), prompt(1000), prompt(1000)}, 100), (Counts{33, 33, 34}));
}

TEST(EngineStepPlan, WhatShortPromptsLeaveGoesToTheOldest) {
  EXPECT_EQ(share({prompt(1000), prompt(10), prompt(10)}, 300), (Counts{280, 10, 10}));
}

TEST(EngineStepPlan, APromptInOnePieceMayBeOverTheStep) {
  EXPECT_EQ(share({prompt(500, 500), prompt(50)}, 100), (Counts{500, 0}));
  EXPECT_EQ(share({prompt(50), prompt(500, 500)}, 100), (Counts{50, 0}));
  EXPECT_EQ(share({prompt(20), prompt(70, 70)}, 100), (Counts{20, 70}));
}

TEST(EngineStepPlan, InACrowdThoseWhoWaitedLongestRead) {
  EXPECT_EQ(share({generating(1, 9), generating(1, 7), generating(1, 8)}, 2), (Counts{0, 1, 1}));
  EXPECT_EQ(share({prompt(10), generating(1, 7)}, 1), (Counts{1, 0}));
}

TEST(EngineStepPlan, NobodyReadsOverAForkPoint) {
  const auto before = [](std::int64_t largest) {
    return ReadingSequence{1000, 1, false, 0, largest};
  };
  EXPECT_EQ(share({before(10)}, 100), (Counts{10}));
  EXPECT_EQ(share({before(10), prompt(1000)}, 100), (Counts{10, 90}));
  EXPECT_EQ(share({before(80), before(90)}, 100), (Counts{50, 50}));
  // One that reads its prompt again after it was put back.
  EXPECT_EQ(share({{12, 1, true, 0, 5}, prompt(1000)}, 100), (Counts{5, 95}));
}

// Over many random steps: within the budget, no part below the smallest, everyone gets on.
TEST(EngineStepPlan, NobodyIsForgotten) {
  std::mt19937 random(3);
  const auto below = [&](unsigned end) { return static_cast<std::int64_t>(random() % end); };
  for (int round = 0; round < 500; ++round) {
    std::vector<ReadingSequence> sequences;
    for (std::int64_t i = below(40); i >= 0; --i) {
      const std::int64_t unread = 1 + below(200);
      const bool whole = random() % 5 == 0;
      const std::int64_t largest = whole || random() % 2 == 0 ? unread : 1 + below(50);
      sequences.push_back({unread, whole ? unread : 1, !whole && random() % 2 == 0, 0, largest});
    }
    const std::int64_t tokens = 1 + below(300);
    std::int64_t all = 0;
    for (const ReadingSequence& sequence : sequences) all += sequence.unread;
    std::uint64_t step = 0;
    while (!sequences.empty()) {
      ASSERT_LE(++step, static_cast<std::uint64_t>(all));
      const Counts counts = share(sequences, tokens);
      ASSERT_EQ(counts.size(), sequences.size());
      std::int64_t sum = 0, pieces = 0;
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        ASSERT_GE(counts[i], 0);
        ASSERT_LE(counts[i], std::min(sequences[i].unread, sequences[i].largest));
        if (counts[i] == 0) continue;
        ASSERT_GE(counts[i], std::min(sequences[i].unread, sequences[i].smallest));
        if (sequences[i].smallest > 1) pieces = std::max(pieces, counts[i]);
        sum += counts[i];
        sequences[i].unread -= counts[i];
        sequences[i].last_step = step;
      }
      ASSERT_GT(sum, 0);
      ASSERT_LE(sum, tokens + pieces);
      std::erase_if(sequences,
                    [](const ReadingSequence& sequence) { return sequence.unread == 0; });
    }
  }
}

}  // namespace
}  // namespace fineprint::serving
