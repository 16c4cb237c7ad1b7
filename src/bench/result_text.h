// What people read of a run.
#pragma once

#include <string>

#include "fineprint/core/json.h"
#include "fineprint/core/records.h"

namespace fineprint::bench {

// Tables of what results.json holds.
std::string results_markdown(const Json& record);

// A question as one line of questions.jsonl.
std::string question_line(const Question& question);

}  // namespace fineprint::bench
