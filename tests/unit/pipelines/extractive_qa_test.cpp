// Tests of answers that a QA model points at.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/events.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/pipelines/pipeline.h"

#include "support/fake_qa_model.h"
#include "support/has.h"
#include "support/small_store.h"

namespace fineprint::pipelines {
namespace {

using fineprint::testing::FakeQaModel;
using fineprint::testing::typed_page;
using models::QaOperator;

class ExtractiveQaTest : public ::testing::Test {
 protected:
  ExtractiveQaTest() {
    Page income = typed_page({"Income of Acme, in millions"});
    testing::type_element(
        &income, ElementKind::table,
        {"                        2022     2021", "Net sales             $1,500   $1,200",
         "Cost of sales            900      800"});
    store_.put("acme.pdf",
               {typed_page({"Acme makes anvils in Tucson. Its net sales are told below.",
                            "Acme sells what it makes, and Ann Lee leads it."}),
                income});
    options_.search.scorers = {"bm25"};
    options_.qa = models::kBuiltInQaModel;
  }

  Answer ask(const std::string& text, std::unique_ptr<FakeQaModel> model) {
    model_ = model.get();
    session::SessionParts parts;
    parts.qa_model = std::move(model);
    session_.emplace(store_.store(), session::SessionOptions{}, std::move(parts));
    session::Context context(*session_, trace_, budget_);
    Question question;
    question.text = text;
    return find("extractive").run(context, question, options_);
  }
  Answer ask(const std::string& text, const std::vector<std::string>& marks,
             QaOperator operation = QaOperator::span) {
    return ask(text, std::make_unique<FakeQaModel>(marks, operation));
  }

