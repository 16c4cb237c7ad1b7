// `fineprint train verdicts` and `fineprint train pages`, which make examples.
#include "cli/train_examples.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/session/context.h"
#include "fineprint/store/store.h"
#include "fineprint/train/judging.h"
#include "fineprint/train/page_examples.h"

#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

const std::string& examples_file(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty())
    throw Error(ErrorCode::usage, "--out FILE is missing: the file for the examples");
  return out;
}

}  // namespace

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

}  // namespace fineprint::cli
