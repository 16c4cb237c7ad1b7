// Asks judges what their pipeline asks them, and continues files of examples for them.
#include "fineprint/train/judging.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"

namespace fineprint::train {
namespace {

// Sets where an earlier run stopped. An incomplete last line is ignored.
void continue_from(const std::string& path, const std::string& generator,
                   pipelines::ExampleOptions* options) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string where = format("{}, line {}", path, ++options->known);
    const Json line = parse_json(std::string_view(text).substr(begin, end - begin), where);
    const Json source = line.is_object() ? line.value("source", Json::object()) : Json::object();
    if (!source.is_object() || source.value("seed", Json()) != options->seed ||
        source.value("generator", Json()) != generator ||
        !source.value("try", Json()).is_number_integer()) {
      throw Error(ErrorCode::input,
                  format("{}: was not made by {} with --seed {}; choose another --out", where,
                         generator, options->seed));
    }
    options->tries_before = source["try"].get<long>();
  }
}

// Reports how many examples are missing, and why tries gave none.
void note_made(const pipelines::MadeExamples& made, long wanted) {
  if (made.kept < wanted) {
    log::warn(
        "only {} of {} examples were made: the store has no more pages to ask about, or most "
        "replies of the generator cannot be used",
        made.kept, wanted);
  }
  log::note(
      "left out: {} questions with another mark than was asked for, and {} replies that were not "
      "usable",
      made.misjudged, made.no_use);
}

}  // namespace

// The judge is trained with the prompt and the image tier that the pipeline uses later.
void set_judging(const std::string& prompts,
                 const std::function<Image(const std::string& name)>& picture, JudgeJob* job) {
  const pipelines::PageJudge& judge = pipelines::trainable_judge();
  const auto agent =
      std::make_shared<const agents::Agent>(agents::load_agent(judge.agent, prompts));
  job->marks = judge.marks;
  job->instructions = agent->prompt.system + agent->prompt.user + session::tier_name(agent->tier);
  if (!agent->labels) job->instructions += " without labels";
  job->ask = [agent, picture](const std::string& question, const std::string& image) {
    return agents::page_request(*agent, question, session::shrunk_to(agent->tier, picture(image)));
  };
}

pipelines::MadeExamples make_verdicts(const session::Session& session,
                                      pipelines::ExampleOptions options, const std::string& file) {
  LineAppender lines(file);  // takes the lock before the file is read
  options.known = options.tries_before = 0;
  continue_from(file, session.generator().name(), &options);
  if (options.known > 0) log::note("{}: continuing after {} examples", file, options.known);
  Progress progress("writing", "examples", std::max(0L, options.wanted - options.known));
  const pipelines::MadeExamples made =
      pipelines::trainable_judge().make_examples(session, options, [&](const std::string& line) {
        lines.append(line);
        progress.advance();
      });
  progress.finish();
  note_made(made, options.wanted);
  return made;
}

}  // namespace fineprint::train
