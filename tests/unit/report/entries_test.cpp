// Verdicts: by scores, by gold answers, by nothing.
#include "report/entries.h"

#include <gtest/gtest.h>

#include "report/facets.h"
#include "unit/report/records_of.h"

namespace fineprint::report {
namespace {

std::string verdicts(const Material& material) {
  std::string all;
  for (const Entry& entry : entries_of(material)) {
    all += (all.empty() ? "" : " ") + entry.id() + "=" + std::string(verdict_name(entry.verdict));
    if (entry.declined) all += ",declined";
  }
  return all;
}

TEST(Entries, AreJudgedByTheGoldAnswers) {
  Material material;
  Question none = question_of("none", "");
  none.answer_format = "None";
  material.questions = {question_of("a", "Tern & Pollock"),
                        question_of("b", "1,200"),
                        question_of("c", "1931"),
                        none,
                        question_of("open", ""),
                        question_of("lost", "x"),
                        question_of("failed", "x")};
  Answer failed = answer_of("failed", "");
  failed.error = Failure{ErrorCode::no_reply, "the server is gone"};
  material.answers = {answer_of("c", std::string(kNotAnswerable)),
                      answer_of("b", "1230"),
                      answer_of("a", "Smith"),
                      answer_of("none", std::string(kNotAnswerable)),
                      answer_of("open", "yes"),
                      failed};
  EXPECT_EQ(verdicts(material),
            "a=wrong b=right c=wrong,declined none=right,declined open=unjudged lost=missing "
            "failed=error");
}

TEST(Entries, WithoutQuestionsAnswersStandForThemselves) {
  Material material;
  material.answers = {answer_of("b", "1"), answer_of("a", "2"), answer_of("b", "3")};
  EXPECT_EQ(verdicts(material), "b=unjudged a=unjudged");
  EXPECT_EQ(entries_of(material).front().answer->answer, "3");  // the last one counts
}

TEST(Entries, AnswersToNoQuestionComeLast) {
  Material material;
  material.questions = {question_of("a", "1")};
  material.answers = {answer_of("other", "1"), answer_of("a", "1")};
  EXPECT_EQ(verdicts(material), "a=right other=unjudged");
}

TEST(Entries, ScoresGoBeforeGoldAnswers) {
  Material material;
  for (const std::string id : {"a", "b", "c", "d", "e"}) {
    material.questions.push_back(question_of(id, "1"));
    material.answers.push_back(answer_of(id, "1"));
  }
  material.scores = {{.id = "a", .score = 0, .correct = {}},
                     {.id = "b", .score = 0.4, .correct = {}},
                     {.id = "c", .score = 0.4, .correct = false},
                     {.id = "d", .score = {}, .correct = {}}};
  EXPECT_EQ(verdicts(material), "a=wrong b=partly c=wrong d=right e=right");
  EXPECT_EQ(entries_of(material)[1].value, 0.4);
}

// What a scorer counts as 0 stays 0; without one a question that could be judged counts 0.
TEST(Entries, WhatIsMissingCountsNothing) {
  Material material;
  material.questions = {question_of("a", "1"), question_of("open", "")};
  EXPECT_EQ(verdicts(material), "a=missing open=missing");
  EXPECT_EQ(entries_of(material)[0].value, 0);
  EXPECT_EQ(entries_of(material)[1].value, std::nullopt);
}

TEST(Facets, AreWhatTheQuestionsTell) {
  Material material;
  material.questions = {
      question_of("a", "1",
                  R"({"question_type": "table", "evidence_sources": ["Table", "Chart"]})"),
      question_of("b", "1", R"({"type": 7, "evidence_sources": "['Chart', 'Pure-text']"})"),
      question_of("c", "1", R"({"evidence_sources": [], "question_type": "[odd'"})")};
  material.questions[1].evidence = std::vector<PageRef>{{"a.pdf", 1}, {"a.pdf", 2}};
  const std::vector<Entry> entries = entries_of(material);
  const std::vector<Facet> facets = facets_of(entries);
  ASSERT_EQ(facets.size(), 3u);
  EXPECT_EQ(facets[0].label, "Question type");
  EXPECT_EQ(facet_values(entries[0], facets[0]), std::vector<std::string>{"table"});
  EXPECT_EQ(facet_values(entries[1], facets[0]), std::vector<std::string>{"7"});
  EXPECT_EQ(facet_values(entries[2], facets[0]), std::vector<std::string>{"[odd'"});
  EXPECT_EQ(facets[1].name, "source");
  EXPECT_EQ(facet_values(entries[0], facets[1]), (std::vector<std::string>{"Chart", "Table"}));
  EXPECT_EQ(facet_values(entries[1], facets[1]), (std::vector<std::string>{"Chart", "Pure-text"}));
  EXPECT_EQ(facet_values(entries[2], facets[1]), std::vector<std::string>{"(none)"});
  EXPECT_EQ(facets[2].name, "pages");
  EXPECT_EQ(facet_values(entries[1], facets[2]), std::vector<std::string>{"several pages"});
}

}  // namespace
}  // namespace fineprint::report
