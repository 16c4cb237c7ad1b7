// Answers one question by the pipeline that the settings name; shared by `ask` and `batch`.
#pragma once

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

#include "cli/settings.h"

namespace fineprint::cli {

// Fills in id, question, pipeline, generator, usage and the trace around the pipeline's own answer.
Answer answer_question(const session::Session& session, const Question& question,
                       const Settings& settings);

}  // namespace fineprint::cli
