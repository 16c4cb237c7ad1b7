// Decoding lines by CTC, by hand.
#include "ocr/ctc.h"

#include <gtest/gtest.h>

namespace fineprint::ocr {
namespace {

const std::vector<std::string> kCharacters = {"", "a", "b", "é", " "};

// Probabilities of 0.8 for these classes, and 0.05 for the others.
std::vector<float> steps_of(const std::vector<std::size_t>& classes) {
  std::vector<float> steps(classes.size() * kCharacters.size(), 0.05F);
  for (std::size_t i = 0; i < classes.size(); ++i)
    steps[i * kCharacters.size() + classes[i]] = 0.8F;
  return steps;
}

TEST(Ctc, RepetitionsAndBlanksAreLeftOut) {
  const auto words = decode_line(steps_of({0, 1, 1, 0, 1, 2, 2, 3, 0, 0}), kCharacters, 1);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].text, "aabé");
  EXPECT_EQ(words[0].characters, 4U);
  EXPECT_NEAR(words[0].confidence, 0.8, 1e-6);
  EXPECT_EQ(words[0].from, 0);
  EXPECT_EQ(words[0].to, 1);
}

TEST(Ctc, AWordEndsHalfwayToTheSpace) {
  // The middles: a 0.5, space 3, b 5.5, é 7.5; the picture is 10 steps wide.
  const auto words = decode_line(steps_of({1, 0, 4, 4, 0, 2, 0, 3, 0, 0}), kCharacters, 1);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].text, "a");
  EXPECT_DOUBLE_EQ(words[0].to, 0.175);
  EXPECT_EQ(words[1].text, "bé");
  EXPECT_DOUBLE_EQ(words[1].from, 0.425);
  EXPECT_DOUBLE_EQ(words[1].to, 1);
}

TEST(Ctc, PaddingIsNotPartOfTheLine) {
  // Of 10 steps, 5 belong to the picture: what lies at step 4 is at its end.
  const auto words = decode_line(steps_of({1, 0, 4, 0, 2, 0, 0, 0, 0, 0}), kCharacters, 0.5);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_DOUBLE_EQ(words[0].to, 0.3);
  EXPECT_DOUBLE_EQ(words[1].from, 0.7);
  EXPECT_DOUBLE_EQ(words[1].to, 1);
}

TEST(Ctc, SpacesAtTheEndsAreLeftOut) {
  const auto words = decode_line(steps_of({0, 4, 0, 1, 0, 2, 4, 0, 4, 0}), kCharacters, 1);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].text, "ab");
  EXPECT_EQ(words[0].from, 0);
  EXPECT_EQ(words[0].to, 1);
}

TEST(Ctc, NothingButBlanksAndSpacesIsNoWord) {
  EXPECT_TRUE(decode_line(steps_of({0, 0, 4, 4, 0}), kCharacters, 1).empty());
  EXPECT_TRUE(decode_line({}, kCharacters, 1).empty());
}

}  // namespace
}  // namespace fineprint::ocr
