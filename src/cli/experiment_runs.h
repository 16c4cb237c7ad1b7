// Experiments as the program runs them: the files that are built in, and the settings of each run.
#pragma once

#include <string>
#include <vector>

#include "fineprint/bench/experiment.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Returns the names of the experiments of configs/experiments, sorted.
std::vector<std::string> experiment_names();

// Returns an experiment by its name, or from a file if `name` ends with ".toml". Throws
// Error(usage) that lists the names if there is none, the errors of parse_toml and
// parse_experiment, and Error(unreadable) if the file cannot be read.
bench::Experiment load_experiment(const std::string& name);

// Returns where messages say that the settings of an experiment come from.
std::string experiment_origin(const std::string& name);

// A run with everything that `bench` needs.
struct PreparedRun {
  std::string label;   // "mmlongbench/molorag-paper", for messages
  std::string folder;  // with its answers and results
  Settings settings;
  std::vector<std::string> missing;  // data and models that were not given; empty: can run
};

// What --experiment-model gives: the model of each role.
struct RoleModels {
  std::vector<std::string> specs;  // by role, in the order of Experiment::roles; empty: none
};
// Throws Error(usage) if a value has another form, or names no role or one twice.
RoleModels role_models(const bench::Experiment& experiment, const Settings& given);

// Returns the experiment's runs in order, each with its own folder, whose name changes with
// anything that changes answers. `origin` is experiment_origin(). Throws Error(usage) if a
// benchmark or an option does not exist, if an option has a bad value, or if `given` has a flag
// that the experiment sets.
std::vector<PreparedRun> prepare_runs(const bench::Experiment& experiment,
                                      const std::string& origin, const Settings& given);

}  // namespace fineprint::cli
