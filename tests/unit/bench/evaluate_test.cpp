// Scores against numbers worked out by hand.
#include "fineprint/bench/evaluate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/runs/answer_file.h"
#include "fineprint/runs/trec.h"

#include "support/temp_dir.h"

namespace fineprint::bench {
namespace {

Question question(const std::string& id, std::vector<PageRef> evidence,
                  const std::string& answer = "4") {
  Question gold;
  gold.id = id;
  gold.text = "?";
  gold.evidence = std::move(evidence);
  gold.answer = answer;
  return gold;
}

Question unanswerable(const std::string& id) {
  Question gold = question(id, {}, std::string(kNotAnswerable));
  gold.answer_format = "None";
  return gold;
}

Answer ranked(const std::string& id, const std::vector<PageRef>& pages) {
  Answer answer;
  answer.id = id;
  answer.answerable = true;
  for (const PageRef& page : pages) answer.retrieved.push_back({page, 1});
  return answer;
}

Answer said(const std::string& id, const std::string& text, double confidence) {
  Answer answer;
  answer.id = id;
  answer.answer = text;
  answer.answerable = text != kNotAnswerable;
  answer.confidence = confidence;
  return answer;
}

double value(const std::vector<Measure>& measures, const std::string& name) {
  for (const Measure& measure : measures) {
    if (measure.name == name) return measure.value;
  }
  ADD_FAILURE() << "no measure " << name;
  return -1;
}

void cite(Answer* answer, const PageRef& page) { answer->citations.push_back({page, "q", {}, 1}); }

TEST(Evaluate, RankingMeasuresAreMeansOverQuestionsWithEvidence) {
  // Two gold pages, found at ranks 2 and 4; one gold page, found at rank 6.
  const Gold gold{
      {question("a", {{"d", 1}, {"d", 2}}), question("b", {{"d", 9}}), question("c", {})}};
  const std::vector<Answer> answers = {
      ranked("a", {{"d", 5}, {"d", 2}, {"d", 6}, {"d", 1}, {"d", 7}}),
      ranked("b", {{"d", 1}, {"d", 2}, {"d", 3}, {"d", 4}, {"d", 5}, {"d", 9}})};
  std::vector<ItemScore> items;
  const Evaluation e = evaluate(gold, answers, &items);
  EXPECT_EQ(e.questions, 3);
  EXPECT_EQ(e.missing, 1);
  EXPECT_EQ(e.with_evidence, 2);
  const double ideal = 1 + 1 / std::log2(3);
  const double ndcg_a = (1 / std::log2(3) + 1 / std::log2(5)) / ideal;
  EXPECT_NEAR(value(e.ranking, "nDCG@5"), 100 * (ndcg_a + 0) / 2, 1e-9);
  EXPECT_NEAR(value(e.ranking, "nDCG@10"), 100 * (ndcg_a + 1 / std::log2(7)) / 2, 1e-9);
  EXPECT_NEAR(value(e.ranking, "R@1"), 0, 1e-9);
  EXPECT_NEAR(value(e.ranking, "R@3"), 25, 1e-9);
  EXPECT_NEAR(value(e.ranking, "R@5"), 50, 1e-9);
  EXPECT_NEAR(value(e.ranking, "R@10"), 100, 1e-9);
  EXPECT_NEAR(value(e.ranking, "MRR"), 100 * (1.0 / 2 + 1.0 / 6) / 2, 1e-9);
  EXPECT_NEAR(value(e.ranking, "P@3"), 100.0 / 6, 1e-9);
  EXPECT_NEAR(value(e.ranking, "P@10"), 15, 1e-9);
  EXPECT_NEAR(value(e.ranking, "P_returned"), 100 * (2.0 / 5 + 1.0 / 6) / 2, 1e-9);
  EXPECT_NEAR(value(e.ranking, "Hit@5"), 50, 1e-9);
  EXPECT_NEAR(value(e.ranking, "MAP"), 100 * ((0.5 + 0.5) / 2 + 1.0 / 6) / 2, 1e-9);
  ASSERT_EQ(items.size(), 3u);
  EXPECT_TRUE(items[2].ranking.empty());
  EXPECT_EQ(items[0].id, "a");
  EXPECT_NEAR(value(items[0].ranking, "nDCG@5"), ndcg_a, 1e-12);
  EXPECT_NEAR(value(items[1].ranking, "RR"), 1.0 / 6, 1e-12);
  EXPECT_NEAR(value(items[1].ranking, "R@10"), 1, 1e-12);
}

TEST(Evaluate, DocumentsMayBeNamedByFileNameOrPath) {
  const Answer found = ranked("a", {{"2023/q4.pdf", 7}, {"2023/report.pdf", 7}});
  const auto reciprocal = [&](const PageRef& page) {
    return value(evaluate({{question("a", {page})}}, {found}).ranking, "MRR");
  };
  EXPECT_NEAR(reciprocal({"2023/report.pdf", 7}), 50, 1e-9);
  EXPECT_NEAR(reciprocal({"report.pdf", 7}), 50, 1e-9);
  EXPECT_NEAR(reciprocal({"2023/q4.pdf", 7}), 100, 1e-9);
  EXPECT_NEAR(reciprocal({"", 7}), 100, 1e-9);        // the line named no document
  EXPECT_NEAR(reciprocal({"port.pdf", 7}), 0, 1e-9);  // only whole path parts count
  EXPECT_NEAR(reciprocal({"report.pdf", 8}), 0, 1e-9);
  EXPECT_NEAR(reciprocal({"2022/report.pdf", 7}), 0, 1e-9);
}

TEST(Evaluate, AGoldPageIsFoundOnceAndRepeatedPagesCountOnce) {
  const Answer twice = ranked("a", {{"x/d", 1}, {"x/d", 1}, {"x/d", 2}});
  const Evaluation e = evaluate({{question("a", {{"d", 1}, {"d", 2}})}}, {twice});
  EXPECT_NEAR(value(e.ranking, "nDCG@5"), 100, 1e-9);
  EXPECT_NEAR(value(e.ranking, "R@3"), 100, 1e-9);
}

TEST(Evaluate, CountsAnswersAndDeclines) {
  const Gold gold{{question("a", {{"d", 1}}, "42"), question("b", {{"d", 1}}, "1,000"),
                   question("c", {{"d", 1}}, "Oslo"), question("d", {}, "Rome"), unanswerable("e"),
                   unanswerable("f")}};
  std::vector<Answer> answers = {said("a", "42", 0.9),
                                 said("b", "1030", 0.6),
                                 said("c", std::string(kNotAnswerable), 0.2),
                                 said("d", "in Rome, Italy", 0.5),
                                 said("e", "7", 0.5),
                                 said("f", std::string(kNotAnswerable), 0.1)};
  cite(&answers[0], {"x/d", 1});
  cite(&answers[1], {"x/d", 2});
  cite(&answers[1], {"x/d", 1});  // right, but second
  std::vector<ItemScore> items;
  const Evaluation e = evaluate(gold, answers, &items);
  EXPECT_EQ(e.answerable, 4);
  EXPECT_EQ(e.unanswerable, 2);
  EXPECT_EQ(e.missing, 0);
  EXPECT_NEAR(e.first_citation, 100.0 / 3, 1e-9);  // a of a, b, c: d has no evidence
  EXPECT_NEAR(e.declined_answerable, 25, 1e-9);
  EXPECT_NEAR(e.declined_unanswerable, 50, 1e-9);
  EXPECT_NEAR(e.exact, 25, 1e-9);    // a
  EXPECT_NEAR(e.relaxed, 75, 1e-9);  // a; b within 5%; d names it
  // Of the 8 pairs: a, b beat e and f; d ties with e and beats f; c loses to e and beats f.
  EXPECT_NEAR(e.answerability_auc, (4 + 1.5 + 1) / 8, 1e-9);
  // Right are a, b, d and f: a and b beat c and e, d beats c and ties with e, f beats none.
  EXPECT_NEAR(e.confidence_auc, (4 + 1.5) / 8, 1e-9);
  EXPECT_EQ(e.confidence.at(5).count, 2U);  // d and e
  EXPECT_NEAR(e.confidence.at(5).came, 0.5, 1e-9);
  EXPECT_EQ(e.answerability.at(5).count, 0U);  // nobody tells it
  EXPECT_TRUE(items[0].first_citation && items[0].exact && items[0].relaxed);
  EXPECT_FALSE(items[1].first_citation || items[1].exact);
  EXPECT_TRUE(items[1].relaxed);
}

TEST(Evaluate, MissingAnswersAndErrorsEarnNothing) {
  const Gold gold{
      {question("a", {{"d", 1}}), question("b", {{"d", 1}}), unanswerable("c"), unanswerable("d")}};
  Answer broken;
  broken.id = "b";
  broken.error = Failure{ErrorCode::store, "damaged"};
  Answer broken_too = broken;
  broken_too.id = "d";
  const Evaluation e = evaluate(gold, {broken, broken_too});
  EXPECT_EQ(e.missing, 2);
  EXPECT_EQ(e.errors, 2);
  for (const double measure :
       {value(e.ranking, "nDCG@5"), value(e.ranking, "MRR"), value(e.ranking, "R@10"),
        e.first_citation, e.exact, e.relaxed, e.declined_unanswerable}) {
    EXPECT_EQ(measure, 0);
  }
}

TEST(Evaluate, UnanswerableByFormatOrByAnswer) {
  Question by_format = question("a", {}, "whatever");
  by_format.answer_format = "None";
  const Question by_answer = question("b", {}, std::string(kNotAnswerable));
  const Evaluation e = evaluate(
      {{by_format, by_answer}},
      {said("a", std::string(kNotAnswerable), 0), said("b", std::string(kNotAnswerable), 0)});
  EXPECT_EQ(e.unanswerable, 2);
  EXPECT_NEAR(e.declined_unanswerable, 100, 1e-9);
  EXPECT_TRUE(std::isnan(e.answerability_auc));  // nothing to tell apart
  EXPECT_TRUE(std::isnan(e.confidence_auc));
}

TEST(Evaluate, AnswerabilityStandsBesideConfidence) {
  Answer answer = said("a", "5", 0.3);
  answer.answerability = 0.8;
  Answer declined = said("b", std::string(kNotAnswerable), 0.9);
  declined.answerable = false;
  declined.answerability = 0.1;
  const Evaluation e = evaluate({{question("a", {}, "5"), unanswerable("b")}}, {answer, declined});
  EXPECT_EQ(e.answerability_auc, 1);
  EXPECT_EQ(e.answerability.at(8).came, 1);
  EXPECT_EQ(e.answerability.at(1).came, 0);
  EXPECT_EQ(e.confidence.at(9).came, 1);  // declining it was right
}

TEST(Evaluate, TheLastLineOfAnIdCounts) {
  const Evaluation e =
      evaluate({{question("a", {}, "5")}}, {said("a", "4", 0.1), said("a", "5", 0.1)});
  EXPECT_NEAR(e.exact, 100, 1e-9);
}

TEST(Evaluate, NothingToMeasureIsNoNumber) {
  const Evaluation e = evaluate({}, {});
  EXPECT_EQ(e.questions, 0);
  for (const double measure :
       {value(e.ranking, "nDCG@5"), value(e.ranking, "MRR"), e.first_citation, e.exact, e.relaxed,
        e.declined_answerable, e.declined_unanswerable, e.confidence_auc}) {
    EXPECT_TRUE(std::isnan(measure));
  }
}

TEST(Trec, QrelsOfQuestionsGiveTheSameScores) {
  const testing::TempDir folder;
  Question one;
  one.id = "one";
  one.docs = {"d.pdf"};
  one.evidence = {{"", 2}, {"e f.pdf", 1}};
  Question none;
  none.id = "none";
  EXPECT_EQ(runs::to_trec_qrels(one), "one 0 d.pdf#2 1\none 0 e%20f.pdf#1 1\n");
  EXPECT_EQ(runs::to_trec_qrels(none), "");
  const Gold gold = read_gold(folder.write("x.qrels", runs::to_trec_qrels(one)));
  EXPECT_TRUE(gold.pages_only);
  ASSERT_EQ(gold.questions.size(), 1U);
  one.evidence->front().doc = "d.pdf";
  EXPECT_EQ(gold.questions[0].evidence, one.evidence);
  one.evidence->front().doc = "";
  one.docs.clear();
  EXPECT_THROW(runs::to_trec_qrels(one), Error);
}

TEST(Trec, GainsCountInNdcgAndZerosDoNot) {
  const testing::TempDir folder;
  const Gold gold =
      read_gold(folder.write("x.qrels", "q 0 d#1 3\nq 0 d#2 1\nq 0 d#3 0\nr 0 d#1 0\n"));
  EXPECT_EQ(gold.questions.size(), 2U);
  const runs::AnswerFile given =
      runs::read_answers(folder.write("x.run", "q Q0 d#3 1 3 t\nq Q0 d#1 2 2 t\nq Q0 d#2 3 1 t\n"));
  const Evaluation e = evaluate(gold, given.answers);
  EXPECT_EQ(e.with_evidence, 1);
  const auto value = [&](const std::string& name) {
    return std::ranges::find(e.ranking, name, &Measure::name)->value;
  };
  const double discount = 1 / std::log2(3);
  EXPECT_NEAR(value("nDCG@3"), 100 * (3 * discount + 0.5) / (3 + discount), 1e-9);
  EXPECT_NEAR(value("R@3"), 100, 1e-9);
}

}  // namespace
}  // namespace fineprint::bench
