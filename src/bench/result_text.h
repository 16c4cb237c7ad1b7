// Writes what people read of a run.
#pragma once

#include <string>

#include "fineprint/core/json.h"
#include "fineprint/core/records.h"

namespace fineprint::bench {

// Returns tables of the contents of results.json.
std::string results_markdown(const Json& record);

// Returns a question as one line of questions.jsonl.
std::string question_line(const Question& question);

}  // namespace fineprint::bench
