// Each benchmark's layout: which questions it gives, about which documents, with pages from 1.
#include <gtest/gtest.h>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "support/sample_benchmark.h"

namespace fineprint::bench {
namespace {

using testing::SampleBenchmark;

constexpr const char* kReport = "harbor-annual-report.pdf";
constexpr const char* kPassengers =
    "For how many passengers was the Sula certified before her refit?";

BenchmarkData read(const std::string& name, const SampleBenchmark& sample,
                   const LoadOptions& options = {}) {
  return load_benchmark(find_benchmark(name), sample.dir(), options);
}

// The question about passengers, whose gold page is the report's fifth by every way of counting.
void expect_first(const BenchmarkData& data, bool has_doc = true) {
  for (const DataProblem& problem : data.problems) ADD_FAILURE() << problem_text(problem);
  ASSERT_FALSE(data.questions.empty());
  const Question& first = data.questions.front().question;
  EXPECT_EQ(first.text, kPassengers);
  EXPECT_EQ(first.answer, "612");
  EXPECT_EQ(first.docs, has_doc ? std::vector<std::string>{kReport} : std::vector<std::string>());
  EXPECT_FALSE(first.id.empty());
  EXPECT_EQ(data.documents.size(), 1);
}

void expect_page_five(const BenchmarkData& data) {
  ASSERT_TRUE(data.questions.front().question.evidence);
  EXPECT_EQ(*data.questions.front().question.evidence, (std::vector<PageRef>{{kReport, 5}}));
}

Json extra_of(const PublishedQuestion& published) {
  return Json::parse(published.question.extra_json);
}

TEST(Benchmarks, MMLongBenchHasListsInStringsAndPagesFromOne) {
  const SampleBenchmark sample("mmlongbench", "documents");
  const BenchmarkData data = read("mmlongbench", sample);
  expect_first(data);
  expect_page_five(data);
  EXPECT_EQ(data.scorer, "mmlongbench");
  ASSERT_EQ(data.questions.size(), 8);
  EXPECT_EQ(data.questions.front().line, 2);
  EXPECT_EQ(data.questions[1].line, 11);
  EXPECT_EQ(extra_of(data.questions[2])["evidence_sources"],
            Json({"Chart", "Pure-text (Plain-text)"}));
  EXPECT_EQ(extra_of(data.questions[0])["doc_type"], "Financial report");
  EXPECT_EQ(data.questions[4].question.answer, kNotAnswerable);
  EXPECT_EQ(data.questions[4].question.answer_format, "None");
  EXPECT_EQ(data.questions[4].question.evidence, std::vector<PageRef>());
  EXPECT_EQ(Json::parse(data.questions[0].record_json)["evidence_pages"], "[5]");
}

TEST(Benchmarks, MMLongBenchIsReadAsMoLoRAGGivesItOut) {
  const SampleBenchmark sample("mmlongbench_shared", "documents");
  const BenchmarkData data = read("mmlongbench", sample);
  expect_first(data);
  expect_page_five(data);
  EXPECT_EQ(data.scorer, "molorag_mmlong");
  EXPECT_EQ(data.questions[3].question.id, "000003");
}

TEST(Benchmarks, LongDocURLHasAnswersOfTheirOwnTypesAndPagesFromOne) {
  const SampleBenchmark sample("longdocurl", "documents");
  const BenchmarkData data = read("longdocurl", sample);
  expect_first(data);
  expect_page_five(data);
  EXPECT_EQ(data.scorer, "longdocurl");
  EXPECT_EQ(data.questions[0].question.answer_format, "Integer");
  EXPECT_EQ(data.questions[3].question.answer,
            R"(["Saul Brennick","Anwen Castellor","Tobias Ferrow"])");
  EXPECT_EQ(extra_of(data.questions[0])["task_tag"], "Understanding");
}

TEST(Benchmarks, LongDocURLIsReadAsMoLoRAGGivesItOut) {
  const SampleBenchmark sample("longdocurl_shared", "documents");
  const BenchmarkData data = read("longdocurl", sample);
  expect_first(data);
  expect_page_five(data);
  EXPECT_EQ(data.scorer, "molorag_longdocurl");
}

TEST(Benchmarks, ViDoSeekSearchesOnePoolAndCountsPagesFromOne) {
  const SampleBenchmark sample("vidoseek", "pdf");
  const BenchmarkData data = read("vidoseek", sample);
  expect_first(data, /*has_doc=*/false);
  expect_page_five(data);
  EXPECT_EQ(data.questions.front().question.id, "u0");
  EXPECT_EQ(extra_of(data.questions[0])["source_type"], "2d_layout");
}

TEST(Benchmarks, OpenDocVQAHasPagesThatArePictures) {
  const SampleBenchmark sample("opendocvqa", "corpus/chartqa", {"board%2F1.png", "ticket.jpg"});
  const BenchmarkData data = read("opendocvqa", sample, {.subset = "chartqa"});
  for (const DataProblem& problem : data.problems) ADD_FAILURE() << problem_text(problem);
  ASSERT_EQ(data.questions.size(), 2);
  const Question& first = data.questions.front().question;
  EXPECT_EQ(first.text, "What does a single visit cost for a child?");
  EXPECT_TRUE(first.docs.empty());
  EXPECT_EQ(*first.evidence, (std::vector<PageRef>{{"board%2F1.png", 1}}));
  EXPECT_EQ(extra_of(data.questions[0])["answers"], Json({"£2.40", "2.40"}));
  EXPECT_EQ(data.scorer, "opendocvqa");
  EXPECT_EQ(data.measure, "relaxed");
  EXPECT_TRUE(data.documents.front().ends_with("corpus/chartqa"));
}

TEST(Benchmarks, OpenDocVQAHasAPoolOfAllItsSets) {
  const SampleBenchmark sample("opendocvqa", "corpus/all", {"board%2F1.png", "ticket.jpg"});
  EXPECT_THROW(read("opendocvqa", sample, {.subset = "chartqa"}), Error);
  const BenchmarkData data = read("opendocvqa", sample, {.subset = "chartqa", .all_pool = true});
  EXPECT_TRUE(data.documents.front().ends_with("corpus/all"));
  EXPECT_THROW(read("opendocvqa", sample, {.subset = "docvqa"}), Error);
}

TEST(Benchmarks, OpenDocVQAHasMoreSetsToTrainOn) {
  const SampleBenchmark sample("opendocvqa", "corpus/all", {"board%2F1.png", "ticket.jpg"});
  EXPECT_EQ(training_subsets(sample.dir()), std::vector<std::string>{"chartqa"});
  for (const char* name : {"openwikitable", "visualmrc", "docvqa", "mhdocvqa"}) {
    sample.write(std::string(name) + ".jsonl",
                 R"({"query_id": "q", "query": "Query: Who?", "answers": ["x"],)"
                 R"( "relevant_doc_ids": ["ticket", "board/1"]})");
    const LoadOptions training{.subset = name, .all_pool = true, .training = true};
    const BenchmarkData data = read("opendocvqa", sample, training);
    EXPECT_EQ(data.questions.front().question.evidence,
              (std::vector<PageRef>{{"ticket.jpg", 1}, {"board%2F1.png", 1}}));
    EXPECT_THROW(read("opendocvqa", sample, {.subset = name, .all_pool = true}), Error);
  }
  EXPECT_EQ(training_subsets(sample.dir()).size(), 5);
  EXPECT_THROW(training_subsets(sample.dir() + "/corpus"), Error);
}

TEST(Benchmarks, ViDoReCountsPagesFromZeroAndGradesThem) {
  const SampleBenchmark sample("vidore", "pdfs");
  const BenchmarkData data = read("vidore", sample);
  expect_first(data, /*has_doc=*/false);
  EXPECT_EQ(data.questions.size(), 7);
  EXPECT_EQ(*data.questions.front().question.evidence,
            (std::vector<PageRef>{{kReport, 1}, {kReport, 5}}));
  EXPECT_EQ(data.gains.at("1").at({kReport, 7}), 2);
  EXPECT_EQ(data.page_names.at({kReport, 5}), "4");
  EXPECT_EQ(data.measure, "nDCG@10");
  EXPECT_EQ(read("vidore", sample, {.subset = "german"}).questions.size(), 7);
  EXPECT_THROW(read("vidore", sample, {.subset = "latin"}), Error);
}

TEST(Benchmarks, PapersAndArticlesAreReadInThreeForms) {
  const SampleBenchmark table("papertab", "documents"), list("papertab_shared", "documents"),
      samples("papertext", "documents"), articles("fetatab", "documents");
  for (const BenchmarkData& data :
       {read("papertab", table), read("papertab", list), read("papertext", samples)}) {
    expect_first(data);
    EXPECT_FALSE(data.questions.front().question.evidence);
    EXPECT_EQ(extra_of(data.questions.front())["answers"], Json::array({"612"}));
    EXPECT_EQ(data.scorer, "uda_f1");
  }
  const BenchmarkData data = read("fetatab", articles);
  EXPECT_EQ(data.questions.front().question.answer, R"(The answer is "612".)");
}

TEST(Benchmarks, FinanceBenchCountsPagesFromZero) {
  const SampleBenchmark sample("financebench", "pdfs");
  const BenchmarkData data = read("financebench", sample);
  expect_first(data);
  expect_page_five(data);
  EXPECT_EQ(extra_of(data.questions[0])["question_type"], "domain-relevant");
}

TEST(Benchmarks, M3DocVQANamesDocumentsAndNoPages) {
  const SampleBenchmark sample("m3docvqa", "splits/pdfs_dev");
  const BenchmarkData data = read("m3docvqa", sample);
  expect_first(data, /*has_doc=*/false);
  EXPECT_FALSE(data.questions.front().question.evidence);
  EXPECT_EQ(extra_of(data.questions[0])["supporting_docs"], Json::array({kReport}));
  EXPECT_EQ(data.questions[3].question.answer,
            R"(["Saul Brennick","Anwen Castellor","Tobias Ferrow"])");
}

TEST(Benchmarks, FoldersHoldOurOwnRecords) {
  const SampleBenchmark sample("folder", "docs");
  const BenchmarkData data = read("folder", sample);
  expect_first(data);
  expect_page_five(data);
  EXPECT_EQ(data.questions.front().question.id, "own-0");
}

TEST(Benchmarks, NamesAreListedWhereThereIsNoSuchBenchmark) {
  try {
    find_benchmark("nosuch");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("folder, mmlongbench"), std::string::npos);
  }
}

TEST(Benchmarks, AFolderWithoutTheBenchmarkSaysWhatIsMissing) {
  const SampleBenchmark sample("folder", "docs");
  try {
    read("financebench", sample);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find("financebench_open_source.jsonl"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::bench
