// `fineprint search`: prints ranked pages for one query, or for every question of a file.
#include <cstdio>
#include <optional>

#include "fineprint/answering/method_options.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/records.h"
#include "fineprint/core/threads.h"
#include "fineprint/library/asked_folder.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/library/kept_index.h"
#include "fineprint/retrieve/picture_pages.h"
#include "fineprint/runs/trec.h"
#include "fineprint/store/store.h"
#include "fineprint/train/negatives.h"

#include "cli/asked_options.h"
#include "cli/asked_paths.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/question_pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Returns the hit's record with the question's id in front.
std::string with_id(const std::string& id, const std::string& line) {
  return "{\"id\":" + dump_json(id) + "," + line.substr(1);
}

// With `explain`, the score of each scorer is shown, too.
void print_hit(const Hit& hit, const std::vector<retrieve::MaskParts>& masks, bool explain) {
  std::string line =
      format("{:>2}. {}  page {}  {:.3f}", hit.rank, hit.page.doc, hit.page.page, hit.score);
  if (explain) {
    for (const NamedScore& part : hit.scores)
      line += format("  {} {:.3f}", part.scorer, part.score);
  }
  print_line(line);
  for (const retrieve::MaskParts& mask : masks) {
    print_line(
        format("    {}: cosine {:.3f} = salient {:.3f} ({:.0f}% of dimensions) + fine print "
               "{:.3f} ({:.0f}%) + dropped {:.3f}; masked {:.3f}",
               mask.scorer, mask.cosine, mask.salient, 100 * mask.salient_share, mask.fine_print,
               100 * mask.fine_print_share, mask.dropped, mask.score));
  }
  if (!hit.snippet.empty()) print_line(format("    {}", hit.snippet));
}

// Traces how the mask scored each page.
void trace_masks(const session::Context& context, const std::vector<retrieve::FoundPage>& pages) {
  if (!context.events.wants_fields()) return;
  for (const retrieve::FoundPage& page : pages) {
    for (const retrieve::MaskParts& mask : page.masks) {
      const PageRef ref = context.session.corpus().ref(page.page);
      const Json fields = {{"scorer", mask.scorer},
                           {"doc", ref.doc},
                           {"page", ref.page},
                           {"cosine", mask.cosine},
                           {"score", mask.score},
                           {"salient", mask.salient},
                           {"fine_print", mask.fine_print},
                           {"dropped", mask.dropped},
                           {"salient_share", mask.salient_share},
                           {"fine_print_share", mask.fine_print_share}};
      context.events.tell({.step = "mask", .fields = dump_json(fields)});
    }
  }
}

enum class Format { text, json, trec, negatives };

// --json is the same as --format json, except with negatives, which are JSON in any case.
Format format_of(const Settings& settings) {
  const std::string& name = settings.text("format");
  if (name == "negatives") return Format::negatives;
  if (settings.flag("json") || name == "json") return Format::json;
  return name == "trec" ? Format::trec : Format::text;
}

// The tools of TREC need the question's id in every line.
void print_run(const session::Context& context, const std::string& id,
               const std::vector<retrieve::FoundPage>& pages, const std::string& tag) {
  std::vector<RetrievedPage> ranking;
  for (const retrieve::FoundPage& page : pages) {
    ranking.push_back({context.session.corpus().ref(page.page), page.score});
  }
  print_piece(runs::to_trec_run(id, ranking, tag));
}

// Says on stderr what was not done with the pictures of the query.
void note_pictures(const session::Context& context) {
  for (const QuestionPicture& picture : context.pictures) {
    for (const std::string& note : picture.record.notes) {
      log::note("{}: {}", picture.record.name, note);
    }
  }
}

// Searches and prints. The id is empty if the query is from the command line.
void search_one(const session::Session& session, const Question& question,
                retrieve::SearchOptions options, const Settings& settings) {
  // A question that names documents is about these, whatever --doc says of the others.
  if (!question.docs.empty() && !settings.flag("whole-store")) options.docs = question.docs;
  Trace trace(settings.flag("explain"));
  Budget budget(settings.read(budget_options()));
  session::Context context{session, trace, budget};
  context.pictures = question.pictures;
  retrieve::find_picture_pages(context, question.text, options);
  const std::vector<retrieve::FoundPage> pages = retrieve::search(context, question.text, options);
  note_pictures(context);
  trace_masks(context, pages);
  if (!context.limit.empty()) {
    log::warn("search: {}: stopped early: {}", question.text, context.limit);
  }
  if (format_of(settings) == Format::trec) {
    print_run(context, question.id, pages, settings.text("run-tag"));
  } else {
    const std::vector<Hit> hits = retrieve::to_hits(context, question.text, pages);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (format_of(settings) == Format::text) {
        print_hit(hits[i], pages[i].masks, settings.flag("explain"));
      } else {
        // A query of the command line has no id to distinguish it from others.
        const std::string line = to_json_line(hits[i]);
        print_line(question.id.empty() ? line : with_id(question.id, line));
      }
    }
  }
  // On stderr, so that stdout has the same hits with --explain and without.
  if (trace.enabled()) std::fprintf(stderr, "%s\n", trace.to_json().c_str());
}

