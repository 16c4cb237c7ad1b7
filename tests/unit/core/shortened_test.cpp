// Long texts are cut in the middle, between characters, and say so.
#include "fineprint/core/shortened.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(Shortened, LongTextsLoseTheirMiddle) {
  EXPECT_EQ(shortened("brief", 5), "brief");
  EXPECT_EQ(shortened("", 0), "");
  std::string digits = "q.jsonl:1: ";
  for (int i = 0; i < 1'000'000; ++i) digits += "é";
  digits += "; mend it";
  const std::string said = shortened(digits, 2000);
  EXPECT_LT(said.size(), 2100U);
  EXPECT_TRUE(said.starts_with("q.jsonl:1: éé")) << said.substr(0, 20);
  EXPECT_TRUE(said.ends_with("é; mend it"));
  const std::size_t note = said.find(" ... (");
  ASSERT_NE(note, std::string::npos);
  EXPECT_EQ(said.substr(note - 2, 2), "é");
  const std::size_t left_out = std::stoul(said.substr(note + 6));
  const std::string between = " ... (" + std::to_string(left_out) + " bytes left out) ... ";
  EXPECT_EQ(said.substr(note, between.size()), between);
  EXPECT_EQ(said.size() - between.size() + left_out, digits.size());
}

}  // namespace
}  // namespace fineprint
