// The parts of `bench` that are about experiments.
#pragma once

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Runs what --experiment names and prints its table. Returns the exit code.
int run_experiment(const Settings& settings);
// Prints the experiments that are built in, with what each needs.
int list_experiments(const Settings& settings);

}  // namespace fineprint::cli
