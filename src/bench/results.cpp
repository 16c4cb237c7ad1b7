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

// Returns whether a figure is of the same metric as the scores of a run. Rules that compare short
// answers are the published metric whether or not a judge extracted these first.
bool is_same_metric(const PublishedMeasure& measure, const BenchmarkData& data, bool is_judged) {
  if (measure.judge == JudgeKind::none) return true;  // of rankings, which every run has
  if (measure.judge == JudgeKind::extraction) {
    return is_extracting(data.judge) && is_extracting(data.published_judge);
  }
  return is_judged && measure.judge == data.judge;
}

// In the pool of all data sets, only figures for that pool are comparable.
Json figures_json(const Dataset& dataset, const LoadOptions& options, const BenchmarkData& data,
                  bool is_judged) {
  const std::string subset = options.all_pool ? options.subset + "/all" : options.subset;
  Json figures = Json::array();
  for (const PublishedFigure& figure : published_figures()) {
    if (figure.benchmark != dataset.name) continue;
    if (!figure.subset.empty() && figure.subset != subset) continue;
    if (!is_same_metric(figure.measure, data, is_judged)) continue;
    figures.push_back({{"system", figure.system},
                       {"measure", figure.measure.name},
                       {"score", figure.percent / 100},
                       {"source", figure.source}});
  }
  return figures;
}

// The questions of a sample are counted in "questions".
Json sample_json(const BenchmarkData& data) {
  if (!data.sample) return nullptr;
  return {{"of", data.sample->of}, {"seed", data.sample->seed}};
}

bool all_judged(const Json& runs) {
  return std::ranges::all_of(
      runs, [](const Json& run) { return !run.at("judge").get<std::string>().empty(); });
}

// Lists what makes these scores differ from the benchmark's own protocol.
Json lacking_json(const BenchmarkData& data, bool is_judged, bool has_figures) {
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
  if (data.judge != data.published_judge) {
    lacking.push_back(format(
        "the judge is {} here and {} in the benchmark's protocol; figures under the other "
        "metric are left out",
        judge_kind_name(data.judge),
        data.published_judge == JudgeKind::none ? "none" : judge_kind_name(data.published_judge)));
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
  const JudgeReplies judged = read_judged(folder + "/judged.jsonl", answers, data.judge_kinds());
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
                 {"sample", sample_json(data)},
                 {"runs", Json::array()},
                 {"problems", problems_json(data)}};
  for (const PipelineResult& result : results) record["runs"].push_back(Json::parse(result.json));
  const bool judged = all_judged(record["runs"]);
  record["published"] = figures_json(dataset, options, data, judged);
  record["lacking"] = lacking_json(data, judged, dataset.name != "folder");
  write_file_atomic(out + "/results.json", record.dump(2) + "\n");
  write_file_atomic(out + "/results.md", results_markdown(record));
}

// Other questions under the same ids would mix answers of two benchmarks, so they need --force.
void write_questions(const std::string& out, const BenchmarkData& data, bool force) {
  const std::string file = out + "/questions.jsonl";
  const std::string text = questions_text(data);
  if (std::filesystem::exists(file) && read_file(file) != text && !force) {
    throw Error(
        ErrorCode::usage,
        format("{} contains other questions: the benchmark, its documents or the sample have "
               "changed since; give another --out, or --force to continue anyway",
               file));
  }
  write_file_atomic(file, text);
}

}  // namespace fineprint::bench
