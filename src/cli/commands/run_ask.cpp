// `fineprint ask`: one answer with the pages that support it.
#include <optional>
#include <string>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/library/asked_folder.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/library/kept_index.h"
#include "fineprint/report/report.h"
#include "fineprint/store/store.h"

#include "cli/asked_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// A citation of a complete page has no quote. A quote without boxes was not found on its page.
std::string citation_text(std::size_t number, const Citation& citation) {
  std::string line = format("[{}] {}, page {}", number, citation.page.doc, citation.page.page);
  if (!citation.quote.empty()) {
    line += format(": {}", citation.quote);
    if (citation.boxes.empty()) line += " (not found on the page)";
  }
  return line;
}

// Prints the citations of an answer from number `first` on.
void print_citations(const Answer& answer, std::size_t first) {
  for (std::size_t i = first; i < answer.citations.size(); ++i) {
    print_line("  " + citation_text(i + 1, answer.citations[i]));
  }
}

// Prints an answer that was cut out of a page: the quote with its page first, then the value in it,
// if it could be found safely.
void print_quoted(const Answer& answer) {
  const Citation& proof = answer.citations.front();
  print_line(citation_text(1, proof));
  if (answer.answer != proof.quote) print_line("  answer: " + answer.answer);
  print_citations(answer, 1);
}

void print_abstained(const Answer& answer) {
  print_line(answer.answer);
  log::note("the documents do not seem to contain the answer (confidence {:.2f})",
            answer.confidence);
  if (!answer.citations.empty()) print_line("  related pages that do not answer it:");
  print_citations(answer, 0);
}

// Below this confidence, an answer is more likely wrong than right.
constexpr double kDoubtful = 0.5;

void print_answer(const Answer& answer) {
  const bool is_quoted = answer.generator.empty() && !answer.citations.empty();
  if (!answer.answerable) {
    print_abstained(answer);
  } else if (is_quoted) {
    print_quoted(answer);
  } else {
    print_line(answer.answer);
    print_citations(answer, 0);
  }
  if (answer.answerable) print_line(format("  confidence {:.2f}", answer.confidence));
  if (answer.answerable && answer.confidence < kDoubtful) {
    log::note("this answer is more likely wrong than right; check the page before you rely on it");
  }
  if (!answer.limit.empty()) print_line(format("  stopped early: {}", answer.limit));
}

void note_unread_pages(const Answer& answer) {
  if (answer.unread_pages == 0) return;
  log::note("{} pages still wait for OCR; the answer does not take their contents into account",
            answer.unread_pages);
}

// Turns the trace on, because the HTML page shows the steps even if the record is to omit them.
Settings with_trace(const Settings& settings) {
  Settings traced = settings;
  traced.lay_over(OptionTexts{{"trace", {"true"}}}, std::string(settings::kFlagsOrigin));
  return traced;
}

// Returns whether all pages could be drawn.
bool write_html(const Settings& settings, const session::Session& session, const Answer& answer) {
  const std::string& file = settings.text("html");
  report::ReportOptions options = settings.read(report::report_options());
  options.pictures = report::Pictures::embed;
  const report::Material material{.title = answer.question, .answers = {answer}};
  return tell_report(
      file, report::write_report(material, &session.corpus(), &session.images(), options, file));
}

}  // namespace

// Folders are read as far as the question needs before the answer, and the rest after it; see
// library/asked_folder.h.
int run_ask(const Settings& settings) {
  Question question;
  question.text = argument(settings, 0, "QUESTION");
  question.id = question_id(question.text);
  const std::string& html = settings.text("html");
  // Checked first, because a report that cannot be written is found out only after minutes of work.
  if (!html.empty()) require_place_for(html);
  // Before folders are read, so that wrong options cost no time either.
  const answering::Answering answering(html.empty() ? settings : with_trace(settings));
  const std::vector<std::string> paths =
      documents::spelt_as_on_disk({settings.arguments.begin() + 1, settings.arguments.end()});
  std::optional<library::AskedFolder> folder;
  if (!paths.empty()) folder.emplace(asked_options(settings), paths);
  const std::string dir = folder ? folder->dir() : library::searched_store(store_dir(settings));
  if (folder) folder->read_for(question.text);
  const store::Store store(dir, store::Mode::read);
  if (!paths.empty()) library::require_documents(store, paths);
  const session::Session session(store, answering_options(settings, dir));
  if (folder) folder->limit(session.corpus(), &question);
  answering.open(session);
  Answer answer = answering.answer(session, question);
  const bool shows_all = html.empty() || write_html(settings, session, answer);
  // The trace was needed for the HTML page only.
  if (!settings.flag("trace")) answer.trace_json.clear();
  if (settings.flag("json")) {
    print_line(to_json_line(answer));
  } else {
    print_answer(answer);
  }
  note_unread_pages(answer);
  if (folder) folder->go_on(session);
  return (folder && folder->has_failures()) || !shows_all ? 1 : 0;
}

}  // namespace fineprint::cli
