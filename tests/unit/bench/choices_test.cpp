// Another judge than the paper's, and a sample of the questions.
#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/bench/benchmark.h"
#include "fineprint/bench/results.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "support/sample_benchmark.h"

namespace fineprint::bench {
namespace {

using testing::SampleBenchmark;
using testing::TempDir;

// A benchmark's sample with another judge.
class ChosenJudge : public ::testing::Test {
 protected:
  BenchmarkData load(const std::string& name, const std::string& documents,
                     const std::string& choice) {
    const SampleBenchmark sample(name, documents);
    BenchmarkData data = load_benchmark(find_benchmark(name), sample.dir());
    choose_judge(find_benchmark(name), choice, &data);
    return data;
  }
  // The results of a pipeline whose first question has this answer, and this reply of a judge.
  Json results(const std::string& name, const BenchmarkData& data, const std::string& answer,
               const std::string& kind, const std::string& reply) {
    const std::string id = data.questions.front().question.id;
    Answer given;
    given.id = id;
    given.answer = answer;
    given.answerable = true;
    out_.write("answers.jsonl", to_json_line(given) + "\n");
    out_.write("judged.jsonl", dump_json({{"id", id},
                                          {"answer", answer},
                                          {"judge", "m"},
                                          {"kind", kind},
                                          {"judge_reply", reply}}) +
                                   "\n");
    const Dataset& dataset = find_benchmark(name);
    const PipelineResult result = score_pipeline(dataset, data, "extractive", out_.path());
    write_results(out_.path(), dataset, {}, data, {result});
    return Json::parse(read_file(out_.file("results.json")));
  }
  static bool publishes(const Json& results, const std::string& measure) {
    return std::ranges::any_of(results["published"],
                               [&](const Json& figure) { return figure["measure"] == measure; });
  }

  TempDir out_;
};

TEST_F(ChosenJudge, OfThePaperStays) {
  EXPECT_EQ(load("mmlongbench", "documents", "paper").judge, JudgeKind::extraction);
  EXPECT_EQ(load("longdocurl", "documents", "extract").judge, JudgeKind::tagged_extraction);
}

// DMAP judges MMLongBench-Doc so.
TEST_F(ChosenJudge, SaysRightOrWrongOfAnyBenchmark) {
  const BenchmarkData data = load("mmlongbench", "documents", "binary");
  const Json found = results("mmlongbench", data, "six hundred and twelve", "binary",
                             R"({"binary_correctness": 1})");
  const Json& run = found["runs"][0];
  EXPECT_EQ(run["scored_by"], "judge");
  EXPECT_EQ(run["judge_kind"], "binary");
  EXPECT_EQ(run["measure"], "binary_correctness");
  EXPECT_DOUBLE_EQ(run["score"]["mean"].get<double>(), 1.0 / 8);
  EXPECT_TRUE(publishes(found, "judged by GPT-4o"));
  EXPECT_FALSE(publishes(found, "accuracy after extraction"));
  const std::string text = read_file(out_.file("results.md"));
  EXPECT_NE(text.find("| binary: m |"), std::string::npos);
  EXPECT_NE(text.find("the judge is binary here and extract in"), std::string::npos);
}

TEST_F(ChosenJudge, OfThePaperHasFiguresOfItsOwnMetricAlone) {
  const BenchmarkData data = load("mmlongbench", "documents", "paper");
  const Json found = results("mmlongbench", data, "It says 612.", "extract",
                             "Extracted answer: 612\nAnswer format: Integer");
  EXPECT_EQ(found["runs"][0]["scored_by"], "mmlongbench");
  EXPECT_EQ(found["runs"][0]["judge_kind"], "extract");
  EXPECT_DOUBLE_EQ(found["runs"][0]["score"]["mean"].get<double>(), 1.0 / 8);
  EXPECT_FALSE(publishes(found, "judged by GPT-4o"));
  EXPECT_TRUE(publishes(found, "accuracy after extraction"));
}

TEST_F(ChosenJudge, ExtractsForRulesThatComparedTheWholeAnswer) {
  const BenchmarkData data = load("financebench", "pdfs", "extract");
  const Json found = results("financebench", data, "It was certified for 612 passengers.",
                             "extract", "Extracted answer: 612\nAnswer format: Integer");
  EXPECT_EQ(found["runs"][0]["scored_by"], "relaxed");
  EXPECT_DOUBLE_EQ(found["runs"][0]["score"]["mean"].get<double>(), 1.0 / 7);
}

TEST_F(ChosenJudge, ExtractsNothingWhereNoRulesCompare) {
  EXPECT_THROW(load("vidoseek", "pdf", "extract"), Error);
}

// Two thirds of the sample's questions.
std::vector<std::string> sampled_ids(std::size_t count, long seed) {
  const SampleBenchmark sample("folder", "docs");
  BenchmarkData data = load_benchmark(find_benchmark("folder"), sample.dir());
  draw_sample(count, seed, &data);
  EXPECT_EQ(data.sample->of, 8);
  EXPECT_EQ(data.sample->seed, seed);
  std::vector<std::string> ids;
  for (const PublishedQuestion& one : data.questions) ids.push_back(one.question.id);
  return ids;
}

TEST(Samples, AreDrawnBySeedAndKeepTheOrder) {
  const std::vector<std::string> five = sampled_ids(5, 1);
  EXPECT_EQ(five.size(), 5);
  EXPECT_TRUE(std::ranges::is_sorted(five));  // own-0, own-1, ...
  EXPECT_EQ(five, sampled_ids(5, 1));
  std::vector<std::vector<std::string>> others;
  for (const long seed : {2, 3, 4, 5}) others.push_back(sampled_ids(5, seed));
  EXPECT_TRUE(std::ranges::any_of(others, [&](const auto& other) { return other != five; }));
  EXPECT_TRUE(std::ranges::includes(five, sampled_ids(3, 1)));
  EXPECT_EQ(sampled_ids(8, 1).size(), 8);
  EXPECT_THROW(sampled_ids(9, 1), Error);
}

TEST(Samples, AreNamedInTheResults) {
  const SampleBenchmark sample("folder", "docs");
  const Dataset& dataset = find_benchmark("folder");
  BenchmarkData data = load_benchmark(dataset, sample.dir());
  draw_sample(3, 7, &data);
  const TempDir out;
  write_results(out.path(), dataset, {}, data, {});
  const Json record = Json::parse(read_file(out.file("results.json")));
  EXPECT_EQ(record["questions"], 3);
  EXPECT_EQ(record["sample"], Json({{"of", 8}, {"seed", 7}}));
  EXPECT_NE(read_file(out.file("results.md")).find("3 questions, drawn at random from 8 with"),
            std::string::npos);
}

}  // namespace
}  // namespace fineprint::bench
