// One run of `bench`, for that command and for experiments.
#pragma once

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Throws what a run with these settings would throw before it reads data: for pipelines that do not
// exist, or cannot answer with these settings.
void check_bench_run(const Settings& settings);

// Indexes, answers, judges and scores as `settings` says, and writes the files of --out. The first
// argument names the benchmark. `prints`: prints the results, too. Returns the exit code. Throws
// Error(usage) if a needed option is missing, and what the steps throw.
int bench_once(const Settings& settings, bool prints);

}  // namespace fineprint::cli
