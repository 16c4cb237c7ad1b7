// `fineprint train judge`, and what it is trained on.
#pragma once

#include "fineprint/settings/settings.h"
#include "fineprint/train/training.h"

namespace fineprint::cli {

// What that training asks the judge, and what it may reply. The settings must outlive it.
void set_judging(const settings::Settings& settings, train::JudgeJob* job);
// Throws Error(usage) where no model is named.
void require_judging_generator(const settings::Settings& settings);

// `fineprint train verdicts`: has the generator write questions to pages of the store and judge
// them, and appends those that are of use to the file --out, going on where an earlier run
// stopped. Returns an exit code.
int make_verdicts(const settings::Settings& settings);

}  // namespace fineprint::cli
