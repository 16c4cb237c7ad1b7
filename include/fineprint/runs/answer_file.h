// Reads a file of answers or of rankings, whichever command or program wrote it.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::runs {

// The answers or rankings of a system.
struct AnswerFile {
  std::vector<Answer> answers;
  bool pages_only = false;  // hits or a TREC run, without answers
};

// Reads answers or the hits of `search --json` with an "id", one JSON object a line; or a TREC run.
// Throws Error(input) with file and line if a line is wrong.
AnswerFile read_answers(const std::string& path);

}  // namespace fineprint::runs
