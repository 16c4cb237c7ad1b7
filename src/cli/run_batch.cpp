// `fineprint batch` and `fineprint merge`: many questions, many shards.
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "fineprint/answering/answering.h"
#include "fineprint/bench/batch.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/remote/sent_pages.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/manifest.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {

namespace {

constexpr std::string_view kPrinted = "-";  // --out: answers are printed

void print_counts(const bench::BatchReport& report) {
  print_line(dump_json({{"questions", report.questions},
                        {"answered", report.answered},
                        {"skipped", report.skipped},
                        {"failed", report.failed},
                        {"seconds", report.seconds}}));
}

bench::BatchOptions batch_options(const Settings& settings) {
  bench::BatchOptions options;
  options.workers = static_cast<int>(settings.integer("workers"));
  if (options.workers == 0) options.workers = usable_cores();
  options.shard = bench::parse_shard(settings.text("shard"), environment_value);
  options.retry_failed = settings.flag("retry-failed");
  if (settings.text("out") != kPrinted) return options;
  if (options.retry_failed) {
    throw Error(ErrorCode::usage, "--retry-failed goes on in a file of answers: give --out FILE");
  }
  options.print = print_line;
  return options;
}

// Answers into the file --out, with its manifest beside it.
bench::BatchReport answer_into_file(const std::vector<Question>& questions,
                                    const std::function<Answer(const Question&)>& answer,
                                    bench::BatchOptions options, const Settings& settings,
                                    Run run) {
  const std::string& out = settings.text("out");
  bool is_ours = false;  // the file: another run may have it
  options.begun = [&] {
    is_ours = true;
    write_manifest(out, settings, run);
  };
  try {
    run.report = bench::run_batch(questions, out, options, answer);
  } catch (...) {
    if (is_ours) write_manifest(out, settings, run);  // with what has left the machine by then
    throw;
  }
  write_manifest(out, settings, run);
  return *run.report;
}

// What the answers file, if there is one, says of the pages that left the machine before.
std::shared_ptr<remote::SentPages> sent_before(const std::string& out) {
  auto sent = std::make_shared<remote::SentPages>();
  if (out == kPrinted) return sent;
  for (const remote::SentPage& page : pages_sent_before(out)) sent->add(page);
  return sent;
}

}  // namespace

int run_batch_command(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty()) {
    throw Error(ErrorCode::usage,
                "--out FILE is missing: where answers go ('-': they are printed)");
  }
  const bool printed = out == kPrinted;
  const bench::BatchOptions options = batch_options(settings);
  const std::string dir = store_dir(settings);
  allow_arguments(settings, 1);
  // What is wrong for every question is said before anything is written.
  const answering::Answering answering(settings);
  const std::vector<Question> questions = read_questions(argument(settings, 0, "QUESTIONS"));
  const store::Store store(dir, store::Mode::read);
  if (!printed && !settings.flag("force")) {
    refuse_other_settings(out, answer_settings(settings, store), settings.options());
  }
  const auto sent = sent_before(out);
  const session::Session session(store, answering_options(settings, dir, sent));
  answering.open(session);
  const auto answer = [&](const Question& question) { return answering.answer(session, question); };
  const bench::BatchReport report =
      printed ? bench::run_batch(questions, out, options, answer)
              : answer_into_file(questions, answer, options, settings, {session, now_utc(), *sent});
  if (settings.flag("json") && !printed) print_counts(report);
  log::note("{} questions: {} answered, {} were answered before, {} failed; {:.1f} s",
            report.questions, report.answered, report.skipped, report.failed, report.seconds);
  return report.failed > 0 ? 1 : 0;
}

namespace {

// The inputs of a joined file, each with its own manifest where it has one.
Json describe_inputs(const std::vector<bench::ShardText>& inputs) {
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
  argument(settings, 1, "IN.jsonl");
  std::vector<bench::ShardText> inputs;  // read once: one may be a pipe
  for (std::size_t i = 1; i < settings.arguments.size(); ++i) {
    inputs.push_back({settings.arguments[i], read_file(settings.arguments[i])});
  }
  const Json parts = describe_inputs(inputs);  // first: `out` may be one of them
  const std::int64_t lines = bench::merge(out, inputs);
  const Json manifest = {{"schema", "fineprint.manifest/1"},
                         {"program", program_version()},
                         {"finished", now_utc()},
                         {"merged", parts},
                         {"counts", {{"answers", lines}}}};
  write_file_atomic(manifest_path(out), manifest.dump(2) + "\n");
  if (settings.flag("json")) print_line(dump_json({{"answers", lines}, {"file", out}}));
  log::note("{} answers in {}", lines, out);
  return 0;
}

}  // namespace fineprint::cli
