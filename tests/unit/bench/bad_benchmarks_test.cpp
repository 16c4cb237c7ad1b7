// What is missing or malformed in published data is named, and the rest is read.
#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/error.h"

#include "bench/datasets/sources.h"
#include "support/sample_benchmark.h"

namespace fineprint::bench {
namespace {

using testing::SampleBenchmark;
using testing::TempDir;

constexpr const char* kOwn = "questions.jsonl";

BenchmarkData read_own(const std::string& text) {
  const SampleBenchmark sample("folder", "docs");
  sample.write(kOwn, text);
  return load_benchmark(find_benchmark("folder"), sample.dir());
}

// Whether one of the problems is on this line, of this field, and says so.
bool tells(const BenchmarkData& data, std::size_t line, const std::string& field,
           const std::string& part) {
  return std::ranges::any_of(data.problems, [&](const DataProblem& problem) {
    return problem.line == line && problem.field == field &&
           problem.what.find(part) != std::string::npos;
  });
}

const std::string kGood =
    R"({"id":"a","question":"Who?","doc":"rotated-table.pdf","answer":"x","evidence_pages":[1]})"
    "\n";

TEST(BadBenchmarks, AMissingDocumentIsToldOnce) {
  const std::string lost =
      R"({"id":"b","question":"Who?","doc":"lost.pdf","answer":"x","evidence_pages":[1]})";
  std::string again = lost;
  again.replace(again.find("\"b\""), 3, "\"c\"");
  const BenchmarkData data = read_own(kGood + lost + "\n" + again + "\n");
  EXPECT_EQ(data.questions.size(), 3);
  EXPECT_TRUE(tells(data, 2, "doc", "lost.pdf is not in"));
  EXPECT_EQ(data.problems.size(), 1);
}

TEST(BadBenchmarks, AnIdThatWasUsedGetsANumber) {
  const BenchmarkData data = read_own(kGood + kGood + kGood);
  ASSERT_EQ(data.questions.size(), 3);
  EXPECT_EQ(data.questions[0].question.id, "a");
  EXPECT_EQ(data.questions[1].question.id, "a~2");
  EXPECT_EQ(data.questions[2].question.id, "a~3");
  EXPECT_TRUE(tells(data, 3, "", "id a was already used on line 1"));
}

TEST(BadBenchmarks, AQuestionWithoutGoldPagesIsToldAndAsked) {
  const BenchmarkData data = read_own(
      kGood +
      R"({"id":"b","question":"Who?","answer":"x","evidence_pages":[]})"
      "\n"
      R"({"id":"c","question":"Who?","answer":"Not answerable","answer_format":"None","evidence_pages":[]})"
      "\n");
  EXPECT_EQ(data.questions.size(), 3);
  EXPECT_TRUE(tells(data, 2, "", "question b has no gold pages"));
  EXPECT_EQ(data.problems.size(), 1);
}

TEST(BadBenchmarks, BytesThatAreNoTextAreReplaced) {
  const BenchmarkData data = read_own(kGood +
                                      "{\"id\":\"b\",\"question\":\"Who is M\xFCller?\","
                                      "\"doc\":\"rotated-table.pdf\",\"answer\":\"x\"}\n");
  ASSERT_EQ(data.questions.size(), 2);
  EXPECT_EQ(data.questions[1].question.text, "Who is M\uFFFDller?");
  EXPECT_TRUE(tells(data, 2, "", "not UTF-8"));
}

TEST(BadBenchmarks, WhatIsNoRecordIsLeftOut) {
  const BenchmarkData data =
      read_own("{\"id\": \n" + kGood + "[1]\n{\"id\":\"b\"}\n{\"id\":\"c\",\"question\":\"\"}\n");
  EXPECT_EQ(data.questions.size(), 1);
  EXPECT_TRUE(tells(data, 1, "", "left out"));
  EXPECT_TRUE(tells(data, 3, "", "not an object"));
  EXPECT_TRUE(tells(data, 4, "", "question"));
  EXPECT_TRUE(tells(data, 5, "", "the question has no text"));
}

TEST(BadBenchmarks, NothingLeftIsAnError) { EXPECT_THROW(read_own("[1]\n"), Error); }

TEST(BadBenchmarks, PagesBeforeTheFirstAreDropped) {
  const BenchmarkData own = read_own(
      R"({"id":"a","question":"Who?","doc":"rotated-table.pdf","answer":"x","evidence_pages":[0,2]})"
      "\n");
  EXPECT_EQ(*own.questions[0].question.evidence, (std::vector<PageRef>{{"rotated-table.pdf", 2}}));
  EXPECT_TRUE(tells(own, 1, "evidence_pages", "0 is not a page"));
}

BenchmarkData read_samples(const std::string& pages) {
  const SampleBenchmark sample("mmlongbench", "documents");
  sample.write("samples.json",
               "[\n{\"doc_id\":\"rotated-table.pdf\",\"question\":\"Who?\",\"answer\":\"x\",\n"
               "\"answer_format\":\"Str\",\"evidence_pages\":\"" +
                   pages + "\",\"evidence_sources\":\"['Table']\"}]");
  return load_benchmark(find_benchmark("mmlongbench"), sample.dir());
}

TEST(BadBenchmarks, PagesInStringsAreLookedAtOneByOne) {
  const BenchmarkData data = read_samples("[0, 2, 2, 'x']");
  EXPECT_EQ(*data.questions[0].question.evidence, (std::vector<PageRef>{{"rotated-table.pdf", 2}}));
  EXPECT_TRUE(tells(data, 2, "evidence_pages", "page 0 does not exist"));
  EXPECT_TRUE(tells(data, 2, "evidence_pages", "page 2 is listed twice"));
  EXPECT_TRUE(tells(data, 2, "evidence_pages", "\"x\" is not a page"));
  const BenchmarkData broken = read_samples("[1, 2");
  EXPECT_FALSE(broken.questions[0].question.evidence);
  EXPECT_TRUE(tells(broken, 2, "evidence_pages", "not a list of pages"));
}

TEST(BadBenchmarks, EvidenceBeforeTheFirstPageOfAReportIsDropped) {
  const SampleBenchmark sample("financebench", "pdfs");
  sample.write(
      "financebench_open_source.jsonl",
      R"({"financebench_id":"f","doc_name":"rotated-table","question":"Who?","answer":"x",)"
      R"("evidence":[{"doc_name":"rotated-table","evidence_page_num":-1},)"
      R"({"doc_name":"rotated-table","evidence_page_num":0},{"doc_name":"rotated-table"}]})");
  const BenchmarkData data = load_benchmark(find_benchmark("financebench"), sample.dir());
  EXPECT_EQ(*data.questions[0].question.evidence, (std::vector<PageRef>{{"rotated-table.pdf", 1}}));
  EXPECT_EQ(data.problems.size(), 2);
}

TEST(BadBenchmarks, AListThatIsCutShortGivesWhatItHas) {
  const TempDir folder;
  std::vector<DataProblem> problems;
  const std::string file =
      folder.write("list.json", "{\"n\": [1, {}], \"examples\": [{\"a\": \"]}\"},\n {\"a\": 2}");
  const std::vector<Source> sources = read_json_list(file, &problems, "examples");
  ASSERT_EQ(sources.size(), 2);
  EXPECT_EQ(sources[0].fields["a"], "]}");
  EXPECT_EQ(sources[1].line, 2);
  ASSERT_EQ(problems.size(), 1);
  EXPECT_NE(problems[0].what.find("does not end"), std::string::npos);
  EXPECT_THROW(read_json_list(file, &problems, "nosuch"), Error);
  EXPECT_THROW(read_json_list(file, &problems), Error);
}

TEST(BadBenchmarks, RowsOfTablesAreReadWithTheirQuotes) {
  const TempDir folder;
  std::vector<DataProblem> problems;
  const std::string file =
      folder.write("table.csv", "a|b\r\n1|\"x|\"\"y\"\"\nz\"\r\n2\n|\n3|\"open\n");
  const std::vector<Source> sources = read_csv(file, '|', &problems);
  ASSERT_EQ(sources.size(), 2);
  EXPECT_EQ(sources[0].fields["b"], "x|\"y\"\nz");
  EXPECT_EQ(sources[1].fields["a"], "");
  ASSERT_EQ(problems.size(), 2);
  EXPECT_EQ(problems[0].line, 4);
  EXPECT_NE(problems[0].what.find("1 values for 2 columns"), std::string::npos);
  EXPECT_NE(problems[1].what.find("not closed"), std::string::npos);
}

}  // namespace
}  // namespace fineprint::bench
