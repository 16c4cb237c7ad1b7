// `fineprint train verdicts`, `pages` and `questions`, which make examples.
#pragma once

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Throws Error(usage) with `for_what` if no generator is named.
void require_generator(const settings::Settings& settings, const char* for_what);

// `fineprint train verdicts`: examples for judges, appended to the file --out. Returns an exit
// code.
int make_verdicts(const settings::Settings& settings);

// `fineprint train pages`: examples for retrievers of the pages of the store (or of --doc), written
// to the file --out. Returns an exit code.
int make_pages(const settings::Settings& settings);

// `fineprint train questions`: examples for retrievers of OpenDocVQA's training questions in
// --data, written to the file --out. Returns an exit code.
int make_questions(const settings::Settings& settings);

}  // namespace fineprint::cli
