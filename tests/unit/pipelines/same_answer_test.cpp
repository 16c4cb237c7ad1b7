// Tests of how answers are compared with each other and with what should prove them.
#include "pipelines/extractive/same_answer.h"

#include <gtest/gtest.h>

namespace fineprint::pipelines::extractive {
namespace {

TEST(SameAnswer, NumbersAreComparedByValue) {
  EXPECT_TRUE(is_same_answer("$1,234 million", "1,234"));
  EXPECT_TRUE(is_same_answer("(5)", "a loss of 5"));
  EXPECT_TRUE(is_same_answer("12.5%", "12.50 percent"));
  EXPECT_FALSE(is_same_answer("1,234", "1,235"));
  EXPECT_FALSE(is_same_answer("1,234", "1,234 and 7"));
}

TEST(SameAnswer, WordsAreComparedWithoutRegardToFewMore) {
  EXPECT_TRUE(is_same_answer("Tern & Pollock", "Tern & Pollock LLP"));
  EXPECT_TRUE(is_same_answer("the harbours", "harbour"));
  EXPECT_FALSE(is_same_answer("Tern", "Pollock"));
  EXPECT_FALSE(is_same_answer("Tern", "Tern sails from the old harbour at noon every day"));
  EXPECT_FALSE(is_same_answer("", "Tern"));
}

TEST(SameAnswer, VerdictsAreOnlyThemselves) {
  EXPECT_TRUE(is_same_answer("Yes", "yes."));
  EXPECT_FALSE(is_same_answer("Yes", "No"));
  EXPECT_FALSE(is_same_answer("No", "No vessel sails"));
}

TEST(ShareHeld, CountsWordsOfTheAnswer) {
  EXPECT_EQ(share_held("The Sula carries 612 passengers.", "612"), 1);
  EXPECT_EQ(share_held("The Sula carries 612 passengers.", "612 passengers"), 1);
  EXPECT_EQ(share_held("Total 1,234", "1234"), 1);
  EXPECT_DOUBLE_EQ(share_held("The Sula sails.", "Sula Tern"), 0.5);
  EXPECT_EQ(share_held("The Sula sails.", "Yes"), 0);
  EXPECT_EQ(share_held("", "612"), 0);
}

// The words around a wrong number prove nothing.
TEST(ShareHeld, AMissingNumberHalvesIt) {
  EXPECT_LE(share_held("The Sula carries 612 passengers.", "613 passengers"), 0.25);
}

TEST(Repeats, AnswersThatSayNothingNew) {
  EXPECT_TRUE(repeats("What is DECnet?", "DECnet"));
  EXPECT_TRUE(repeats("What did Acme earn in 2019?", "2019"));
  EXPECT_FALSE(repeats("What is DECnet?", "a suite of protocols"));
  EXPECT_FALSE(repeats("What did Acme earn in 2019?", "2019: 5"));
  EXPECT_FALSE(repeats("Does it sail?", "Yes"));
  EXPECT_FALSE(repeats("Is the hull red or blue?", "Blue"));
  EXPECT_FALSE(repeats("What is DECnet?", ""));
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
