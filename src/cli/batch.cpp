// `fineprint batch` and `fineprint merge`: many questions, many shards.
#include "fineprint/bench/batch.h"

#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/sent_pages.h"
#include "fineprint/store/store.h"

#include "build_info.h"
#include "cli/answering.h"
#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Settings that change answers: what two runs must share to write into one file.
Json answer_settings(const Settings& settings, const store::Store& store) {
  Json all = Json::parse(settings.to_json());
  Json kept = Json::object();
  for (const char* key : {"pipeline",         "scorer",         "retriever",    "k",
                          "adaptive",         "min-k",          "gmm-window",   "gmm-members",
                          "gmm-high",         "gmm-tol",        "gmm-max-iter", "min-score",
                          "fusion",           "shortlist",      "mask-full",    "mask-mode",
                          "mask-alpha",       "mask-sigma1",    "mask-sigma2",  "mask-direction",
                          "mask-abs",         "mask-lambda",    "mask-weights", "late-mask",
                          "late-first",       "min-confidence", "whole-store",  "seed",
                          "generator",        "state-dtype",    "api-image",    "max-calls",
                          "max-image-tokens", "max-pages",      "max-seconds"}) {
    kept[key] = all.at(key);
  }
  kept["store_id"] = store.id();
  return kept;
}

std::string manifest_path(const std::string& out) { return out + ".manifest.json"; }

// Throws Error(usage) if `out` was begun with settings that give other answers.
void refuse_other_settings(const std::string& out, const Json& mine) {
  if (!std::filesystem::exists(out) || !std::filesystem::exists(manifest_path(out))) return;
  const Json manifest = parse_json(read_file(manifest_path(out)), manifest_path(out));
  if (!manifest.contains("answer_settings")) return;
  for (const auto& [key, value] : mine.items()) {
    const Json before = manifest.at("answer_settings").value(key, Json());
    if (before != value) {
      throw Error(ErrorCode::usage,
                  format("{} was begun with {} = {}, now it is {}; give another --out, or --force "
                         "to go on all the same",
                         out, key, dump_json(before), dump_json(value)));
    }
  }
}

// What the manifest tells of a run besides its settings.
struct Run {
  const session::Session& session;
  std::string started;
  const models::SentPages& sent;
  std::optional<bench::BatchReport> report = {};
};

Json pages_sent(const models::SentPages& sent) {
  Json pages = Json::array();
  for (const models::SentPage& page : sent.list()) {
    pages.push_back({{"page", page.page}, {"host", page.host}, {"count", page.count}});
  }
  return pages;
}

void write_manifest(const std::string& out, const Settings& settings, const Run& run) {
  const store::Store& store = run.session.corpus().store();
  Json models = Json::object();
  for (const store::VectorSet& set : store.vector_sets()) {
    models[set.name] = {{"name", set.model}, {"hash", set.hash}};
  }
  if (const models::Generator* generator = run.session.loaded_generator()) {
    models["generator"] = {{"name", generator->name()}, {"hash", generator->hash()}};
  }
  const store::Totals totals = store.totals();
  Json manifest = {
      {"schema", "fineprint.manifest/1"},
      {"program", program_version()},
      {"compiler", kCompiler},
      {"build", kBuildType},
      {"settings", Json::parse(settings.to_json())},
      {"answer_settings", answer_settings(settings, store)},
      {"models", models},
      {"store", {{"id", store.id()}, {"documents", totals.documents}, {"pages", totals.pages}}},
      {"seed", settings.integer("seed")},
      {"started", run.started},
      {"pages_sent", pages_sent(run.sent)}};
  if (const auto& report = run.report) {
    manifest["finished"] = now_utc();
    manifest["seconds"] = report->seconds;
    manifest["counts"] = {{"questions", report->questions},
                          {"answered", report->answered},
                          {"skipped", report->skipped},
                          {"failed", report->failed}};
  }
  write_file_atomic(manifest_path(out), manifest.dump(2) + "\n");
}

}  // namespace

int run_batch_command(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty()) throw Error(ErrorCode::usage, "--out FILE is missing: where answers go");
  const std::string dir = store_dir(settings);
  // What is wrong for every question is said before anything is written.
  pipelines::find(settings.text("pipeline"));
  pipeline_options(settings);
  budget_limits(settings);
  const std::vector<Question> questions = read_questions(argument(settings, 0, "QUESTIONS.jsonl"));
  const store::Store store(dir, store::Mode::read);
  if (!settings.flag("force")) refuse_other_settings(out, answer_settings(settings, store));
  const auto sent = std::make_shared<models::SentPages>();
  const session::Session session(store, answering_options(settings, dir, sent));

  bench::BatchOptions options;
  options.workers = static_cast<int>(settings.integer("workers"));
  if (options.workers == 0) options.workers = usable_cores();
  options.shard = bench::parse_shard(settings.text("shard"), environment_value);
  options.retry_failed = settings.flag("retry-failed");

  Run run{session, now_utc(), *sent};
  write_manifest(out, settings, run);
  const bench::BatchReport report = bench::run_batch(
      questions, out, options,
      [&](const Question& question) { return answer_question(session, question, settings); });
  run.report = report;
  write_manifest(out, settings, run);
  log::note("{} questions: {} answered, {} were answered before, {} failed; {:.1f} s",
            report.questions, report.answered, report.skipped, report.failed, report.seconds);
  return report.failed > 0 ? 1 : 0;
}

namespace {

// The inputs of a joined file, each with its own manifest where it has one.
Json describe_inputs(const std::vector<std::string>& inputs) {
  Json parts = Json::array();
  for (const std::string& input : inputs) {
    const std::string path = manifest_path(input);
    parts.push_back(
        {{"file", input},
         {"hash", file_hash(input)},
         {"manifest", std::filesystem::exists(path) ? parse_json(read_file(path), path) : Json()}});
  }
  return parts;
}

}  // namespace

int run_merge(const Settings& settings) {
  const std::string out = argument(settings, 0, "OUT.jsonl");
  argument(settings, 1, "IN.jsonl");
  const std::vector<std::string> inputs(settings.arguments.begin() + 1, settings.arguments.end());
  const Json parts = describe_inputs(inputs);  // first: `out` may be one of them
  const std::int64_t lines = bench::merge(out, inputs);
  const Json manifest = {{"schema", "fineprint.manifest/1"},
                         {"program", program_version()},
                         {"finished", now_utc()},
                         {"merged", parts},
                         {"counts", {{"answers", lines}}}};
  write_file_atomic(manifest_path(out), manifest.dump(2) + "\n");
  log::note("{} answers in {}", lines, out);
  return 0;
}

}  // namespace fineprint::cli
