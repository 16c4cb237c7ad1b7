// `fineprint bench`: a published benchmark, from its folder to its scores.
#include <algorithm>
#include <filesystem>
#include <list>
#include <optional>

#include "fineprint/answering/answering.h"
#include "fineprint/bench/benchmark.h"
#include "fineprint/bench/judge.h"
#include "fineprint/bench/results.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/runs/answer_file.h"
#include "fineprint/store/store.h"

#include "cli/answers_file.h"
#include "cli/bench_runs.h"
#include "cli/commands.h"
#include "cli/commands/run_experiment.h"
#include "cli/output.h"
#include "cli/used_retrievers.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Throws Error(usage) with `what` if the flag is missing.
std::string needed_folder(const Settings& settings, const char* flag, const char* what) {
  const std::string& folder = settings.text(flag);
  if (folder.empty()) {
    throw Error(ErrorCode::usage, format("--{} FOLDER is missing: {}", flag, what));
  }
  return folder;
}

// The error lists all benchmarks, because the name is the first thing that a user must choose.
std::string named_benchmark(const Settings& settings) {
  if (!settings.arguments.empty()) return settings.arguments.front();
  const std::string names = join_texts(bench::benchmark_names(), ", ", &bench::BenchmarkName::name);
  throw Error(ErrorCode::usage, format("NAME is missing; choose one of: {}", names));
}

// A pipeline and what answers with it. It keeps a reference to its own settings, so it must not
// move; hence the std::list below.
struct BenchPipeline {
  BenchPipeline(Settings its_settings, const std::vector<std::string>& others)
      : settings(std::move(its_settings)), answering(settings, others) {}
  std::string name() const { return settings.text("pipeline"); }

  Settings settings;
  answering::Answering answering;
};

// Checks all pipelines before anything is read or written.
std::list<BenchPipeline> bench_pipelines(const Settings& given) {
  std::list<BenchPipeline> pipelines;
  std::vector<Settings> all = answering::settings_of_pipelines(given);
  // A model for an agent may be meant for one of them alone.
  std::vector<std::string> names;
  for (const Settings& settings : all) names.push_back(settings.text("pipeline"));
  for (Settings& settings : all) {
    // A benchmark shows the agents' steps unless the user turned them off.
    if (settings.origin("trace") == settings::kDefaultOrigin) {
      settings.lay_over({{"trace", {"true"}}}, std::string(settings::kDefaultOrigin));
    }
    pipelines.emplace_back(std::move(settings), names);
  }
  return pipelines;
}

// Returns whether every file could be read.
bool index_documents(const Settings& settings, const bench::BenchmarkData& data) {
  store::Store store(store_dir(settings), store::Mode::write);
  const ingest::IngestReport report =
      ingest::ingest(data.documents, ingest_options(settings, store.dir()), store);
  for (const ingest::FailedFile& failure : report.failures) log::warn("{}", failure.message);
  log::note("{} documents: {} indexed, {} unchanged, {} failed", report.files, report.indexed,
            report.unchanged, report.failed);
  return report.failed == 0;
}

// A shard uses an existing index, because several processes cannot write one together.
bool is_shard(const Settings& settings) { return batch_options(settings).shard.count > 1; }

void note_joining(const std::string& out, const std::list<BenchPipeline>& pipelines) {
  for (const BenchPipeline& pipeline : pipelines) {
    log::note(
        "to join the shards: run fineprint merge ALL/{0}/answers.jsonl {1}/{0}/answers.jsonl ... "
        "with the file of each shard, then this command with --out ALL and without --shard",
        pipeline.name(), out);
  }
}

// An option that nothing reads is a mistake. Replies of an earlier run can be scored without a
// judge.
void refuse_unused_options(const Settings& settings, const std::string& out,
                           const std::list<BenchPipeline>& pipelines) {
  if (!settings.text("split").empty()) {
    throw Error(ErrorCode::usage, "--split limits --compare A B; give it with --compare");
  }
  const bool is_judged = std::ranges::any_of(pipelines, [&](const BenchPipeline& pipeline) {
    return std::filesystem::exists(out + "/" + pipeline.name() + "/judged.jsonl");
  });
  if (settings.origin("judge-kind") == settings::kFlagsOrigin && settings.text("judge").empty() &&
      !is_judged) {
    throw Error(ErrorCode::usage, format("--judge-kind {} needs a judge; give --judge MODEL",
                                         settings.text("judge-kind")));
  }
}

// A retriever that nothing uses would make a row of a table that says one encoder and measures
// another. Pages that are given are found without any.
void check_retrievers(const Settings& settings, const std::list<BenchPipeline>& pipelines,
                      const store::Store& store) {
  if (settings.list("retriever").empty() || settings.flag("gold-pages")) return;
  std::vector<Settings> searches;
  for (const BenchPipeline& pipeline : pipelines) searches.push_back(pipeline.settings);
  refuse_unused_retrievers(session::Models(answering_options(settings, store.dir())), store,
                           searches);
}

// Reads the questions that are asked, in the order and with the judge that the options want.
bench::BenchmarkData asked_data(const bench::Dataset& dataset, const std::string& dir,
                                const bench::LoadOptions& options, const Settings& settings) {
  bench::BenchmarkData data = bench::load_benchmark(dataset, dir, options);
  bench::choose_judge(dataset, settings.text("judge-kind"), &data);
  if (const std::optional<long> count = settings.integer_if_set("sample")) {
    bench::draw_sample(static_cast<std::size_t>(*count), settings.integer("seed"), &data);
  }
  return data;
}

