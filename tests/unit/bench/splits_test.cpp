// Groups of questions by their traces, worked out by hand.
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "fineprint/bench/results.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "bench/trace_facts.h"
#include "support/sample_benchmark.h"

namespace fineprint::bench {
namespace {

using testing::SampleBenchmark;
using testing::TempDir;

Answer traced_answer(const std::string& trace, double ms = 1000) {
  Answer answer;
  answer.id = "a";
  answer.trace_json = trace;
  answer.usage.ms = ms;
  return answer;
}

std::string call_step(const std::string& agent, int ms, int attempt = 1) {
  return dump_json({{"step", "call"}, {"ms", ms}, {"agent", agent}, {"attempt", attempt}});
}

TEST(TraceFacts, OfAnswersWithoutATraceAreUnknown) {
  const TraceFacts facts = trace_facts(traced_answer(""));
  EXPECT_TRUE(facts.splits.empty());
  EXPECT_FALSE(facts.answering_ms);
  EXPECT_FALSE(facts.judged_pages);
  EXPECT_THROW(trace_facts(traced_answer("[3]")), Error);
}

TEST(TraceFacts, OfDmapSayWhetherItReflected) {
  const std::string reflect = call_step("dmap.reflect", 10);
  const TraceFacts content = trace_facts(traced_answer("[" + reflect + "]"));
  EXPECT_EQ(content.splits.at("reflected"), false);
  EXPECT_EQ(content.splits.at("rounds"), 0);
  // An answer that abstains is not asked about.
  const TraceFacts again =
      trace_facts(traced_answer(R"([{"step":"expanded","ms":0,"pages":[3]}])"));
  EXPECT_EQ(again.splits.at("reflected"), true);
  EXPECT_EQ(again.splits.at("rounds"), 1);
  EXPECT_FALSE(again.splits.contains("uncertain"));
}

TEST(TraceFacts, OfOtherPipelinesSayWhetherTheyReflected) {
  const TraceFacts again =
      trace_facts(traced_answer("[" + call_step("dmap.reflect", 10) +
                                R"(,{"step":"reflected","ms":0,"missing":"since when"}])"));
  EXPECT_EQ(again.splits.at("reflected"), true);
  EXPECT_EQ(again.splits.at("rounds"), 1);
}

TEST(TraceFacts, OfHkragSayWhetherItWasUncertain) {
  const std::string judged = R"({"step":"uncertainty","ms":0,"value":0.4})";
  Answer answer = traced_answer("[" + judged + "]");
  EXPECT_FALSE(trace_facts(answer).splits.contains("uncertain"));  // a gate judged it
  answer.uncertain = false;
  EXPECT_EQ(trace_facts(answer).splits.at("uncertain"), false);
  EXPECT_EQ(trace_facts(answer).splits.at("rounds"), 0);
  const std::string mined = call_step("hkrag.decoupler_mine_zoom", 5) + "," +
                            call_step("hkrag.decoupler_mine_zoom", 5, 2) + "," +
                            call_step("hkrag.decoupler_separate", 5);
  answer = traced_answer("[" + judged + "," + mined + "]");
  answer.uncertain = true;
  EXPECT_EQ(trace_facts(answer).splits.at("uncertain"), true);
  EXPECT_EQ(trace_facts(answer).splits.at("rounds"), 1);  // the second attempt is of the same round
  answer.trace_json.clear();
  EXPECT_EQ(trace_facts(answer).splits.at("uncertain"), true);
}

TEST(TraceFacts, OfVidoragCountTheSeekersRounds) {
  const std::string round =
      call_step("vidorag.seeker", 5) + "," + call_step("vidorag.inspector", 5);
  EXPECT_EQ(trace_facts(traced_answer("[" + round + "," + round + "]")).splits.at("rounds"), 2);
}

// The judge of pages finds, the answering call answers.
TEST(TraceFacts, TellFindingFromAnswering) {
  const std::string judging =
      call_step("molorag.relevance", 300) + R"(,{"step":"relevance","ms":0,"page":"r.pdf:1"},)" +
      call_step("molorag.relevance", 300) + R"(,{"step":"relevance","ms":0,"page":"r.pdf:2"},)";
  const TraceFacts facts = trace_facts(traced_answer(R"([{"step":"late","ms":50},)" + judging +
                                                     call_step("answer.pages", 200) + "]"));
  EXPECT_DOUBLE_EQ(facts.answering_ms.value(), 200);
  EXPECT_DOUBLE_EQ(facts.retrieval_ms.value(), 800);
  EXPECT_EQ(facts.judged_pages, 2);
  // Calls that ran at the same time take no longer than the question did.
  const std::string both = call_step("dmap.text", 700) + "," + call_step("dmap.image", 600);
  const TraceFacts beside = trace_facts(traced_answer("[" + both + "]"));
  EXPECT_DOUBLE_EQ(beside.answering_ms.value(), 1000);
  EXPECT_DOUBLE_EQ(beside.retrieval_ms.value(), 0);
}

// Of eight questions four have answers: right and reflected, wrong and reflected, right, wrong.
class Splits : public ::testing::Test {
 protected:
  Splits() : sample_("folder", "docs") {
    data_ = load_benchmark(dataset_, sample_.dir());
    for (PublishedQuestion& one : data_.questions) one.pool_pages = 10;
    const std::string expanded = R"([{"step":"expanded","ms":0,"pages":[3]}])";
    const std::string content = "[" + call_step("dmap.reflect", 250) + "]";
    const std::string judged = R"([{"step":"relevance","ms":0,"page":"r.pdf:1"}])";
    const Question& first = data_.questions[0].question;
    const PageRef gold{first.docs.front(), 5};
    write("a",
          {given(0, "612", expanded, {gold}), given(1, "no such", expanded, {gold}),
           given(4, std::string(kNotAnswerable), content, {}), given(3, "no such", judged, {})});
    write("b", {given(0, "no such", "", {}), given(1, "no such", "", {})});
  }
  Answer given(std::size_t question, const std::string& text, const std::string& trace,
               const std::vector<PageRef>& pages) const {
    Answer answer = traced_answer(trace, 500);
    answer.id = data_.questions[question].question.id;
    answer.answer = text;
    answer.answerable = text != kNotAnswerable;
    for (const PageRef& page : pages) answer.retrieved.push_back({page, 1});
    return answer;
  }
  void write(const std::string& name, const std::vector<Answer>& answers) {
    std::string text;
    for (const Answer& answer : answers) text += to_json_line(answer) + "\n";
    std::filesystem::create_directories(out_.file(name));
    out_.write(name + "/answers.jsonl", text);
    results_[name] = score_pipeline(dataset_, data_, name, out_.file(name));
  }
  Json run() { return Json::parse(results_["a"].json); }

