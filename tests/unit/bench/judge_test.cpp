// What judges reply, and how their replies are kept.
#include "fineprint/bench/judge.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fineprint/agents/agent.h"
#include "fineprint/bench/results.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "support/sample_benchmark.h"
#include "unit/agents/small_agency.h"

namespace fineprint::bench {
namespace {

using testing::SampleBenchmark;
using testing::TempDir;

// A prompt that nobody asks by is a slip; what is judged is marked as material.
TEST(JudgeAgents, AreThoseThatHavePrompts) {
  std::set<std::string> asked, written;
  for (const JudgeKind kind :
       {JudgeKind::extraction, JudgeKind::tagged_extraction, JudgeKind::grade, JudgeKind::binary}) {
    const std::string name = judge_agent(kind);
    asked.insert(name);
    const agents::Agent agent = agents::load_agent(name);
    EXPECT_NE(agent.prompt.user.find("{question}"), std::string::npos) << name;
    EXPECT_NE(agent.prompt.user.find("{answer}"), std::string::npos) << name;
    EXPECT_NE(agent.prompt.system.find("\"| \""), std::string::npos) << name;
  }
  for (const auto& file :
       std::filesystem::directory_iterator(FINEPRINT_TEST_DATA "/../../configs/prompts/judges")) {
    const std::string role = file.path().stem().string();
    if (role != "system") written.insert("judges." + role);
  }
  EXPECT_EQ(asked, written);
}

Answer answer_to(const std::string& id, const std::string& text) {
  Answer answer;
  answer.id = id;
  answer.answer = text;
  answer.answerable = true;
  return answer;
}

Question question_named(const std::string& id) {
  Question question;
  question.id = id;
  question.text = "Who?";
  return question;
}

constexpr JudgeKinds kBinary{JudgeKind::binary, JudgeKind::binary};

Question question_with(const std::string& gold, const Json& answers) {
  Question question = question_named("a");
  question.answer = gold;
  question.extra_json = dump_json({{"answers", answers}});
  return question;
}

TEST(References, AreAllThatARecordLists) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(gold_answers(question_with("x", {"x", "y", "z"})), (Texts{"x", "y", "z"}));
  // Parts of one answer, which are no alternatives.
  EXPECT_EQ(gold_answers(question_with(R"(["x","y"])", {"x", "y"})), Texts{R"(["x","y"])"});
  Question plain = question_named("a");
  plain.answer = "x";
  EXPECT_EQ(gold_answers(plain), Texts{"x"});
}

TEST(References, AreAllShownToTheJudge) {
  agents::SmallAgency agency(agents::scripted("judges.grade", "4\nWordy.") +
                             agents::scripted("judges.binary", {{"binary_correctness", 1}}) +
                             agents::scripted("judges.binary", {{"binary_correctness", 1}}));
  const session::Session& session = agency.context().session;
  const Question several = question_with("2.40", {"2.40", "two pounds forty"});
  Judge(session, JudgeKind::grade).ask(several, answer_to("a", "£2.40"));
  EXPECT_NE(agency.said(0).find("\n| 1. 2.40\n| 2. two pounds forty\n"), std::string::npos);
  Judge(session, JudgeKind::binary).ask(several, answer_to("a", "£2.40"));
  EXPECT_NE(agency.said(1).find("\n| 1. 2.40\n| 2. two pounds forty\n"), std::string::npos);
  Judge(session, JudgeKind::binary).ask(question_with("2.40", {"2.40"}), answer_to("a", "£2.40"));
  EXPECT_NE(agency.said(2).find("\n| 2.40\n"), std::string::npos);
}

// Judges with the replies of a function, and counts how often it is asked.
class Judged : public ::testing::Test {
 protected:
  int judge(const std::vector<Answer>& answers, const std::string& name = "m",
            JudgeKind kind = JudgeKind::binary) {
    int asked = 0;
    judge_answers({.file = file_, .judge = name, .kinds = {kind, JudgeKind::binary}},
                  {question_named("a"), question_named("b")}, answers,
                  [&](const Question&, const Answer& answer) {
                    ++asked;
                    if (answer.answer == "silence") throw Error(ErrorCode::no_reply, "gone");
                    return "about " + answer.answer;
                  });
    return asked;
  }
  TempDir folder_;
  const std::string file_ = folder_.file("judged.jsonl");
};

TEST_F(Judged, AnswersAreJudgedOnce) {
  const std::vector<Answer> answers = {answer_to("a", "x"), answer_to("b", "y")};
  EXPECT_EQ(judge(answers), 2);
  EXPECT_EQ(judge(answers), 0);
  EXPECT_EQ(read_judged(file_, answers, kBinary).at("b").text, "about y");
}

TEST_F(Judged, AnotherAnswerOrJudgeIsJudgedAnew) {
  judge({answer_to("a", "x"), answer_to("b", "y")});
  const std::vector<Answer> changed = {answer_to("a", "x"), answer_to("b", "z")};
  EXPECT_EQ(read_judged(file_, changed, kBinary).size(), 1);
  EXPECT_EQ(judge(changed), 1);
  EXPECT_EQ(judge(changed, "other"), 2);
  EXPECT_EQ(read_judged(file_, changed, kBinary).at("a").judge, "other");
}

TEST_F(Judged, RepliesOfTwoKindsAreKeptApart) {
  const std::vector<Answer> answers = {answer_to("a", "x")};
  folder_.write("judged.jsonl",
                R"({"id":"a","answer":"x","judge":"m","judge_reply":"of an earlier version"})"
                "\n");
  EXPECT_EQ(read_judged(file_, answers, kBinary).at("a").text, "of an earlier version");
  EXPECT_EQ(judge(answers), 0);
  EXPECT_EQ(judge(answers, "m", JudgeKind::grade), 1);
  EXPECT_EQ(judge(answers, "m", JudgeKind::grade), 0);
  EXPECT_EQ(judge(answers), 0);
  EXPECT_EQ(read_judged(file_, answers, {JudgeKind::grade, JudgeKind::binary}).at("a").text,
            "about x");
  EXPECT_EQ(read_judged(file_, answers, kBinary).at("a").text, "of an earlier version");
}

TEST_F(Judged, WhatGotNoReplyOrIsNoAnswerIsLeftForLater) {
  Answer failed = answer_to("b", "y");
  failed.error = Failure{ErrorCode::input, "lost"};
  EXPECT_EQ(judge({answer_to("a", "silence"), failed}), 1);
  EXPECT_TRUE(read_judged(file_, {answer_to("a", "silence")}, kBinary).empty());
  EXPECT_EQ(judge({answer_to("a", "silence"), failed}), 1);
}

TEST_F(Judged, ATornLineIsJudgedAgainAndABrokenOneNamed) {
  const std::vector<Answer> answers = {answer_to("a", "x"), answer_to("b", "y")};
  judge(answers);
  const std::string whole = read_file(file_);
  folder_.write("judged.jsonl", whole.substr(0, whole.size() - 5));
  EXPECT_EQ(judge(answers), 1);
  EXPECT_EQ(read_file(file_), whole);
  folder_.write("judged.jsonl", "{}\n" + whole);
  EXPECT_THROW(judge(answers), Error);
}

// Two answers of the sample of FinanceBench, the first judged right by a reply that is there.
TEST(JudgedScores, CountInPlaceOfTheRules) {
  const SampleBenchmark sample("financebench", "pdfs");
  const Dataset& dataset = find_benchmark("financebench");
  const BenchmarkData data = load_benchmark(dataset, sample.dir());
  const TempDir out;
  const std::string first = data.questions[0].question.id, second = data.questions[1].question.id;
  out.write("answers.jsonl", to_json_line(answer_to(first, "wrong by the rules")) + "\n" +
                                 to_json_line(answer_to(second, "14.8")) + "\n");
  out.write("judged.jsonl", R"({"id":")" + first + R"(","answer":"wrong by the rules",)" +
                                R"("judge":"m","judge_reply":"{\"binary_correctness\": 1}"})"
                                "\n");
  const Json entry = Json::parse(score_pipeline(dataset, data, "extractive", out.path()).json);
  EXPECT_EQ(entry["scored_by"], "judge");
  EXPECT_EQ(entry["judge"], "m");
  EXPECT_EQ(entry["judge_kind"], "binary");
  EXPECT_DOUBLE_EQ(entry["score"]["mean"].get<double>(), 1.0 / 7);
  const std::string lines = read_file(out.file("scores.jsonl"));
  const Json line = Json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(line["correct"], true);
  EXPECT_EQ(line["judge_reply"], R"({"binary_correctness": 1})");
  EXPECT_NE(lines.find("\"error\":\"not judged\""), std::string::npos);
}

}  // namespace
}  // namespace fineprint::bench
