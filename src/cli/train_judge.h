// `fineprint train judge`, and the examples that it trains on.
#pragma once

#include "fineprint/settings/settings.h"
#include "fineprint/train/training.h"

namespace fineprint::cli {

// Sets the question that the training asks the judge and its possible replies. `settings` must
// outlive `job`.
void set_judging(const settings::Settings& settings, train::JudgeJob* job);
// Throws Error(usage) if no generator is named.
void require_judging_generator(const settings::Settings& settings);

// `fineprint train verdicts`: lets the generator write questions about pages of the store and judge
// them, and appends the useful ones to the file --out. Continues where an earlier run stopped.
// Returns an exit code.
int make_verdicts(const settings::Settings& settings);

}  // namespace fineprint::cli
