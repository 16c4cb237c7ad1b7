// `fineprint train verdicts` and `fineprint train pages`, which make examples.
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

}  // namespace fineprint::cli
