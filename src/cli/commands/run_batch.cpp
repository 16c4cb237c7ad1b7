// `fineprint batch` and `fineprint merge`: many questions, many shards.
#include <filesystem>
#include <string_view>

#include "fineprint/answering/answering.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/runs/batch.h"
#include "fineprint/runs/merge.h"
#include "fineprint/store/store.h"

#include "cli/answers_file.h"
#include "cli/commands.h"
#include "cli/manifest.h"
#include "cli/merge_stores.h"
#include "cli/output.h"
#include "cli/question_pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {

namespace {

constexpr std::string_view kPrinted = "-";  // --out: answers are printed

// With --json, the counts of a run that writes a file.
void print_counts(const runs::BatchReport& report) {
  print_line(dump_json({{"questions", report.questions},
                        {"answered", report.answered},
                        {"skipped", report.skipped},
                        {"failed", report.failed},
                        {"seconds", report.seconds}}));
}

// Printed answers have no file and so no manifest, and cannot be resumed.
runs::BatchReport answer_printing(const std::vector<Question>& questions,
                                  const answering::Answering& answering, const store::Store& store,
                                  const Settings& settings) {
  runs::BatchOptions options = batch_options(settings);
  options.print = print_line;
  const session::Session session(store, answering_options(settings, store.dir()));
  answering.open(session);
  return runs::run_batch(questions, "", options,
                         answer_with_pictures(settings, answering, session));
}

}  // namespace

int run_batch_command(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty()) {
    throw Error(ErrorCode::usage,
                "--out FILE is missing: the file for the answers ('-' prints them)");
  }
  const bool printed = out == kPrinted;
  if (batch_options(settings).retry_failed && printed) {
    throw Error(ErrorCode::usage,
                "--retry-failed continues a file of answers; give --out FILE instead of '-'");
  }
  // Several stores are joined into one of the cache first, so that the batch sees a single ranking.
  const std::string dir = library::searched_store(store_dir(settings));
  allow_arguments(settings, 1);
  // Errors that concern every question are reported before anything is written.
  const answering::Answering answering(settings);
  const std::vector<Question> questions = read_questions(argument(settings, 0, "QUESTIONS"));
  const store::Store store(dir, store::Mode::read);
  const runs::BatchReport report = printed
                                       ? answer_printing(questions, answering, store, settings)
                                       : answer_into(out, questions, answering, store, settings);
  // Printed answers already fill stdout with records of another kind.
  if (settings.flag("json") && !printed) print_counts(report);
  note_answered(report);
  return report.failed > 0 ? 1 : 0;
}

namespace {

// Describes the inputs of a joined file, each with its manifest if it has one.
Json describe_inputs(const std::vector<runs::ShardText>& inputs) {
  Json parts = Json::array();
  for (const auto& [file, text] : inputs) {
    const std::string path = manifest_path(file);
    parts.push_back(
        {{"file", file},
         {"hash", content_hash(text)},
         {"manifest", std::filesystem::exists(path) ? parse_json(read_file(path), path) : Json()}});
  }
  return parts;
}

}  // namespace

int run_merge(const Settings& settings) {
  const std::string out = argument(settings, 0, "OUT.jsonl");
  if (names_store(argument(settings, 1, "IN.jsonl"))) return merge_stores(settings);
  std::vector<runs::ShardText> inputs;  // read once, because one may be a pipe
  for (std::size_t i = 1; i < settings.arguments.size(); ++i) {
    inputs.push_back({settings.arguments[i], read_file(settings.arguments[i])});
  }
  const Json parts =
      describe_inputs(inputs);  // before `out` is written, which may be one of the inputs
  const std::int64_t lines = runs::merge(out, inputs);
  const Json manifest = {{"schema", "fineprint.manifest/1"},
                         {"program", program_version()},
                         {"finished", now_utc()},
                         {"merged", parts},
                         {"counts", {{"answers", lines}}}};
  // Written last, so that a manifest exists only for a complete file.
  write_file_atomic(manifest_path(out), manifest.dump(2) + "\n");
  if (settings.flag("json")) print_line(dump_json({{"answers", lines}, {"file", out}}));
  log::note("{} answers in {}", lines, out);
  return 0;
}

}  // namespace fineprint::cli
