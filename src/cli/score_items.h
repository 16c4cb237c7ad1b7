// `fineprint eval --scorer`: items by a published evaluator.
#pragma once

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Prints the scores of the items in the file named by the arguments, and returns the exit code: 1
// where lines could not be scored, each of which is named on stderr. Throws Error(usage) for a
// scorer that is not there.
int score_items(const settings::Settings& settings);

}  // namespace fineprint::cli
