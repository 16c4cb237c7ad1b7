// Asks judges what their pipeline asks them, and continues files of examples for them.
#include "fineprint/train/judging.h"

#include <algorithm>
#include <memory>

#include "fineprint/agents/agent.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"

#include "train/continued_file.h"

namespace fineprint::train {
namespace {

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
  const MadeBefore before = made_before(file, session.generator().name(), options.seed);
  options.known = before.kept;
  options.tries_before = before.tries;
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
