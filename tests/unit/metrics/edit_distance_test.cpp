// The distance is a metric, and counts code points.
#include "metrics/edit_distance.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "metrics/python/text.h"

namespace fineprint::metrics {
namespace {

TEST(EditDistance, ByHand) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("caf\xC3\xA9", "cafe"), 1U);
  EXPECT_EQ(edit_distance("ab", "ba"), 2U);
  EXPECT_EQ(edit_distance("abab", "ab"), 2U);
}

// All texts of up to four letters of two.
std::vector<std::string> short_texts() {
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; all[i].size() < 4; ++i) {
    all.push_back(all[i] + "a");
    all.push_back(all[i] + "\xC3\xA9");
    if (all[i].size() >= 4) break;
  }
  return all;
}

TEST(EditDistance, IsAMetric) {
  const std::vector<std::string> texts = short_texts();
  ASSERT_GT(texts.size(), 10U);
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      const std::size_t distance = edit_distance(a, b);
      EXPECT_EQ(distance, edit_distance(b, a));
      EXPECT_EQ(distance == 0, a == b);
      const std::size_t longer = std::max(python::length(a), python::length(b));
      const std::size_t shorter = std::min(python::length(a), python::length(b));
      EXPECT_GE(distance, longer - shorter);
      EXPECT_LE(distance, longer);
      for (const std::string& c : texts) {
        EXPECT_LE(distance, edit_distance(a, c) + edit_distance(c, b));
      }
    }
  }
}

}  // namespace
}  // namespace fineprint::metrics
