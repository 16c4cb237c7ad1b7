// Tests of joined and trimmed texts, of ASCII letters and of years.
#include "fineprint/core/text.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(JoinTexts, PutsTheSeparatorBetweenTexts) {
  EXPECT_EQ(join_texts(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(join_texts(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(join_texts(std::set<std::string>{"b", "a"}, " or "), "a or b");
  EXPECT_EQ(join_texts(std::vector<std::string_view>{"", "", "c"}, ","), ",,c");
}

TEST(JoinTexts, TakesAMemberOrAFunction) {
  struct Named {
    std::string_view name;
    int number = 0;
  };
  const std::vector<Named> all = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(join_texts(all, ", ", &Named::name), "a, b");
  EXPECT_EQ(join_texts(all, ".", [](const Named& one) { return std::to_string(one.number); }),
            "1.2");
}

TEST(Trim, RemovesBlanksAroundTheText) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\fa"), "\fa");
}

TEST(CountWords, CountsRunsWithoutBlanks) {
  EXPECT_EQ(count_spaced_words(""), 0U);
  EXPECT_EQ(count_spaced_words(" \n\t"), 0U);
  EXPECT_EQ(count_spaced_words("Revenue, 2019\n is  up\t"), 4U);
}

TEST(LowerAscii, LeavesOtherBytes) { EXPECT_EQ(lower_ascii("PDF [Ä] z"), "pdf [Ä] z"); }

TEST(BareYear, IsFourDigitsAlone) {
  for (const char* year : {"1900", "2019", "2099"}) EXPECT_TRUE(is_bare_year(year)) << year;
  for (const char* other : {"", "19", "1899", "2100", "20195", "FY2019", "20.5", "19a9"}) {
    EXPECT_FALSE(is_bare_year(other)) << other;
  }
}

}  // namespace
}  // namespace fineprint
