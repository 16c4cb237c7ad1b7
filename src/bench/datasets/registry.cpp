// The table of benchmarks.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "bench/datasets/dataset.h"

namespace fineprint::bench {
namespace {

// In the order of help: the user's own questions first.
const std::vector<const Dataset*>& datasets() {
  static const std::vector<const Dataset*> all = {
      &folder_dataset(),   &mmlongbench_dataset(),  &longdocurl_dataset(), &opendocvqa_dataset(),
      &vidoseek_dataset(), &vidore_dataset(),       &papertab_dataset(),   &papertext_dataset(),
      &fetatab_dataset(),  &financebench_dataset(), &m3docvqa_dataset()};
  return all;
}

}  // namespace

std::vector<BenchmarkName> benchmark_names() {
  std::vector<BenchmarkName> names;
  for (const Dataset* dataset : datasets()) names.push_back({dataset->name, dataset->summary});
  return names;
}

const Dataset& find_benchmark(const std::string& name) {
  const auto found = std::ranges::find(datasets(), name, &Dataset::name);
  if (found != datasets().end()) return **found;
  const std::string names = join_texts(datasets(), ", ", &Dataset::name);
  throw Error(ErrorCode::usage,
              format("there is no benchmark \"{}\"; choose one of: {}", name, names));
}

// A benchmark without any question is an error and not a problem: the folder is probably the wrong
// one.
BenchmarkData load_benchmark(const Dataset& dataset, const std::string& dir,
                             const LoadOptions& options) {
  BenchmarkData data = dataset.load(dir, options);
  if (data.questions.empty()) {
    const std::string first = data.problems.empty() ? ""
                                                    : format("; the first problem: {}",
                                                             problem_text(data.problems.front()));
    throw Error(ErrorCode::input,
                format("{} contains no question of {}{}", dir, dataset.name, first));
  }
  data.published_judge = data.judge;
  return data;
}

Json own_item(const GivenAnswer& given) {
  const Question& question = given.question.question;
  return {{"answer", question.answer.value_or("")},
          {"prediction", given.prediction},
          {"answer_format", question.answer_format}};
}

Json extracted_item(const GivenAnswer& given) {
  Json item = given.record;
  if (given.extraction.empty()) {
    item["prediction"] = given.prediction;
  } else {
    item["extraction"] = given.extraction;
  }
  return item;
}

// The rules judge page numbers only, because these questions are about one document.
Json page_ranking_item(const GivenAnswer& given) {
  Json gold = Json::array(), ranking = Json::array();
  const auto& evidence = given.question.question.evidence;
  if (evidence) {
    for (const PageRef& page : *evidence) gold.push_back(page.page);
  }
  for (const RetrievedPage& found : given.answer.retrieved) ranking.push_back(found.page.page);
  return {{"evidence_pages", std::move(gold)}, {"pages_ranking", std::move(ranking)}};
}

std::string problem_text(const DataProblem& problem) {
  std::string where = problem.file;
  if (problem.line > 0) where += format(":{}", problem.line);
  if (!problem.field.empty()) where += format(": {}", problem.field);
  return format("{}: {}", where, problem.what);
}

std::vector<Question> BenchmarkData::plain_questions() const {
  std::vector<Question> plain;
  for (const PublishedQuestion& published : questions) plain.push_back(published.question);
  return plain;
}

}  // namespace fineprint::bench
