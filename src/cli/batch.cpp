// `fineprint batch` and `fineprint merge`: many questions, many shards.
#include "fineprint/bench/batch.h"

#include <filesystem>
#include <memory>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/sent_pages.h"
#include "fineprint/store/store.h"

#include "cli/answering.h"
#include "cli/commands.h"
#include "cli/manifest.h"
#include "cli/wiring.h"

namespace fineprint::cli {

int run_batch_command(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty()) throw Error(ErrorCode::usage, "--out FILE is missing: where answers go");
  const std::string dir = store_dir(settings);
  // What is wrong for every question is said before anything is written.
  const Answering answering(settings);
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

  answering.open(session);
  Run run{session, now_utc(), *sent};
  write_manifest(out, settings, run);
  const bench::BatchReport report = bench::run_batch(
      questions, out, options,
      [&](const Question& question) { return answering.answer(session, question); });
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
