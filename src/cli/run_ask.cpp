// `fineprint ask`: one answer with the pages that prove it.
#include <filesystem>

#include "fineprint/answering/answering.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// The store of these paths in the user's cache folder: the same paths find it again.
std::string cached_store(const std::vector<std::string>& paths) {
  std::string key;
  for (const std::string& path : paths) {
    key += std::filesystem::weakly_canonical(path).string() + "\n";
  }
  return format("{}/stores/{}", user_cache_dir(), content_hash(key));
}

// Reads what is new under the paths. Returns the number of files that failed, wholly or in part.
std::int64_t refresh(const std::vector<std::string>& paths, const std::string& dir,
                     const Settings& settings) {
  std::filesystem::create_directories(std::filesystem::path(dir).parent_path());
  store::Store store(dir, store::Mode::write);
  ingest::IngestOptions options = ingest_options(settings, dir);
  options.prune = true;
  const ingest::IngestReport report = ingest::ingest(paths, options, store);
  print_report(report, false);
  return report.failed + report.partly;
}

// A page cited as a whole has no quote; a quote without boxes stands nowhere on its page.
void print_citation(int number, const Citation& citation) {
  std::string line = format("  [{}] {}, page {}", number, citation.page.doc, citation.page.page);
  if (!citation.quote.empty()) {
    line += format(": {}", citation.quote);
    if (citation.boxes.empty()) line += " (not found on the page)";
  }
  print_line(line);
}

void print_answer(const Answer& answer) {
  print_line(answer.answer);
  if (!answer.answerable) {
    log::note("the documents do not seem to hold the answer (confidence {:.2f})",
              answer.confidence);
  }
  int number = 0;
  for (const Citation& citation : answer.citations) print_citation(++number, citation);
  if (answer.answerable) print_line(format("  confidence {:.2f}", answer.confidence));
  if (!answer.limit.empty()) print_line(format("  stopped early: {}", answer.limit));
}

}  // namespace

int run_ask(const Settings& settings) {
  Question question;
  question.text = argument(settings, 0, "QUESTION");
  question.id = content_hash(question.text).substr(0, 8);
  const answering::Answering answering(settings);
  const std::vector<std::string> paths(settings.arguments.begin() + 1, settings.arguments.end());
  // A store that is configured for other commands is not what these paths are to be kept in.
  const bool cached = !paths.empty() && settings.origin("store") != settings::kFlagsOrigin;
  const std::string dir = cached ? cached_store(paths) : store_dir(settings);
  const std::int64_t failed = paths.empty() ? 0 : refresh(paths, dir, settings);
  const store::Store store(dir, store::Mode::read);
  const session::Session session(store, answering_options(settings, dir));
  answering.open(session);
  const Answer answer = answering.answer(session, question);
  if (settings.flag("json")) {
    print_line(to_json_line(answer));
  } else {
    print_answer(answer);
  }
  return failed > 0 ? 1 : 0;
}

}  // namespace fineprint::cli