  const Dataset& dataset_ = find_benchmark("folder");
  SampleBenchmark sample_;
  TempDir out_;
  BenchmarkData data_;
  std::map<std::string, PipelineResult> results_;
};

TEST_F(Splits, CountRightAndWrongAnswers) {
  const Json reflected = run()["splits"]["reflected"];
  EXPECT_EQ(reflected["true"]["questions"], 2);
  EXPECT_EQ(reflected["true"]["correct"], 1);
  EXPECT_EQ(reflected["true"]["wrong"], 1);
  EXPECT_DOUBLE_EQ(reflected["true"]["score"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(reflected["true"]["share"].get<double>(), 2.0 / 3);
  EXPECT_EQ(reflected["false"]["questions"], 1);
  EXPECT_EQ(run()["splits"]["rounds"]["0"]["questions"], 1);
  EXPECT_TRUE(Json::parse(results_["b"].json)["splits"].empty());
}

// Seven questions have gold pages; the gold page of the first is that of none of the others.
TEST_F(Splits, RetrievalIsCrossedWithAnswers) {
  const Json table = run()["cross_table"]["Hit@3"];
  EXPECT_EQ(table["both"], 1);
  EXPECT_EQ(table["both"].get<int>() + table["retrieval_only"].get<int>() +
                table["answer_only"].get<int>() + table["neither"].get<int>(),
            7);
  EXPECT_EQ(table["answer_only"], 0);
}

TEST_F(Splits, TimesAndJudgedPagesAreMeans) {
  const Json cost = run()["a_question"];
  EXPECT_DOUBLE_EQ(cost["seconds"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(cost["seconds_answering"].get<double>(), 0.25 / 4);
  EXPECT_DOUBLE_EQ(cost["seconds_retrieval"].get<double>(), 0.5 - 0.25 / 4);
  EXPECT_TRUE(Json::parse(results_["b"].json)["a_question"]["seconds_answering"].is_null());
  const Json pages = run()["judged_pages"];
  EXPECT_EQ(pages["questions"], 1);
  EXPECT_DOUBLE_EQ(pages["share"].get<double>(), 0.1);
  EXPECT_TRUE(Json::parse(results_["b"].json)["judged_pages"].is_null());
}

TEST_F(Splits, AreTablesForPeople) {
  write_results(out_.path(), dataset_, {}, data_, {results_["a"]});
  const std::string text = read_file(out_.file("results.md"));
  EXPECT_NE(text.find("### a, by reflected"), std::string::npos);
  EXPECT_NE(text.find("| true | 2 | 66.7 | 1 | 1 | 50.0 |"), std::string::npos);
  EXPECT_NE(text.find("### a, retrieval and answers"), std::string::npos);
  EXPECT_NE(text.find("judged 1.0 of 10.0 pages"), std::string::npos);
}

// The other pipeline does not reflect, so that only one of the two knows the group.
TEST_F(Splits, LimitAComparison) {
  const std::string a = out_.file("a"), b = out_.file("b");
  EXPECT_EQ(Json::parse(compare_pipelines(b, a).json)["questions"], 8);
  const Json record = Json::parse(compare_pipelines(b, a, "reflected").json);
  EXPECT_EQ(record["questions"], 2);
  EXPECT_EQ(record["split"], "reflected");
  EXPECT_EQ(record["better"].size(), 1);
  EXPECT_DOUBLE_EQ(record["difference"]["mean"].get<double>(), 0.5);
  EXPECT_EQ(Json::parse(compare_pipelines(a, b, "rounds=0").json)["questions"], 1);
  EXPECT_THROW(compare_pipelines(a, b, "rounds=7"), Error);
  EXPECT_THROW(compare_pipelines(a, b, "uncertain"), Error);
}

// EM and the slices by pages of MoLoRAG's rules are per cent, those of the benchmark's own shares.
TEST(RuleTotals, AreColumnsForPeople) {
  const TempDir out;
  const auto row_of = [&](const std::string& form) {
    const SampleBenchmark sample(form, "documents");
    const Dataset& dataset = find_benchmark("mmlongbench");
    const BenchmarkData data = load_benchmark(dataset, sample.dir());
    Answer right = traced_answer("");
    right.id = data.questions.front().question.id;
    right.answer = "612";
    out.write("answers.jsonl", to_json_line(right) + "\n");
    const PipelineResult result = score_pipeline(dataset, data, "extractive", out.path());
    write_results(out.path(), dataset, {}, data, {result});
    const std::string text = read_file(out.file("results.md"));
    const std::size_t head = text.find("| EM | F1 | one page | several pages | unanswerable |");
    const std::size_t row = text.find("| extractive |", head);
    return text.substr(row, text.find('\n', row) - row);
  };
  // Eight questions, one right: EM 12.5. No question has an answer to decline.
  EXPECT_TRUE(row_of("mmlongbench_shared").starts_with("| extractive | 12.5 |"))
      << row_of("mmlongbench_shared");
  EXPECT_TRUE(row_of("mmlongbench_shared").ends_with("| 0.0 |"));
  EXPECT_TRUE(row_of("mmlongbench").starts_with("| extractive | - |"));
  EXPECT_TRUE(row_of("mmlongbench").ends_with("| 0.0 |"));
}

}  // namespace
}  // namespace fineprint::bench
