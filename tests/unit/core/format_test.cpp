// Patterns, argument kinds and patterns that do not fit.
#include "fineprint/core/format.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

TEST(Format, TakesEveryKindOfArgument) {
  const std::string owned = "b";
  EXPECT_EQ(format("{} {} {} {} {}", 1, -2L, 3u, true, "a"), "1 -2 3 true a");
  EXPECT_EQ(format("{}{}{}", owned, std::string_view("c"), std::string("d")), "bcd");
  EXPECT_EQ(format("{:.2f}|{:>4}|{:04x}|{}", 1.005f, "x", 255, 0.1), "1.00|   x|00ff|0.1");
  EXPECT_EQ(format("no fields {{}}"), "no fields {}");
  EXPECT_EQ(format("{1} {0}", 1, 2), "2 1");
}

TEST(Format, RefusesPatternsThatDoNotFit) {
  for (const char* pattern : {"{} {}", "{", "{:d}"}) {
    try {
      format(pattern, "x");
      ADD_FAILURE() << pattern;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::internal);
    }
  }
}

}  // namespace
}  // namespace fineprint