// Compares folders that earlier runs wrote; needs neither a store nor a model.
int run_compare(const Settings& settings) {
  const std::string a = argument(settings, 0, "A, a folder OUT/PIPELINE");
  const std::string b = argument(settings, 1, "B, a folder OUT/PIPELINE");
  allow_arguments(settings, 2);
  const bench::Comparison comparison = bench::compare_pipelines(a, b, settings.text("split"));
  if (settings.flag("json")) {
    print_line(comparison.json);
  } else {
    print_piece(comparison.text);
  }
  return 0;
}

// Answers with every pipeline. Returns true if all questions have an answer.
bool answer_all(const std::string& out, const bench::BenchmarkData& data,
                const std::list<BenchPipeline>& pipelines, const store::Store& store) {
  bool complete = true;
  for (const BenchPipeline& pipeline : pipelines) {
    const std::string folder = out + "/" + pipeline.name();
    make_folders(folder);
    log::note("{}:", pipeline.name());
    const runs::BatchReport report = answer_into(folder + "/answers.jsonl", data.plain_questions(),
                                                 pipeline.answering, store, pipeline.settings);
    note_answered(report);
    complete = complete && report.failed == 0;
  }
  return complete;
}

// Lets the judge reply to all answers of every pipeline that have no reply yet.
void judge_all(const std::string& out, const bench::BenchmarkData& data,
               const std::list<BenchPipeline>& pipelines, const store::Store& store,
               const Settings& settings) {
  const std::string& spec = settings.text("judge");
  if (spec.empty() || data.judge == bench::JudgeKind::none) return;
  Settings judged = settings;
  judged.lay_over({{"generator", {spec}}}, settings.origin("judge"));
  const session::Session session(store, answering_options(judged, store.dir()));
  const bench::Judge judge(session, data.judge, settings.text("prompts"));
  const std::string name = session.generator().name();
  for (const BenchPipeline& pipeline : pipelines) {
    const std::string folder = out + "/" + pipeline.name();
    bench::judge_answers({.file = folder + "/judged.jsonl",
                          .judge = name,
                          .kinds = data.judge_kinds(),
                          .workers = batch_options(settings).workers},
                         data.plain_questions(),
                         runs::read_answers(folder + "/answers.jsonl").answers,
                         [&](const Question& question, const Answer& answer) {
                           return judge.ask(question, answer);
                         });
  }
}

// Options of experiments that nothing would read are refused.
void refuse_experiment_options(const Settings& settings) {
  for (const char* option : {"experiment-model", "partial"}) {
    if (settings.origin(option) == settings::kDefaultOrigin) continue;
    throw Error(ErrorCode::usage,
                "--model and --partial belong to --experiment NAME; without it, "
                "leave them out");
  }
}

}  // namespace

void check_bench_run(const Settings& settings) { bench_pipelines(settings); }

int run_bench(const Settings& settings) {
  if (settings.flag("list-experiments")) return list_experiments(settings);
  if (!settings.text("experiment").empty()) return run_experiment(settings);
  refuse_experiment_options(settings);
  if (settings.flag("compare")) return run_compare(settings);
  return bench_once(settings, true);
}

// In this order, so that errors of the command line come before hours of indexing and answering:
// settings, data, index, answers, judge, scores.
int bench_once(const Settings& settings, bool prints) {
  const bench::Dataset& dataset = bench::find_benchmark(named_benchmark(settings));
  allow_arguments(settings, 1);
  const std::string dir =
      needed_folder(settings, "data", "the folder that contains the unpacked benchmark");
  const std::string out = needed_folder(settings, "out", "the folder for answers and scores");
  const std::string store_folder = store_dir(settings);
  const std::list<BenchPipeline> pipelines = bench_pipelines(settings);
  const bench::LoadOptions options{settings.text("subset"), settings.flag("all-pool")};
  refuse_unused_options(settings, out, pipelines);
  bench::BenchmarkData data = asked_data(dataset, dir, options, settings);
  const bool all_read = is_shard(settings) || index_documents(settings, data);
  const store::Store store(store_folder, store::Mode::read);
  const session::Corpus corpus(store);
  check_retrievers(settings, pipelines, store);
  bench::check_documents(corpus, &data);
  bench::count_pool_pages(corpus, settings.flag("whole-store"), &data);
  note_problems(data, "results.json");
  make_folders(out);
  bench::write_questions(out, data, settings.flag("force"));
  const bool all_answered = answer_all(out, data, pipelines, store);
  if (is_shard(settings)) {
    note_joining(out, pipelines);
    return all_answered ? 0 : 1;
  }
  judge_all(out, data, pipelines, store, settings);
  std::vector<bench::PipelineResult> results;
  bool all_scored = true;
  for (const BenchPipeline& pipeline : pipelines) {
    results.push_back(
        bench::score_pipeline(dataset, data, pipeline.name(), out + "/" + pipeline.name()));
    all_scored = all_scored && results.back().failed == 0;
    if (prints && settings.flag("json")) print_line(results.back().json);
  }
  bench::write_results(out, dataset, options, data, results);
  if (prints && !settings.flag("json")) print_piece(read_file(out + "/results.md"));
  return all_read && all_answered && all_scored ? 0 : 1;
}

}  // namespace fineprint::cli
