// Derives the settings of runs from experiments.
#include "cli/experiment_runs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/settings/configuration.h"

#include "experiment_table.inc"

namespace fineprint::cli {
namespace {

bool is_experiment_file(const std::string& name) { return name.ends_with(".toml"); }

// Options that only the experiment may set. Others are refused as flags if a run sets them.
constexpr std::array<const char*, 8> kSetByExperiments = {
    "pipeline", "generator", "agent-generator", "retriever",
    "judge",    "subset",    "all-pool",        "shard"};
// Options by which a user tries an experiment with fewer questions.
constexpr std::array<std::string_view, 2> kLeftToUsers = {"sample", "seed"};

bool is_typed(const Settings& given, std::string_view option) {
  return given.origin(option) == settings::kFlagsOrigin;
}

[[noreturn]] void refuse_flag(const std::string& origin, std::string_view option) {
  throw Error(ErrorCode::usage,
              format("--{}: {} sets this option; leave the flag out, or copy the file, change it "
                     "and give its path to --experiment",
                     option, origin));
}

void refuse_typed_options(const std::string& origin, const Settings& given) {
  for (const char* option : kSetByExperiments) {
    if (is_typed(given, option)) refuse_flag(origin, option);
  }
  if (!given.arguments.empty()) {
    throw Error(ErrorCode::usage, format("{}: --experiment names the benchmarks itself; leave the "
                                         "argument out",
                                         given.arguments.front()));
  }
}

// Returns the values of the run's other options, less the ones that a user changes.
OptionTexts option_values(const bench::ExperimentRun& run, const std::string& origin,
                          const Settings& given) {
  OptionTexts values;
  for (const auto& [option, texts] : run.options) {
    const settings::ProgramOption* known = given.options().find_given(option, origin);
    if (known == nullptr || !(known->commands & settings::kBench)) {
      throw Error(ErrorCode::usage, format("{}: options: bench has no option {}", origin, option));
    }
    if (is_typed(given, known->name)) {
      if (std::ranges::find(kLeftToUsers, known->name) != kLeftToUsers.end()) continue;
      refuse_flag(origin, known->name);
    }
    values[option] = texts;
  }
  return values;
}

// Puts the models of the roles into the options that take them.
class Casting {
 public:
  Casting(const bench::Experiment& experiment, const RoleModels& models) {
    for (std::size_t i = 0; i < experiment.roles.size(); ++i) {
      specs_[experiment.roles[i].name] = models.specs[i];
      published_[experiment.roles[i].name] = experiment.roles[i].published;
    }
  }

  // Returns the texts of an option. Adds the roles without a model to `missing`.
  std::vector<std::string> cast(const std::string& option, const std::vector<std::string>& texts,
                                std::vector<std::string>* missing) const {
    std::vector<std::string> cast;
    for (const std::string& text : texts) {
      const std::string role = bench::experiment_role(option, text);
      const std::string& spec = specs_.at(role);
      if (spec.empty()) {
        missing->push_back(
            format("no model for the role {} ({} in the paper); give --model "
                   "{}=MODEL",
                   role, published_.at(role), role));
      }
      // A run that lacks a model is prepared with the role's name, because AGENT= alone is refused.
      cast.push_back(text.substr(0, text.size() - role.size()) + (spec.empty() ? role : spec));
    }
    return cast;
  }

 private:
  std::map<std::string, std::string> specs_, published_;
};

// Returns the folder of a benchmark: DIR/FOLDER, or DIR if the experiment has no other one.
std::string data_folder(const std::string& dir, const std::string& folder, bool is_only) {
  const std::string own = dir + "/" + folder;
  return is_only && !std::filesystem::is_directory(own) ? dir : own;
}

// Names the questions and pages of a run.
std::string part_name(const bench::ExperimentRun& run) {
  std::string name = run.folder;
  if (!run.subset.empty()) name += "-" + run.subset;
  if (run.all_pool) name += "-all";
  return name;
}

// Returns why a run's data cannot be read; empty: it can. Reads each part of a benchmark once.
class DataCheck {
 public:
  const std::string& problem(const bench::ExperimentRun& run, const std::string& dir) {
    const std::string key = part_name(run);
    const auto [found, is_new] = problems_.try_emplace(key);
    if (is_new) found->second = read(run, dir);
    return found->second;
  }

 private:
  static std::string read(const bench::ExperimentRun& run, const std::string& dir) {
    if (!std::filesystem::is_directory(dir)) {
      return format("no data of {}: there is no folder {}", run.dataset, dir);
    }
    try {
      bench::load_benchmark(bench::find_benchmark(run.dataset), dir, {run.subset, run.all_pool});
    } catch (const Error& error) {
      return format("no data of {}: {}", run.dataset, error.what());
    }
    return {};
  }

