// How judges of pages are trained: what they are asked, and the making of examples for them.
#pragma once

#include <functional>
#include <string>

#include "fineprint/core/image.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/context.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// Sets the question that the training asks the judge, and its possible replies: those of
// pipelines::trainable_judge(). `prompts` is a folder, as for agents::load_agent; empty: the
// built-in prompts. `picture` opens the picture that an example names. Throws what loading the
// prompt throws.
void set_judging(const std::string& prompts,
                 const std::function<Image(const std::string& name)>& picture, JudgeJob* job);

// Lets the session's generator write questions about pages of its store and judge them, and appends
// the useful ones to `file`, each synced to disk. If an earlier run made examples there, continues
// after them: `known` and `tries_before` of the options are taken from the file. Logs a warning if
// fewer examples were made than wanted. Throws Error(input) with the line if the file was made with
// another generator or seed, and what PageJudge::make_examples throws.
pipelines::MadeExamples make_verdicts(const session::Session& session,
                                      pipelines::ExampleOptions options, const std::string& file);

}  // namespace fineprint::train
