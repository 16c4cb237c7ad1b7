// What answers to a benchmark come to, worked out by hand.
#include "fineprint/bench/results.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "bench/result_text.h"
#include "support/sample_benchmark.h"

namespace fineprint::bench {
namespace {

using testing::SampleBenchmark;
using testing::TempDir;

Answer answer_of(const Question& question, const std::string& text, std::vector<PageRef> pages) {
  Answer answer;
  answer.id = question.id;
  answer.question = question.text;
  answer.answer = text;
  answer.answerable = text != kNotAnswerable;
  for (const PageRef& page : pages) answer.retrieved.push_back({page, 1});
  answer.usage.vlm_calls = 2;
  answer.usage.prompt_tokens = 100;
  answer.usage.ms = 500;
  return answer;
}

// The own record's sample: eight questions, of which the first is answered right, the second wrong,
// the third failed, the fifth rightly declined, and the others got no answer.
class Results : public ::testing::Test {
 protected:
  Results() : sample_("folder", "docs") {
    data_ = load_benchmark(dataset_, sample_.dir());
    const std::vector<Question> all = data_.plain_questions();
    Answer failed = answer_of(all[2], "", {});
    failed.error = Failure{ErrorCode::input, "lost"};
    failed.usage = {};
    const PageRef right{all[0].docs.front(), 5}, wrong{all[0].docs.front(), 1};
    write({answer_of(all[0], "999", {}), answer_of(all[0], "612", {wrong, right}),
           answer_of(all[1], "3", {wrong}), failed,
           answer_of(all[4], std::string(kNotAnswerable), {})});
    result_ = score_pipeline(dataset_, data_, "extractive", out_.path());
  }
  void write(const std::vector<Answer>& answers) {
    std::string text;
    for (const Answer& answer : answers) text += to_json_line(answer) + "\n";
    out_.write("answers.jsonl", text);
  }
  Json entry() const { return Json::parse(result_.json); }

  const Dataset& dataset_ = find_benchmark("folder");
  SampleBenchmark sample_;
  TempDir out_;
  BenchmarkData data_;
  PipelineResult result_;
};

TEST_F(Results, QuestionsWithoutAnAnswerScoreNothing) {
  EXPECT_EQ(entry()["questions"], 8);
  EXPECT_EQ(entry()["failed"], 1);
  EXPECT_EQ(entry()["missing"], 4);
  EXPECT_EQ(result_.failed, 5);
  EXPECT_DOUBLE_EQ(entry()["score"]["mean"].get<double>(), 2.0 / 8);
}

TEST_F(Results, TheLastAnswerOfAQuestionCountsAndRankingsAreMeans) {
  const Json ranking = entry()["ranking"];
  EXPECT_EQ(ranking["questions"], 7);  // one cannot be answered
  EXPECT_DOUBLE_EQ(ranking["R@3"]["mean"].get<double>(), 1.0 / 7);
  EXPECT_DOUBLE_EQ(ranking["RR"]["mean"].get<double>(), 0.5 / 7);
}

TEST_F(Results, CostsAreMeansOverWhatWasAnswered) {
  EXPECT_DOUBLE_EQ(entry()["a_question"]["calls"].get<double>(), 2);
  EXPECT_DOUBLE_EQ(entry()["a_question"]["prompt_tokens"].get<double>(), 100);
  EXPECT_DOUBLE_EQ(entry()["a_question"]["seconds"].get<double>(), 0.5);
}

TEST_F(Results, TheShareOfUncertainQuestionsIsThatOfThoseJudged) {
  EXPECT_FALSE(entry()["splits"].contains("uncertain"));
  const std::vector<Question> all = data_.plain_questions();
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < 4; ++i) answers.push_back(answer_of(all[i], "3", {}));
  answers[0].uncertain = true;
  answers[1].uncertain = false;
  answers[3].uncertain = false;
  write(answers);
  result_ = score_pipeline(dataset_, data_, "hkrag", out_.path());
  const Json groups = entry()["splits"]["uncertain"];
  EXPECT_EQ(groups["true"]["questions"], 1);
  EXPECT_EQ(groups["false"]["questions"], 2);
  EXPECT_DOUBLE_EQ(groups["true"]["share"].get<double>(), 1.0 / 3);
  write_results(out_.path(), dataset_, {}, data_, {result_});
  const std::string text = read_file(out_.file("results.md"));
  EXPECT_NE(text.find("### hkrag, by uncertain"), std::string::npos) << text;
}

TEST_F(Results, ScoresAreLinesInTheOrderOfTheQuestions) {
  const std::string text = read_file(out_.file("scores.jsonl"));
  const Json first = Json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(first["id"], "own-0");
  EXPECT_EQ(first["score"], 1);
  EXPECT_EQ(first["correct"], true);
  EXPECT_EQ(first["ranking"]["RR"], 0.5);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8);
}

TEST_F(Results, ScoresAreSortedByWhatQuestionsCarry) {
  const Json slices = entry()["slices"];
  EXPECT_EQ(slices["doc_type"]["Financial report"]["questions"], 5);
  EXPECT_DOUBLE_EQ(slices["doc_type"]["Financial report"]["score"].get<double>(), 2.0 / 5);
  EXPECT_EQ(slices["evidence_sources"]["Chart"]["questions"], 1);
}

TEST_F(Results, FilesForPeopleAndProgramsHoldTheSame) {
  write_results(out_.path(), dataset_, {}, data_, {result_});
  const Json record = Json::parse(read_file(out_.file("results.json")));
  EXPECT_EQ(record["schema"], "fineprint.bench/1");
  EXPECT_EQ(record["runs"][0], entry());
  const std::string text = read_file(out_.file("results.md"));
  EXPECT_NE(text.find("| extractive |"), std::string::npos);
  EXPECT_NE(text.find("25.0 ("), std::string::npos);
  // No question has more than two ranked pages, so R@5 and nDCG@5 are not measured.
  EXPECT_EQ(entry()["ranked_pages"], 2);
  EXPECT_NE(text.find(" | - | - | "), std::string::npos) << text;
}

TEST_F(Results, OtherQuestionsAreRefusedUnlessForced) {
  write_questions(out_.path(), data_, false);
  write_questions(out_.path(), data_, false);
  data_.questions.front().question.text = "Another?";
  EXPECT_THROW(write_questions(out_.path(), data_, false), Error);
  write_questions(out_.path(), data_, true);
  write_questions(out_.path(), data_, false);
}

TEST(QuestionLines, AreReadBackAsTheyWere) {
  for (const char* line :
       {R"({"id":"a","question":"Who?","doc":"x.pdf","answer":"y","answer_format":"Str",)"
        R"("evidence_pages":[1,3],"doc_type":"Brochure"})",
        R"({"id":"b","question":"Who?","doc":["x.pdf","y.pdf"],)"
        R"("evidence_pages":[{"doc":"y.pdf","page":2}]})",
        R"({"id":"c","question":"Who?","evidence_pages":[]})", R"({"id":"d","question":"Who?"})"}) {
    EXPECT_EQ(question_line(parse_question(line)), line);
  }
}

}  // namespace
}  // namespace fineprint::bench
