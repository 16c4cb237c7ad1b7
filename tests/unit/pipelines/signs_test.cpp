// Tests of the probabilities that follow from signs.
#include "pipelines/extractive/signs.h"

#include <gtest/gtest.h>

namespace fineprint::pipelines::extractive {
namespace {

// Those of a look-up whose words are all there.
Signs good_signs() {
  Signs signs;
  signs.coverage = signs.quoted = 1;
  signs.page_cosine = signs.quote_cosine = 0.6;
  signs.value = true;
  signs.held = 0.95;
  signs.right = 0.9;
  return signs;
}

TEST(Answerability, FallsIfTheAskedNounIsNotOnThePage) {
  Signs without = good_signs();
  without.noun = 0;
  EXPECT_LT(answerability(without), answerability(good_signs()));
  EXPECT_EQ(lenient_answerability(without), lenient_answerability(good_signs()));
}

TEST(Answerability, IsLowForALabelWithoutAValue) {
  Signs empty = good_signs();
  empty.empty_field = true;
  EXPECT_GT(answerability(good_signs()), 0.9);
  EXPECT_LT(answerability(empty), 0.5);
  EXPECT_LE(confidence(empty), answerability(empty));
}

TEST(Answerability, FollowsTheQaModel) {
  Signs doubted = good_signs();
  doubted.held = 0.3;
  EXPECT_LT(answerability(doubted), lenient_answerability(doubted));
  EXPECT_LT(answerability(doubted), answerability(good_signs()));
}

TEST(AbsenceIsLikelier, ThanAnAnswerThatTheQaModelDoubts) {
  EXPECT_FALSE(is_absence_likelier(good_signs()));
  Signs doubted = good_signs();
  doubted.held = 0.3;
  doubted.right = 0.05;
  doubted.noun = doubted.quoted = doubted.quote_cosine = 0;
  EXPECT_TRUE(is_absence_likelier(doubted));
  Signs unread = doubted;
  unread.held.reset();
  unread.right.reset();
  EXPECT_FALSE(is_absence_likelier(unread));
}

TEST(AbsenceIsLikelier, OnlyInLookUps) {
  Signs doubted = good_signs();
  doubted.held = 0.3;
  doubted.right = 0.05;
  doubted.noun = doubted.quoted = doubted.quote_cosine = 0;
  for (const char* question :
       {"Which region sold more than the North?", "How many charts are red?"}) {
    Signs demanding = doubted;
    demanding.demands = demands(question);
    EXPECT_FALSE(is_absence_likelier(demanding)) << question;
    EXPECT_EQ(answerability(demanding), lenient_answerability(demanding)) << question;
  }
  Signs labelled = doubted;
  labelled.labelled = true;
  EXPECT_FALSE(is_absence_likelier(labelled));
  doubted.kind = text::AnswerKind::phone;
  EXPECT_FALSE(is_absence_likelier(doubted));
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
