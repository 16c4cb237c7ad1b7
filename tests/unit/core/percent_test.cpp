// Tests percent encoding with known texts.
#include "fineprint/core/percent.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(Percent, EncodesAllButUnreservedBytesAndTheKeptOnes) {
  EXPECT_EQ(percent_encoded("a-Z_0.9~"), "a-Z_0.9~");
  EXPECT_EQ(percent_encoded("a b/\xC3\xA9%"), "a%20b%2F%C3%A9%25");
  EXPECT_EQ(percent_encoded("a b/c", "/"), "a%20b/c");
}

TEST(Percent, DecodesWhatItEncodes) {
  EXPECT_EQ(percent_decoded("a%20b%2f%C3%A9"), "a b/\xC3\xA9");
  EXPECT_EQ(percent_decoded("%41"), "A");
}

TEST(Percent, RefusesAHalfEscape) {
  for (const char* text : {"%", "%4", "a%4", "%4g", "%g4", "% 4", "%-4"}) {
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace fineprint
