// Tests of how a model's reply is compared with the pages.
#include "pipelines/extractive/reply_check.h"

#include <gtest/gtest.h>

#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/extractive/reply_signs.h"
#include "support/small_store.h"

namespace fineprint::pipelines::extractive {
namespace {

class ReplyCheckTest : public ::testing::Test {
 protected:
  ReplyCheckTest() {
    store_.put("ferry.pdf",
               {testing::typed_page({"The Sula of Corran carries 612 passengers.",
                                     "The Sula was built in 1998 by Ramsay Brothers."}),
                testing::typed_page({"The Tern of Corran carries 80 passengers."})});
    store_.put("scan.pdf", {testing::typed_page({})});
    asking_.emplace(store_);
    options_.search.scorers = {"bm25"};
  }

  static Answer replied(const std::string& said, const std::string& doc = "ferry.pdf",
                        int page = 1) {
    Answer answer;
    answer.answer = said;
    answer.answerable = said != kNotAnswerable;
    answer.weighed = false;
    if (answer.answerable) {
      answer.citations = {{.page = {doc, page}, .quote = "", .boxes = {}, .score = 0}};
    }
    return answer;
  }

  std::optional<Answer> check(const std::string& text, const Answer& reply) {
    Question question;
    question.text = text;
    return checked_reply(asking_->context(), question, reply, options_);
  }

  testing::SmallStore store_;
  std::optional<testing::Asking> asking_;
  PipelineOptions options_;
};

constexpr const char* kAsked = "How many passengers does the Sula of Corran carry?";

TEST_F(ReplyCheckTest, CitesTheSentenceThatProvesTheReply) {
  const auto answer = check(kAsked, replied("612"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->answer, "612");
  ASSERT_FALSE(answer->citations.empty());
  EXPECT_EQ(answer->citations[0].quote, "The Sula of Corran carries 612 passengers.");
  EXPECT_FALSE(answer->citations[0].boxes.empty());
  EXPECT_TRUE(answer->answerability);
}

// Even if the reply names another page.
TEST_F(ReplyCheckTest, FindsTheProofOnAnotherPage) {
  const auto answer = check(kAsked, replied("612", "ferry.pdf", 2));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->citations.at(0).page.page, 1);
  EXPECT_EQ(answer->citations.at(1).page.page, 2);
}

TEST_F(ReplyCheckTest, GivesTheQuoteIfNothingProvesTheReply) {
  const auto answer = check(kAsked, replied("9,000"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->answer, "612");
  EXPECT_EQ(answer->citations.at(0).page.page, 1);
}

TEST_F(ReplyCheckTest, WhatIsProvedIsSurerThanWhatIsNot) {
  const auto proved = check("Who built the Sula?", replied("Ramsay Brothers"));
  const auto other = check("Who built the Sula?", replied("Harland Wolff"));
  ASSERT_TRUE(proved && other);
  EXPECT_EQ(proved->answer, "Ramsay Brothers");
  EXPECT_GT(proved->confidence, other->confidence);
}

TEST_F(ReplyCheckTest, DeclinesIfTheDocumentsAreAboutSomethingElse) {
  const auto answer = check("What did Globex pay for its dolphinarium in 2022?", replied("612"));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->answerable);
  EXPECT_EQ(answer->answer, kNotAnswerable);
  EXPECT_GT(answer->confidence, 0.5);
}

TEST_F(ReplyCheckTest, LeavesAnswersFromPicturesAlone) {
  EXPECT_FALSE(check(kAsked, replied("612", "scan.pdf")));
}

// Small models often answer and then say that there is no answer.
TEST_F(ReplyCheckTest, TakesAWithdrawnAnswerThatIsProved) {
  Answer reply = replied(std::string(kNotAnswerable));
  reply.withdrawn = "Ramsay Brothers";
  const auto answer = check("Who built the Sula of Corran?", reply);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->answer, "Ramsay Brothers");
  EXPECT_EQ(answer->citations.at(0).quote, "The Sula was built in 1998 by Ramsay Brothers.");
}

TEST_F(ReplyCheckTest, AReplyThatRepeatsTheQuestionProvesNothing) {
  const auto answer = check("What carries 80 passengers of Corran?", replied("passengers"));
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->answer, "passengers");
}

// Of two different answers, the one that the QA model, too, reads in the pages.
TEST(ReplySigns, TheQaModelDecidesBetweenTwoAnswers) {
  ReplySigns signs{.held = 1,
                   .quoted = 0.6,
                   .read = 0.02,
                   .quote_read = 0.6,
                   .quote_confidence = 0.5,
                   .answerability = 0.95};
  EXPECT_FALSE(prefers_reply(signs, odds_of(signs)));
  std::swap(signs.read, signs.quote_read);
  EXPECT_TRUE(prefers_reply(signs, odds_of(signs)));
}

TEST(ReplySigns, OfTwoThatAgreeTheReplyIsGiven) {
  ReplySigns signs{.held = 1,
                   .quoted = 0.6,
                   .same_as_quote = true,
                   .read = 0.5,
                   .quote_read = 0.6,
                   .quote_confidence = 0.6,
                   .answerability = 0.95};
  EXPECT_TRUE(prefers_reply(signs, odds_of(signs)));
  const ReplyOdds agreed = odds_of(signs);
  signs.same_as_quote = false;
  EXPECT_LT(odds_of(signs).reply, agreed.reply);
  EXPECT_LT(odds_of(signs).quote, agreed.quote);
  signs.same_as_quote = signs.repeats_question = true;
  EXPECT_LT(odds_of(signs).reply, agreed.reply);
}

TEST(ReplySigns, SurerTokensMakeSurerReplies) {
  ReplySigns signs{.held = 1,
                   .quoted = 0.5,
                   .names = 1,
                   .years = 1,
                   .quote_confidence = 0.3,
                   .answerability = 0.9,
                   .certainty = 0.5};
  const double doubted = odds_of(signs).reply;
  signs.certainty = 0.99;
  EXPECT_GT(odds_of(signs).reply, doubted);
}

TEST(ReplySigns, NothingIsSurerThanThatThereIsAnAnswer) {
  for (const double answerability : {0.01, 0.3, 0.99}) {
    const ReplyOdds odds = odds_of({.held = 1,
                                    .quoted = 1,
                                    .names = 1,
                                    .years = 1,
                                    .same_as_quote = true,
                                    .same_as_reading = true,
                                    .quote_confidence = 0.9,
                                    .answerability = answerability});
    EXPECT_LE(odds.reply, odds.answerable);
    EXPECT_LE(odds.quote, odds.answerable);
  }
}

TEST(ReplySigns, AReplyThatDeclinesCountsAgainstAnAnswer) {
  const ReplySigns answers{.quote_confidence = 0.3, .answerability = 0.7};
  ReplySigns declines = answers;
  declines.answers = false;
  declines.says = false;
  EXPECT_LT(odds_of(declines).answerable, odds_of(answers).answerable);
  EXPECT_EQ(odds_of(declines).reply, 0);
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