// Returns the queries of this run: the one on the command line, or those of a file.
std::vector<Question> queries_of(const Settings& settings) {
  const std::string& file = settings.text("questions");
  if (!file.empty()) {
    if (!settings.list("image").empty()) {
      throw Error(
          ErrorCode::usage,
          "--image belongs to one QUERY; in a file of questions, write the field \"images\" "
          "of the question");
    }
    if (format_of(settings) == Format::text) {
      throw Error(ErrorCode::usage,
                  "--questions prints records; give --json or --format trec, too");
    }
    return read_questions(file);
  }
  if (format_of(settings) == Format::negatives) {
    throw Error(ErrorCode::usage,
                "--format negatives needs training examples; give --questions FILE");
  }
  if (format_of(settings) == Format::trec) {
    throw Error(ErrorCode::usage, "--format trec needs questions with ids; give --questions FILE");
  }
  Question query;
  query.text = argument(settings, 0, "QUERY");
  query.images = settings.list("image");
  return {query};
}

// Returns the arguments that follow the query, or all of them if the queries are in a file.
documents::BroughtPaths paths_of(const Settings& settings) {
  return asked_paths(settings, settings.text("questions").empty() ? 1 : 0);
}

// Prints the examples of --questions with the negatives that this search finds for them.
int print_negatives(const Settings& settings) {
  const std::vector<train::ExampleLine> examples =
      train::read_example_lines(settings.text("questions"));
  allow_arguments(settings, 0);
  const retrieve::SearchOptions options = answering::search_options(settings);
  const std::string dir = library::searched_store(store_dir(settings));
  const store::Store store(dir, store::Mode::read);
  const session::Session session(store, answering_options(settings, dir));
  // Once for all examples: each of them would fail in the same way.
  retrieve::require_scorers(session, options);
  Progress progress("searching", "examples", std::ssize(examples));
  std::int64_t all = 0, without = 0;
  for (const train::ExampleLine& example : examples) {
    throw_if_interrupted();
    Trace trace(false);
    Budget budget(settings.read(budget_options()));
    session::Context context{session, trace, budget};
    int found = 0;
    print_line(train::with_negatives(context, example, options, &found));
    all += found;
    without += found == 0 ? 1 : 0;
    progress.advance();
  }
  progress.finish();
  log::note("found {} negatives for {} examples; {} examples have none", all, examples.size(),
            without);
  return 0;
}

}  // namespace

int run_search(const Settings& settings) {
  if (format_of(settings) == Format::negatives && !settings.text("questions").empty()) {
    return print_negatives(settings);
  }
  std::vector<Question> queries = queries_of(settings);
  // Before folders are read, so that a misspelt scorer costs no time.
  const retrieve::SearchOptions options = answering::search_options(settings);
  for (Question& query : queries) take_pictures(settings, &query);
  std::optional<library::AskedFolder> folder;
  const documents::BroughtPaths brought = paths_of(settings);
  const std::vector<std::string>& paths = brought.paths;
  if (!paths.empty()) folder.emplace(asked_options(settings), paths);
  const std::string dir = folder ? folder->dir() : library::searched_store(store_dir(settings));
  // A file of queries justifies reading all documents first.
  if (folder) folder->read_for(queries.size() == 1 ? with_words_of_pictures(queries.front()) : "");
  const store::Store store(dir, store::Mode::read);
  if (folder) library::require_documents(store, paths);
  const session::Session session(store, answering_options(settings, dir));
  retrieve::require_scorers(session, options);
  for (Question& query : queries) {
    throw_if_interrupted();
    if (folder) folder->limit(session.corpus(), &query);
    search_one(session, query, options, settings);
  }
  if (folder) folder->go_on(session);
  return (folder && folder->has_failures()) || brought.has_failures() ? 1 : 0;
}

}  // namespace fineprint::cli
