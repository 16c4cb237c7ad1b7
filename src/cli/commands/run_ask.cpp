// `fineprint ask`: one answer with the pages that support it.
#include <optional>
#include <string>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/core/hash.h"
#include "fineprint/library/asked_folder.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/library/kept_index.h"
#include "fineprint/report/report.h"
#include "fineprint/store/store.h"

#include "cli/answer_text.h"
#include "cli/asked_options.h"
#include "cli/asked_paths.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/question_pictures.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Returns whether all pages could be drawn.
bool write_html(const Settings& settings, const session::Session& session, const Answer& answer) {
  const std::string& file = settings.text("html");
  report::ReportOptions options = settings.read(report::report_options());
  options.pictures = report::Pictures::embed;
  const report::Material material{.title = answer.question, .answers = {answer}};
  return tell_report(
      file, report::write_report(material, &session.corpus(), &session.images(), options, file));
}

// Prints an answer, after its HTML page is written. Returns whether all pages could be drawn.
bool show(const Settings& settings, const session::Session& session, Answer answer) {
  const bool shows_all = settings.text("html").empty() || write_html(settings, session, answer);
  // The trace was needed for the HTML page only.
  if (!settings.flag("trace")) answer.trace_json.clear();
  if (settings.flag("json")) {
    print_line(to_json_line(answer));
  } else {
    print_answer(answer);
  }
  note_unread_pages(answer);
  return shows_all;
}

}  // namespace

// Folders are read as far as the question needs before the answer, and the rest after it; see
// library/asked_folder.h.
int run_ask(const Settings& settings) {
  Question question;
  question.text = argument(settings, 0, "QUESTION");
  question.id = question_id(question.text);
  question.images = settings.list("image");
  const std::string& html = settings.text("html");
  // Checked first, because a report that cannot be written is found out only after minutes of work.
  if (!html.empty()) require_place_for(html);
  // Before folders are read, so that wrong options cost no time either.
  const answering::Answering answering(html.empty() ? settings : with_trace(settings));
  take_pictures(settings, &question);
  const documents::BroughtPaths brought = asked_paths(settings, 1);
  const std::vector<std::string>& paths = brought.paths;
  std::optional<library::AskedFolder> folder;
  if (!paths.empty()) {
    library::AskedOptions options = asked_options(settings);
    // A generator's reply takes longer than OCR of a few pages, so it is not asked twice.
    options.asks_again = !answering.asks_generator();
    folder.emplace(std::move(options), paths);
  }
  const std::string dir = folder ? folder->dir() : library::searched_store(store_dir(settings));
  if (folder) folder->read_for(with_words_of_pictures(question));
  const session::SessionOptions options = answering_options(settings, dir);
  const session::Models models(options);
  while (true) {
    const store::Store store(dir, store::Mode::read);
    if (!paths.empty()) library::require_documents(store, paths);
    const session::Session session(store, models);
    Question limited = question;
    if (folder) folder->limit(session.corpus(), &limited);
    answering.open(session);
    Answer answer = answering.answer(session, limited);
    if (folder && folder->read_more(session, answer)) continue;
    const bool shows_all = show(settings, session, std::move(answer));
    if (folder) folder->go_on(session);
    const bool is_whole = shows_all && !brought.has_failures();
    return (folder && folder->has_failures()) || !is_whole ? 1 : 0;
  }
}

}  // namespace fineprint::cli
