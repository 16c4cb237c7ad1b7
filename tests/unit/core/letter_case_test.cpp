// Letters of all scripts.
#include "fineprint/core/letter_case.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(LetterCase, MapsWhole) {
  EXPECT_EQ(lower_case("ABC 1"), "abc 1");
  EXPECT_EQ(upper_case("stra\xC3\x9F"
                       "e"),
            "STRASSE");
  EXPECT_EQ(lower_case("\xC3\x84"), "\xC3\xA4");
  EXPECT_EQ(lower_case("\xCE\x91\xCE\xA3"), "\xCE\xB1\xCF\x82");  // a sigma at the end of a word
}

TEST(LetterCase, Digits) {
  EXPECT_EQ(digit_value(U'7'), 7);
  EXPECT_EQ(digit_value(U'\u0663'), 3);
  EXPECT_EQ(digit_value(U'x'), -1);
  EXPECT_EQ(digit_value(U'\u00B2'), -1);  // a raised 2 is no decimal digit
}

}  // namespace
}  // namespace fineprint
