// Limits that are reached.
#include "fineprint/core/budget.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(Budget, CallsAreCounted) {
  Budget budget({.max_calls = 2});
  budget.spend_call();
  EXPECT_EQ(budget.refuses_call(), std::nullopt);
  budget.spend_call();
  EXPECT_EQ(budget.refuses_call(),
            "the limit of 2 model calls per question is reached (--max-calls)");
}

TEST(Budget, ImageTokensMayReachTheLimitButNotPassIt) {
  Budget budget({.max_image_tokens = 100});
  budget.spend_call(60);
  EXPECT_EQ(budget.refuses_call(40), std::nullopt);
  EXPECT_EQ(budget.refuses_call(41),
            "41 more image tokens would exceed the limit of 100 (--max-image-tokens)");
}

TEST(Budget, PagesCountEachTimeTheyAreShown) {
  Budget budget({.max_pages = 3});
  EXPECT_EQ(budget.refuses_call(0, 3), std::nullopt);
  budget.spend_call(0, 2);
  EXPECT_EQ(budget.refuses_call(), std::nullopt);
  EXPECT_EQ(budget.refuses_call(0, 1), std::nullopt);
  EXPECT_EQ(budget.refuses_call(0, 2),
            "2 more pages would exceed the limit of 3 pages per question (--max-pages)");
}

TEST(Budget, TimeRunsOut) {
  const Budget none({.max_seconds = 0});
  EXPECT_EQ(none.refuses_call(), "the limit of 0 seconds per question is reached (--max-seconds)");
  EXPECT_EQ(Budget().refuses_call(1'000'000'000), std::nullopt);
  EXPECT_GE(none.seconds(), 0);
}

}  // namespace
}  // namespace fineprint
