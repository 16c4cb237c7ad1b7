// Answers into a file, with the checks that make it safe to continue one.
#include "cli/answers_file.h"

#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "cli/manifest.h"
#include "cli/question_pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Answers into the file, and writes its manifest at the start and at the end.
runs::BatchReport answer_with_manifest(const std::string& out,
                                       const std::vector<Question>& questions,
                                       const std::function<Answer(const Question&)>& answer,
                                       const Settings& settings, runs::BatchOptions options,
                                       Run run) {
  bool is_ours = false;  // another run may have the file open
  options.begun = [&] {
    is_ours = true;
    write_manifest(out, settings, run);
  };
  try {
    run.report = runs::run_batch(questions, out, options, answer);
  } catch (...) {
    if (is_ours)
      write_manifest(out, settings, run);  // records the pages that have left the machine by then
    throw;
  }
  write_manifest(out, settings, run);
  return *run.report;
}

}  // namespace

// One place for the options of `batch` and `bench`, so that both resume and divide in the same way.
runs::BatchOptions batch_options(const Settings& settings) {
  runs::BatchOptions options;
  options.workers = static_cast<int>(settings.integer("workers"));
  if (options.workers == 0) options.workers = usable_cores();
  options.shard = runs::parse_shard(settings.text("shard"), environment_value);
  options.retry_failed = settings.flag("retry-failed");
  return options;
}

std::shared_ptr<remote::SentPages> sent_before(const std::string& out) {
  auto sent = std::make_shared<remote::SentPages>();
  for (const remote::SentPage& page : pages_sent_before(out)) sent->add(page);
  return sent;
}

runs::BatchReport answer_into(const std::string& out, const std::vector<Question>& questions,
                              const answering::Answering& answering, const store::Store& store,
                              const Settings& settings) {
  if (!settings.flag("force")) {
    refuse_other_settings(out, answer_settings(settings, store), settings.options());
  }
  const auto sent = sent_before(out);
  const session::Session session(store, answering_options(settings, store.dir(), sent));
  // Loads what every answer needs now, so that a missing model ends the run before the first
  // question.
  answering.open(session);
  return answer_with_manifest(out, questions, answer_with_pictures(settings, answering, session),
                              settings, batch_options(settings), {session, now_utc(), *sent});
}

std::string table_answers_path(const std::string& out) { return out + ".answers.jsonl"; }

runs::BatchReport answer_cells_into(const std::string& answers,
                                    const std::vector<Question>& questions,
                                    const std::function<Answer(const Question&)>& answer,
                                    const Settings& settings, const session::Session& session,
                                    const remote::SentPages& sent) {
  if (!settings.flag("force")) {
    Json mine = answer_settings(settings, session.corpus().store());
    mine.erase("store_id");
    refuse_other_settings(answers, mine, settings.options());
  }
  runs::BatchOptions options = batch_options(settings);
  options.shard = {};
  return answer_with_manifest(answers, questions, answer, settings, options,
                              {session, now_utc(), sent});
}

void note_answered(const runs::BatchReport& report) {
  log::note("{} questions: {} answered, {} were answered before, {} failed; {:.1f} s",
            report.questions, report.answered, report.skipped, report.failed, report.seconds);
}

}  // namespace fineprint::cli
