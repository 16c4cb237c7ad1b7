// `fineprint train judge`, and the examples that it trains on.
#include "cli/train_judge.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/context.h"
#include "fineprint/session/load.h"
#include "fineprint/store/store.h"

#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

using settings::Settings;

void require_generator(const Settings& settings, const char* for_what) {
  if (!settings.text("generator").empty()) return;
  throw Error(ErrorCode::usage, format("--generator MODEL is missing: {}", for_what));
}

// Returns the options to continue the file of an earlier run. An incomplete last line is ignored.
pipelines::ExampleOptions continued_options(const std::string& path, const Settings& settings,
                                            const std::string& generator) {
  pipelines::ExampleOptions options;
  options.wanted = settings.integer("verdicts");
  options.seed = settings.integer("seed");
  options.docs = settings.list("doc");
  options.prompts = settings.text("prompts");
  if (!std::filesystem::exists(path)) return options;
  const std::string text = read_file(path);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string where = format("{}, line {}", path, ++options.known);
    const Json line = parse_json(std::string_view(text).substr(begin, end - begin), where);
    const Json source = line.is_object() ? line.value("source", Json::object()) : Json::object();
    if (!source.is_object() || source.value("seed", Json()) != options.seed ||
        source.value("generator", Json()) != generator ||
        !source.value("try", Json()).is_number_integer()) {
      throw Error(ErrorCode::input,
                  format("{}: was not made by {} with --seed {}; choose another --out", where,
                         generator, options.seed));
    }
    options.tries_before = source["try"].get<long>();
  }
  return options;
}

}  // namespace

void require_judging_generator(const Settings& settings) {
  require_generator(settings, "the model to train");
}

// The judge is trained with the prompt and the image tier that the pipeline uses later.
void set_judging(const Settings& settings, train::JudgeJob* job) {
  const pipelines::PageJudge& judge = pipelines::trainable_judge();
  const auto agent = std::make_shared<const agents::Agent>(
      agents::load_agent(judge.agent, settings.text("prompts")));
  const auto pictures = std::make_shared<PictureReader>(settings);
  job->marks = judge.marks;
  job->instructions = agent->prompt.system + agent->prompt.user + session::tier_name(agent->tier);
  job->ask = [agent, pictures](const std::string& question, const std::string& image) {
    return agents::page_request(*agent, question,
                                session::shrunk_to(agent->tier, pictures->read(image)));
  };
}

int make_verdicts(const Settings& settings) {
  require_generator(settings, "the model that writes the questions and judges them");
  const std::string& out = settings.text("out");
  if (out.empty())
    throw Error(ErrorCode::usage, "--out FILE is missing: the file for the examples");
  const std::string dir = store_dir(settings);
  const store::Store store(dir, store::Mode::read);
  const session::Session session(store, answering_options(settings, dir));
  LineAppender file(out);
  const pipelines::ExampleOptions options =
      continued_options(out, settings, session.generator().name());
  if (options.known > 0) log::note("{}: continuing after {} examples", out, options.known);
  Progress progress("writing", "examples", std::max(0L, options.wanted - options.known));
  const pipelines::MadeExamples made =
      pipelines::trainable_judge().make_examples(session, options, [&](const std::string& line) {
        file.append(line);
        progress.advance();
      });
  progress.finish();
  if (made.kept < options.wanted) {
    log::warn(
        "only {} of {} examples were made: the store has no more pages to ask about, or most "
        "replies of the generator cannot be used",
        made.kept, options.wanted);
  }
  log::note(
      "left out: {} questions with another mark than was asked for, and {} replies that were not "
      "usable",
      made.misjudged, made.no_use);
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

}  // namespace fineprint::cli