  testing::SmallStore store_;
  PipelineOptions options_;
  Trace trace_{true};
  Budget budget_;
  std::optional<session::Session> session_;
  const FakeQaModel* model_ = nullptr;
};

TEST_F(ExtractiveQaTest, GivesTheCellWithItsScaleAndCitesItsRow) {
  const Answer answer = ask("What were the net sales of Acme in 2021?", {"$1,200"});
  EXPECT_TRUE(answer.answerable);
  EXPECT_EQ(answer.answer, "$1,200 million");
  EXPECT_EQ(answer.citations.at(0).quote, "Net sales $1,500 $1,200");
  EXPECT_EQ(answer.citations[0].page, (PageRef{"acme.pdf", 2}));
  EXPECT_EQ(answer.retrieved.at(0).page, (PageRef{"acme.pdf", 2}));
  EXPECT_GT(model_->passages_read, 1U);
  EXPECT_TRUE(testing::has(trace_.to_json(), "\"operator\":\"span\"")) << trace_.to_json();
}

TEST_F(ExtractiveQaTest, PartOfADateIsNoCount) {
  store_.put("boats.pdf", {typed_page({"The list counts the boats of Zeal on 1 July 2023."})});
  EXPECT_NE(ask("How many boats were in Zeal on 1 July 2023?", {"1"}).answer, "1");
}

TEST_F(ExtractiveQaTest, PartOfATelephoneNumberIsNoAmount) {
  store_.put("boats.pdf", {typed_page({"Call Zeal about the total at (870) 931-0505."})});
  EXPECT_NE(ask("What is the total of Zeal?", {"931-0505"}).answer, "931-0505");
}

TEST_F(ExtractiveQaTest, ComputesAndCitesBothRows) {
  const Answer answer = ask("What were the sales of Acme less their cost in 2022?",
                            {"$1,500", "900"}, QaOperator::difference);
  EXPECT_EQ(answer.answer, "600 million");
  ASSERT_GE(answer.citations.size(), 2U);
  EXPECT_EQ(answer.citations[0].quote, "Net sales $1,500 $1,200");
  EXPECT_EQ(answer.citations[1].quote, "Cost of sales 900 800");
  EXPECT_TRUE(testing::has(trace_.to_json(), "1,500 - 900")) << trace_.to_json();
}

TEST_F(ExtractiveQaTest, ThePageThatIsReadToAnswerComesFirst) {
  const Answer answer = ask("Who leads Acme and its net sales?", {"Ann Lee"});
  EXPECT_EQ(answer.answer, "Ann Lee");
  EXPECT_EQ(answer.retrieved.at(0).page, (PageRef{"acme.pdf", 1}));
  EXPECT_EQ(answer.citations.at(0).quote, "Acme sells what it makes, and Ann Lee leads it.");
  ASSERT_FALSE(answer.citations[0].boxes.empty());
}

TEST_F(ExtractiveQaTest, YesIsProvedByTheBestQuoteOfItsPassage) {
  const Answer answer = ask("Does Acme make anvils in Tucson?", {"Ann Lee"}, QaOperator::yes);
  EXPECT_EQ(answer.answer, "Yes");
  EXPECT_EQ(answer.citations.at(0).page, (PageRef{"acme.pdf", 1}));
}

TEST_F(ExtractiveQaTest, IsLessSureThatThereIsAnAnswerWhereNothingThatWasReadAnswers) {
  const auto asked = [&](const char* mark) {
    return ask("What were the net sales of Acme in 2021?", {mark});
  };
  const double held = asked("$1,200").answerability.value();
  const double missing = asked("nothing").answerability.value();
  EXPECT_LT(missing, held);
  options_.answer.min_answerability = (missing + held) / 2;
  EXPECT_TRUE(asked("$1,200").answerable);
  const Answer answer = asked("nothing");
  EXPECT_FALSE(answer.answerable);
  EXPECT_FALSE(answer.citations.empty());  // what was looked at is still told
}

TEST_F(ExtractiveQaTest, TheQuoteIsGivenWhereTheQaModelIsLessSure) {
  auto unsure = std::make_unique<FakeQaModel>(std::vector<std::string>{"900"});
  unsure->log_probability = -8;
  const Answer answer = ask("What were the net sales of Acme in 2021?", std::move(unsure));
  EXPECT_EQ(answer.answer, "$1,200 million");
  EXPECT_EQ(answer.citations.at(0).quote, "Net sales $1,500 $1,200");
  EXPECT_TRUE(testing::has(trace_.to_json(), "\"answer\":\"900 million\"")) << trace_.to_json();
}

TEST_F(ExtractiveQaTest, TheHeadOfAColumnDecidesWithinARow) {
  const Answer answer = ask("What were the net sales of Acme in 2022?", {"$1,200"});
  EXPECT_EQ(answer.answer, "$1,500 million");
}

TEST_F(ExtractiveQaTest, OnlyYesOrNoAnswersAQuestionForIt) {
  const Answer answer = ask("Does Ann Lee lead Acme?", {"anvils"});
  EXPECT_NE(answer.answer, "anvils");
}

TEST_F(ExtractiveQaTest, QuotesOfAPageThatIsReadToAnswerCountMore) {
  store_.put("lending.pdf", {typed_page({"Acme lends its hammers to some guests."}),
                             typed_page({"Acme lends its hammers to some clubs."})});
  for (const auto& [mark, page] : {std::pair{"guests", 1}, std::pair{"clubs", 2}}) {
    auto unsure = std::make_unique<FakeQaModel>(std::vector<std::string>{mark});
    unsure->log_probability = -12;
    const Answer answer = ask("Who gets the hammers that Acme lends?", std::move(unsure));
    EXPECT_EQ(answer.citations.at(0).page, (PageRef{"lending.pdf", page}));
  }
}

TEST_F(ExtractiveQaTest, TheQuoteIsGivenWhereNothingIsLikelierThanWhatTheQaModelPointsAt) {
  auto unsure = std::make_unique<FakeQaModel>(std::vector<std::string>{"900"});
  unsure->log_probability = -3;
  options_.answer.min_answerability = 0;
  const Answer answer = ask("How many hammers does Acme lend?", std::move(unsure));
  EXPECT_TRUE(testing::has(trace_.to_json(), "\"answer\":\"900 million\"")) << trace_.to_json();
  EXPECT_NE(answer.answer, "900 million");
}

// Interrupts the process while the question is under way.
class Interrupts : public EventListener {
 public:
  bool wants_fields() const override { return true; }
  void take(const Event& /*event*/) override { set_interrupted(true); }
};

// An answer without the model would differ from that of a run that nobody interrupted.
TEST_F(ExtractiveQaTest, InterruptedBeforeReadingItGivesNoAnswer) {
  const std::string text = "What were the net sales of Acme in 2021?";
  ask(text, {"$1,200"});
  Interrupts listener;
  session::Context context(*session_, listener, budget_);
  Question question;
  question.text = text;
  EXPECT_THROW(find("extractive").run(context, question, options_), Error);
  set_interrupted(false);
}

TEST_F(ExtractiveQaTest, NoneSwitchesItOff) {
  for (const char* off : {"none", ""}) {
    options_.qa = off;
    const Answer answer = ask("What were the net sales of Acme in 2021?", {"900"});
    EXPECT_EQ(answer.answer, "$1,200 million");
    EXPECT_EQ(model_->passages_read, 0U);
  }
}

TEST_F(ExtractiveQaTest, ChoosingKByScoresGoesWithIt) {
  options_.search.adaptive = true;
  EXPECT_EQ(ask("What were the net sales of Acme in 2021?", {"$1,200"}).answer, "$1,200 million");
}

TEST_F(ExtractiveQaTest, QuestionsInOtherLanguagesAreNotRead) {
  ask("Wie hoch waren die Umsätze von Acme im Jahr 2021?", {"$1,200"});
  EXPECT_EQ(model_->passages_read, 0U);
}

// That the model counts one place says nothing about how many things it has.
TEST_F(ExtractiveQaTest, OnePlaceIsNoCount) {
  const Answer answer = ask("How many anvils does Acme make?", {"anvils"}, QaOperator::count);
  EXPECT_NE(answer.answer, "1");
}

}  // namespace
}  // namespace fineprint::pipelines
