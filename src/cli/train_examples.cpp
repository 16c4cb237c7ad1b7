// `fineprint train verdicts`, `pages`, `questions` and `corpus-questions`, which make examples, and
// the pages of examples.
#include "cli/train_examples.h"

#include <optional>
#include <string>
#include <utility>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/session/context.h"
#include "fineprint/session/corpus.h"
#include "fineprint/store/store.h"
#include "fineprint/train/corpus_questions.h"
#include "fineprint/train/judging.h"
#include "fineprint/train/page_examples.h"
#include "fineprint/train/question_examples.h"

#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

const std::string& examples_file(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty())
    throw Error(ErrorCode::usage, "--out FILE is missing: the file for the examples");
  return out;
}

// A store that pages of examples are drawn from.
struct ExampleStore {
  explicit ExampleStore(const Settings& settings)
      : store(store_dir(settings), store::Mode::read),
        corpus(store),
        images(corpus,
               session::document_pages(document_worker_options(settings, store_dir(settings)),
                                       read_options(settings)),
               0) {}

  store::Store store;
  session::Corpus corpus;
  session::PageImages images;  // without a cache: a page may not come again for thousands of steps
};

// Names are compared whole and not as patterns, because an example means one page.
PageId page_id_of(const session::Corpus& corpus, const train::ExamplePage& page) {
  const std::optional<DocumentId> document = corpus.document_named(page.doc);
  if (!document) {
    throw Error(ErrorCode::input,
                format("the store has no document {}, which an example names; index it, or give "
                       "the name that `fineprint list` prints",
                       page.doc));
  }
  const int pages = corpus.documents()[document->value].row.page_count;
  if (page.page > pages) {
    throw Error(ErrorCode::input, format("{} has {} pages, but an example names page {}", page.doc,
                                         pages, page.page));
  }
  return corpus.page_number(*document, page.page);
}

}  // namespace

std::function<SharedImage(const train::ExamplePage& page, session::Tier tier)> example_pages(
    const Settings& settings) {
  std::shared_ptr<ExampleStore> store;
  if (!settings.text("store").empty()) store = std::make_shared<ExampleStore>(settings);
  const auto reader = std::make_shared<PictureReader>(settings);
  return [store, reader](const train::ExamplePage& page, session::Tier tier) {
    if (!page.image.empty()) {
      return SharedImage(session::shrunk_to(tier, reader->read(page.image)));
    }
    if (store == nullptr) {
      throw Error(ErrorCode::usage, format("--store DIR is missing: an example names page {} of {}",
                                           page.page, page.doc));
    }
    return store->images.page(page_id_of(store->corpus, page), tier);
  };
}

void require_generator(const Settings& settings, const char* for_what) {
  if (!settings.text("generator").empty()) return;
  throw Error(ErrorCode::usage, format("--generator MODEL is missing: {}", for_what));
}

int make_verdicts(const Settings& settings) {
  require_generator(settings, "the model that writes the questions and judges them");
  const std::string& out = examples_file(settings);
  const std::string dir = store_dir(settings);
  const store::Store store(dir, store::Mode::read);
  const session::Session session(store, answering_options(settings, dir));
  pipelines::ExampleOptions options;
  options.wanted = settings.integer("verdicts");
  options.seed = settings.integer("seed");
  options.docs = settings.list("doc");
  options.prompts = settings.text("prompts");
  const pipelines::MadeExamples made = train::make_verdicts(session, options, out);
  if (settings.flag("json")) {
    print_line(dump_json({{"examples", made.kept},
                          {"misjudged", made.misjudged},
                          {"no_use", made.no_use},
                          {"file", out}}));
  } else {
    print_line(format("{}: {} examples", out, made.kept));
  }
  return 0;
}

// With --examples, the questions of this file are reviewed, and no new ones are written.
int make_corpus_questions(const Settings& settings) {
  require_generator(settings, "the model that writes the questions and reviews them");
  const std::string& out = examples_file(settings);
  const std::string& given = settings.text("train.examples");
  const std::string dir = store_dir(settings);
  const store::Store store(dir, store::Mode::read);
  const session::Session session(store, answering_options(settings, dir));
  const train::CorpusQuestions made = train::make_corpus_questions(
      session,
      {.wanted = settings.integer("verdicts"),
       .seed = settings.integer("seed"),
       .docs = settings.list("doc"),
       .prompts = settings.text("prompts"),
       .given = given.empty() ? std::vector<Question>() : read_questions(given)},
      out);
  if (settings.flag("json")) {
    print_line(dump_json({{"questions", made.kept},
                          {"refined", made.refined},
                          {"general", made.general},
                          {"ambiguous", made.ambiguous},
                          {"no_use", made.no_use},
                          {"file", out}}));
  } else {
    print_line(
        format("{}: {} questions, {} refined; left out: {} general, {} that other pages "
               "answer too, {} without a usable reply",
               out, made.kept, made.refined, made.general, made.ambiguous, made.no_use));
  }
  return 0;
}

int make_pages(const Settings& settings) {
  const std::string& out = examples_file(settings);
  const store::Store store(store_dir(settings), store::Mode::read);
  const train::PageExamples made =
      train::write_page_examples(session::Corpus(store), settings.list("doc"), out);
  if (settings.flag("json")) {
    print_line(
        dump_json({{"pages", made.pages}, {"without_words", made.without_words}, {"file", out}}));
  } else {
    print_line(format("{}: {} pages; {} have no words", out, made.pages, made.without_words));
  }
  return 0;
}

// Without --subset, all data sets that the folder has follow each other in one file.
int make_questions(const Settings& settings) {
  const std::string& out = examples_file(settings);
  const std::string& dir = settings.text("data");
  if (dir.empty()) {
    throw Error(ErrorCode::usage,
                "--data FOLDER is missing: OpenDocVQA's training questions and pages, unpacked");
  }
  const std::string& subset = settings.text("subset");
  const std::vector<std::string> subsets =
      subset.empty() ? bench::training_subsets(dir) : std::vector<std::string>{subset};
  train::QuestionExamples made;
  for (const std::string& name : subsets) {
    const bench::BenchmarkData data = bench::load_benchmark(
        bench::find_benchmark("opendocvqa"), dir,
        {.subset = name, .all_pool = settings.flag("all-pool"), .training = true});
    note_problems(data, "");
    train::add_question_examples(data, &made);
  }
  write_file_atomic(out, made.lines);
  if (settings.flag("json")) {
    print_line(dump_json(
        {{"examples", made.examples}, {"without_pages", made.without_pages}, {"file", out}}));
  } else {
    print_line(format("{}: {} examples; {} questions have no page in the pool", out, made.examples,
                      made.without_pages));
  }
  return 0;
}

}  // namespace fineprint::cli
