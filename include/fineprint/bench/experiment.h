// Experiments: a table or figure of a paper, as a file that says which runs fill its cells and what
// the paper prints there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json_fwd.h"
#include "fineprint/core/option.h"

namespace fineprint::bench {

// A model of the paper, by the name that the file uses for it. Users say which model of theirs
// takes its place.
struct ExperimentRole {
  std::string name;
  std::string published;  // the paper's model
};

// What a user must have to run an experiment.
struct ExperimentNeeds {
  std::string data, models;
  double gpu_hours = 0;
  std::string reason;              // how the hours were estimated
  std::vector<std::string> train;  // commands that train models that take roles
};

// One pipeline over one benchmark, as `bench` runs it.
struct ExperimentRun {
  std::string dataset, subset;
  std::string folder;  // of the data, in the folder of all data; usually the benchmark's name
  bool all_pool = false;
  std::string pipeline;  // a preset or variant
  OptionTexts options;   // other options, by name
  OptionTexts models;    // options that take models: "ROLE", or for agent-generator "AGENT=ROLE"
  bool operator==(const ExperimentRun&) const = default;
};

struct ExperimentCell {
  std::optional<std::size_t> run;  // in Experiment::runs; empty if nothing fills the cell by itself
  std::string measure;             // a path into the run's entry in results.json, or several with +
  double scale = 1;                // the measure is multiplied by this
  std::optional<double> published;
  std::string lacks;  // why no run can fill the cell
};

// A row or a column.
struct ExperimentLine {
  // How its cells come from other lines: not at all, their mean, or by how many per cent the first
  // exceeds the second.
  enum class Derived { no, mean, improvement };
  std::vector<std::string> labels;  // a row's under the heads; a column has one
  Derived derived = Derived::no;
  std::vector<std::size_t> from;     // the other lines
  std::optional<int> decimals = {};  // of a column, if others than the table's
};

struct Experiment {
  std::string name, title;
  std::string paper;   // "MoLoRAG, Table 2"
  std::string layout;  // remarks below the table
  ExperimentNeeds needs;
  std::vector<ExperimentRole> roles;
  std::vector<std::string> heads;  // of the columns with the rows' labels
  std::vector<ExperimentLine> rows, columns;
  int decimals = 1;
  std::vector<ExperimentRun> runs;                 // each once, however many cells it fills
  std::vector<std::vector<ExperimentCell>> cells;  // by row and column
};

// Returns the experiment of a TOML file that was read as JSON. `file` names it in messages. Throws
// Error(usage) with the file and the row or column if a key is unknown, missing or of another type,
// if a row and a column set the same key, if a row has another number of published values than the
// table has columns, if a role or label does not exist, or if results have no such measure.
// Names of benchmarks, presets and options are not checked.
Experiment parse_experiment(const std::string& name, const std::string& file, const Json& toml);

// Returns the role in a value of ExperimentRun::models.
std::string experiment_role(const std::string& option, const std::string& text);

// Values by row and column; empty: not measured.
using ExperimentValues = std::vector<std::vector<std::optional<double>>>;

// Returns the number at a measure of a run's entry in results.json, before scaling. Empty if the
// entry has no number there.
std::optional<double> experiment_measure(const Json& entry, const std::string& measure);

// Computes all cells from the entries of the runs; the entry of a run that was left out is null.
ExperimentValues experiment_values(const Experiment& experiment, const std::vector<Json>& entries);

// Who took the place of each role, in the order of Experiment::roles; empty: nobody. And remarks on
// cells that are empty or incomplete.
struct ExperimentReport {
  std::vector<std::string> models;
  std::vector<std::string> remarks;
};
// Returns the table as Markdown, in the paper's layout: in each cell our value, and in brackets the
// published one and the difference.
std::string experiment_markdown(const Experiment& experiment, const ExperimentValues& values,
                                const ExperimentReport& report);
// Returns the same as a record of docs/schemas/experiment.json.
Json experiment_json(const Experiment& experiment, const ExperimentValues& values,
                     const ExperimentReport& report);

}  // namespace fineprint::bench
