// `fineprint search`: ranked pages for one query, or for every question of a file.
#include <cstdio>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/records.h"
#include "fineprint/core/threads.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// The hit's own record, with the question's id in front.
std::string with_id(const std::string& id, const std::string& line) {
  return "{\"id\":" + dump_json(id) + "," + line.substr(1);
}

void print_hit(const Hit& hit, bool explain) {
  std::string line =
      format("{:>2}. {}  page {}  {:.3f}", hit.rank, hit.page.doc, hit.page.page, hit.score);
  if (explain) {
    for (const NamedScore& part : hit.scores)
      line += format("  {} {:.3f}", part.scorer, part.score);
  }
  print_line(line);
  if (!hit.snippet.empty()) print_line(format("    {}", hit.snippet));
}

// Searches and prints; `id` is empty for a query of its own.
void search_one(const session::Session& session, const Question& question,
                retrieve::SearchOptions options, const Settings& settings) {
  if (!question.docs.empty() && !settings.flag("whole-store")) options.docs = question.docs;
  Trace trace(settings.flag("explain"));
  Budget budget;
  session::Context context{session, trace, budget};
  const std::vector<retrieve::FoundPage> pages = retrieve::search(context, question.text, options);
  for (const Hit& hit : retrieve::to_hits(context, question.text, pages)) {
    if (!settings.flag("json")) {
      print_hit(hit, settings.flag("explain"));
    } else {
      const std::string line = to_json_line(hit);
      print_line(question.id.empty() ? line : with_id(question.id, line));
    }
  }
  if (trace.enabled()) std::fprintf(stderr, "%s\n", trace.to_json().c_str());
}

}  // namespace

int run_search(const Settings& settings) {
  const std::string& questions = settings.text("questions");
  std::vector<Question> queries;
  if (questions.empty()) {
    Question query;
    query.text = argument(settings, 0, "QUERY");
    queries.push_back(query);
  } else {
    if (!settings.flag("json")) {
      throw Error(ErrorCode::usage, "--questions prints records: give --json too");
    }
    queries = read_questions(questions);
  }
  const store::Store store(store_dir(settings), store::Mode::read);
  const session::Session session(store, session_options(settings));
  const retrieve::SearchOptions options = search_options(settings);
  for (const Question& query : queries) {
    throw_if_interrupted();
    search_one(session, query, options, settings);
  }
  return 0;
}

}  // namespace fineprint::cli
