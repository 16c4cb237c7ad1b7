// Scores the answers of pipelines and writes the results of a run.
#include "fineprint/bench/results.h"

#include <algorithm>
#include <filesystem>

#include "fineprint/bench/evaluate.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/runs/answer_file.h"

#include "bench/datasets/published.h"
#include "bench/result_text.h"
#include "bench/run_entry.h"
#include "bench/scored_questions.h"

namespace fineprint::bench {
namespace {

std::string questions_text(const BenchmarkData& data) {
  std::string text;
  for (const PublishedQuestion& published : data.questions) {
    text += question_line(published.question) + "\n";
  }
  return text;
}

// Only file names are written, so that results do not depend on the machine's folders.
Json problems_json(const BenchmarkData& data) {
  Json problems = Json::array();
  for (const DataProblem& problem : data.problems) {
    problems.push_back({{"file", std::filesystem::path(problem.file).filename().string()},
                        {"line", problem.line},
                        {"field", problem.field},
                        {"problem", problem.what}});
  }
  return problems;
}

// In the pool of all data sets, only figures for that pool are comparable.
Json figures_json(const Dataset& dataset, const LoadOptions& options) {
  const std::string subset = options.all_pool ? options.subset + "/all" : options.subset;
  Json figures = Json::array();
  for (const PublishedFigure& figure : published_figures()) {
    if (figure.benchmark != dataset.name) continue;
    if (!figure.subset.empty() && figure.subset != subset) continue;
    figures.push_back({{"system", figure.system},
                       {"measure", figure.measure},
                       {"score", figure.percent / 100},
                       {"source", figure.source}});
  }
  return figures;
}

// Lists what makes these scores differ from the benchmark's own protocol.
Json lacking_json(const BenchmarkData& data, const Json& runs, bool has_figures) {
  const bool is_judged = std::ranges::all_of(
      runs, [](const Json& run) { return !run.at("judge").get<std::string>().empty(); });
  Json lacking = Json::array();
  if (is_judged) {
    lacking.push_back(
        "the judge's prompts are fineprint's own words, not those of the published protocol");
  } else if (data.judge == JudgeKind::extraction || data.judge == JudgeKind::tagged_extraction) {
    lacking.push_back(
        "the published protocol lets a model extract a short answer first; here, answers are "
        "compared as they are (give --judge MODEL)");
  } else if (data.judge != JudgeKind::none && has_figures) {
    lacking.push_back(
        "in published figures, a model or people judge the answers; here, no judge was asked "
        "(give --judge MODEL)");
  }
  return lacking;
}

}  // namespace

// Everything is computed again from the answers, so that scoring can be repeated after a change of
// rules.
PipelineResult score_pipeline(const Dataset& dataset, const BenchmarkData& data,
                              const std::string& pipeline, const std::string& folder) {
  const std::vector<Answer> answers =
      answers_in_order(data, runs::read_answers(folder + "/answers.jsonl").answers);
  const JudgeReplies judged = read_judged(folder + "/judged.jsonl", answers);
  const ScoredRun run = score_answers(dataset, data, answers, judged);
  write_file_atomic(folder + "/scores.jsonl", scores_text(run));
  // Files in the form that the published evaluator reads, to check scores with its own code.
  if (dataset.predictions != nullptr) {
    for (const PredictionFile& file :
         dataset.predictions(data, given_answers(data, answers, judged))) {
      write_file_atomic(folder + "/" + file.name, file.text);
    }
  }
  return {dump_json(entry_json(pipeline, data, answers, run)),
          run.evaluation.errors + run.evaluation.missing};
}

void write_results(const std::string& out, const Dataset& dataset, const LoadOptions& options,
                   const BenchmarkData& data, const std::vector<PipelineResult>& results) {
  Json record = {{"schema", "fineprint.bench/1"},
                 {"benchmark", dataset.name},
                 {"subset", options.subset},
                 {"pool", options.all_pool ? "all" : "single"},
                 {"questions", data.questions.size()},
                 {"runs", Json::array()},
                 {"published", figures_json(dataset, options)},
                 {"problems", problems_json(data)}};
  for (const PipelineResult& result : results) record["runs"].push_back(Json::parse(result.json));
  record["lacking"] = lacking_json(data, record["runs"], dataset.name != "folder");
  write_file_atomic(out + "/results.json", record.dump(2) + "\n");
  write_file_atomic(out + "/results.md", results_markdown(record));
}

// Other questions under the same ids would mix answers of two benchmarks, so they need --force.
void write_questions(const std::string& out, const BenchmarkData& data, bool force) {
  const std::string file = out + "/questions.jsonl";
  const std::string text = questions_text(data);
  if (std::filesystem::exists(file) && read_file(file) != text && !force) {
    throw Error(ErrorCode::usage,
                format("{} contains other questions: the benchmark or its documents have changed "
                       "since; give another --out, or --force to continue anyway",
                       file));
  }
  write_file_atomic(file, text);
}

}  // namespace fineprint::bench
