// `fineprint eval --scorer`: scores items by the rules of a published evaluator.
#pragma once

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Prints the scores of the items in the file that the arguments name. Returns the exit code, which
// is 1 if lines could not be scored; each of them is reported on stderr. Throws Error(usage) if the
// scorer is unknown.
int score_items(const settings::Settings& settings);

}  // namespace fineprint::cli