  std::map<std::string, std::string> problems_;
};

std::string short_hash(const Json& of) { return content_hash(of.dump()).substr(0, 8); }

// Returns the part of the name of a run's folder that changes with anything that an experiment
// sets, and with the questions that are drawn.
std::string run_hash(const OptionTexts& values, const Settings& given) {
  Json all = values;
  for (const std::string_view option : kLeftToUsers) {
    if (is_typed(given, option)) all[std::string(option)] = {given.text(option)};
  }
  return short_hash(all);
}

// Returns the name of a run's store. Runs share a store if they index alike; the scorers do not
// count, because a store gets the vectors of each as they are needed.
std::string store_name(const bench::ExperimentRun& run, const OptionTexts& values,
                       const settings::OptionSet& options) {
  Json indexing = Json::object();
  for (const auto& [name, texts] : values) {
    const settings::ProgramOption* option = options.find(name);
    const bool indexes = option != nullptr && (option->commands & settings::kIndex) != 0;
    if (indexes && name != "scorer") indexing[name] = texts;
  }
  return format("{}-{}", part_name(run), short_hash(indexing));
}

std::set<std::string> data_folders_of(const bench::Experiment& experiment) {
  std::set<std::string> names;
  for (const bench::ExperimentRun& run : experiment.runs) names.insert(run.folder);
  return names;
}

// Returns a role that is named by the text before '='. Throws Error(usage).
std::size_t role_index(const bench::Experiment& experiment, const std::string& text) {
  const std::string name = text.substr(0, text.find('='));
  const auto found = std::ranges::find(experiment.roles, name, &bench::ExperimentRole::name);
  if (name.size() + 1 < text.size() && found != experiment.roles.end()) {
    return static_cast<std::size_t>(found - experiment.roles.begin());
  }
  throw Error(ErrorCode::usage,
              format("--model {}: expected ROLE=MODEL with one of these roles: {}", text,
                     join_texts(experiment.roles, ", ", &bench::ExperimentRole::name)));
}

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const EmbeddedExperiment& one : kEmbeddedExperiments) names.emplace_back(one.name);
  return names;
}

std::string experiment_origin(const std::string& name) {
  return is_experiment_file(name) ? name : format("configs/experiments/{}.toml", name);
}

bench::Experiment load_experiment(const std::string& name) {
  const std::string origin = experiment_origin(name);
  if (is_experiment_file(name)) {
    const Json toml = settings::parse_toml(read_file(name), origin);
    return bench::parse_experiment(std::filesystem::path(name).stem().string(), origin, toml);
  }
  const auto found = std::ranges::find(kEmbeddedExperiments, name, &EmbeddedExperiment::name);
  if (found == std::ranges::end(kEmbeddedExperiments)) {
    throw Error(ErrorCode::usage,
                format("there is no experiment \"{}\"; give the path of a TOML file, or one of: {}",
                       name, join_texts(experiment_names(), ", ")));
  }
  return bench::parse_experiment(name, origin, settings::parse_toml(found->text, origin));
}

RoleModels role_models(const bench::Experiment& experiment, const Settings& given) {
  RoleModels models;
  models.specs.resize(experiment.roles.size());
  for (const std::string& text : given.list("experiment-model")) {
    std::string& spec = models.specs[role_index(experiment, text)];
    if (!spec.empty()) {
      throw Error(ErrorCode::usage, format("--model {}: the role was already given", text));
    }
    spec = text.substr(text.find('=') + 1);
  }
  return models;
}

std::vector<PreparedRun> prepare_runs(const bench::Experiment& experiment,
                                      const std::string& origin, const Settings& given) {
  refuse_typed_options(origin, given);
  const Casting casting(experiment, role_models(experiment, given));
  const bool is_only = data_folders_of(experiment).size() == 1;
  const std::string& out = given.text("out");
  const std::string stores = given.text("store").empty() ? out + "/stores" : given.text("store");
  DataCheck check;
  std::vector<PreparedRun> prepared;
  for (const bench::ExperimentRun& run : experiment.runs) {
    bench::find_benchmark(run.dataset);
    const std::string data = data_folder(given.text("data"), run.folder, is_only);
    PreparedRun one = {.label = format("{}/{}", part_name(run), run.pipeline),
                       .folder = {},
                       .settings = given,
                       .missing = {}};
    if (const std::string& problem = check.problem(run, data); !problem.empty()) {
      one.missing.push_back(problem);
    }
    OptionTexts values = option_values(run, origin, given);
    for (const auto& [option, texts] : run.models) {
      values[option] = casting.cast(option, texts, &one.missing);
    }
    values["pipeline"] = {run.pipeline};
    // The papers' systems answer as their models reply.
    values.try_emplace("check", OptionTexts::mapped_type{"off"});
    values["subset"] = {run.subset};
    values["all-pool"] = {run.all_pool ? "true" : "false"};
    one.folder = format("{}/runs/{}-{}", out, one.label, run_hash(values, given));
    one.settings.arguments = {run.dataset};
    one.settings.lay_over(values, origin);
    const std::string store = store_name(run, values, given.options());
    one.settings.lay_over(
        {{"data", {data}}, {"out", {one.folder}}, {"store", {stores + "/" + store}}},
        std::string(settings::kFlagsOrigin));
    prepared.push_back(std::move(one));
  }
  return prepared;
}

}  // namespace fineprint::cli
