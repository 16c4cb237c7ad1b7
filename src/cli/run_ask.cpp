// `fineprint ask`: one answer with the pages that prove it.
#include <filesystem>
#include <memory>
#include <optional>

#include "fineprint/answering/answering.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/kept_index.h"
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

// Reads what is new under the paths. Returns whether files failed that no earlier run has told of.
bool refresh(const std::vector<std::string>& paths, const std::string& dir,
             const Settings& settings) {
  const std::unique_ptr<store::Store> store = open_unless_in_use(dir);
  if (store == nullptr) return false;
  ingest::IngestOptions options = ingest_options(settings, dir);
  options.prune = true;
  const ingest::IngestReport report = ingest::ingest(paths, options, *store);
  print_report(report, false);
  if (report.indexed > 0) note_skipped(report);
  return ingest::has_new_failures(report);
}

// A page cited as a whole has no quote; a quote without boxes stands nowhere on its page.
std::string citation_text(std::size_t number, const Citation& citation) {
  std::string line = format("[{}] {}, page {}", number, citation.page.doc, citation.page.page);
  if (!citation.quote.empty()) {
    line += format(": {}", citation.quote);
    if (citation.boxes.empty()) line += " (not found on the page)";
  }
  return line;
}

// What proves an answer, from the citation `first` on.
void print_citations(const Answer& answer, std::size_t first) {
  for (std::size_t i = first; i < answer.citations.size(); ++i) {
    print_line("  " + citation_text(i + 1, answer.citations[i]));
  }
}

// Cut out of a page: the quote and its page come first, then the value in it, if it was safe.
void print_quoted(const Answer& answer) {
  const Citation& proof = answer.citations.front();
  print_line(citation_text(1, proof));
  if (answer.answer != proof.quote) print_line("  answer: " + answer.answer);
  print_citations(answer, 1);
}

void print_declined(const Answer& answer) {
  print_line(answer.answer);
  log::note("the documents do not seem to hold the answer (confidence {:.2f})", answer.confidence);
  if (!answer.citations.empty()) print_line("  related, but no answer:");
  print_citations(answer, 0);
}

constexpr double kDoubtful = 0.5;

void print_answer(const Answer& answer) {
  const bool is_quoted = answer.generator.empty() && !answer.citations.empty();
  if (!answer.answerable) {
    print_declined(answer);
  } else if (is_quoted) {
    print_quoted(answer);
  } else {
    print_line(answer.answer);
    print_citations(answer, 0);
  }
  if (answer.answerable) print_line(format("  confidence {:.2f}", answer.confidence));
  if (answer.answerable && answer.confidence < kDoubtful) {
    log::note("more likely wrong than right: see the page before you rely on it");
  }
  if (!answer.limit.empty()) print_line(format("  stopped early: {}", answer.limit));
}

}  // namespace

int run_ask(const Settings& settings) {
  Question question;
  question.text = argument(settings, 0, "QUESTION");
  question.id = question_id(question.text);
  const answering::Answering answering(settings);
  const std::vector<std::string> paths(settings.arguments.begin() + 1, settings.arguments.end());
  // A store that is configured for other commands is not what these paths are to be kept in.
  const bool cached = !paths.empty() && settings.origin("store") != settings::kFlagsOrigin;
  std::optional<KeptIndex> kept;
  if (cached) kept.emplace(cached_store(paths));
  const std::string dir = kept ? kept->dir() : store_dir(settings);
  const bool failed = !paths.empty() && refresh(paths, dir, settings);
  const store::Store store(dir, store::Mode::read);
  if (!paths.empty()) require_documents(store, paths);
  const session::Session session(store, answering_options(settings, dir));
  answering.open(session);
  const Answer answer = answering.answer(session, question);
  if (settings.flag("json")) {
    print_line(to_json_line(answer));
  } else {
    print_answer(answer);
  }
  return failed ? 1 : 0;
}

}  // namespace fineprint::cli
