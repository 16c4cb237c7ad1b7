// `fineprint bench --experiment`: the runs of a paper's table, and the table with the published
// numbers.
#include "cli/commands/run_experiment.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fineprint/bench/experiment.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"

#include "cli/bench_runs.h"
#include "cli/experiment_runs.h"
#include "cli/output.h"

namespace fineprint::cli {
namespace {

Json needs_record(const bench::Experiment& experiment) {
  Json roles = Json::array();
  for (const bench::ExperimentRole& role : experiment.roles) {
    roles.push_back({{"role", role.name}, {"published", role.published}});
  }
  return {{"schema", "fineprint.experiment-needs/1"},
          {"experiment", experiment.name},
          {"title", experiment.title},
          {"paper", experiment.paper},
          {"runs", experiment.runs.size()},
          {"data", experiment.needs.data},
          {"models", experiment.needs.models},
          {"roles", std::move(roles)},
          {"gpu_hours", experiment.needs.gpu_hours},
          {"reason", experiment.needs.reason},
          {"train", experiment.needs.train}};
}

std::string needs_text(const bench::Experiment& experiment) {
  const bench::ExperimentNeeds& needs = experiment.needs;
  std::string text =
      format("{}: {} ({})\n  runs: {}\n  data: {}\n  models: {}\n", experiment.name,
             experiment.title, experiment.paper, experiment.runs.size(), needs.data, needs.models);
  for (const bench::ExperimentRole& role : experiment.roles) {
    text += format("    --model {}=MODEL  {}\n", role.name, role.published);
  }
  text += format("  GPU hours: about {}: {}\n", number_text(needs.gpu_hours), needs.reason);
  for (const std::string& command : needs.train) text += format("  first: {}\n", command);
  return text;
}

// Returns everything that is missing, each once, in the order of the runs.
std::vector<std::string> all_missing(const std::vector<PreparedRun>& runs) {
  std::vector<std::string> all;
  for (const PreparedRun& run : runs) {
    for (const std::string& one : run.missing) {
      if (std::ranges::find(all, one) == all.end()) all.push_back(one);
    }
  }
  return all;
}

void refuse_missing(const std::vector<PreparedRun>& runs) {
  const std::vector<std::string> missing = all_missing(runs);
  if (missing.empty()) return;
  throw Error(
      ErrorCode::usage,
      format("the experiment lacks {} of its needs: {}; with --partial, the cells that need "
             "none of them are filled",
             missing.size(), join_texts(missing, "; ")));
}

void check_runs(const std::vector<PreparedRun>& runs, const std::string& origin) {
  for (const PreparedRun& run : runs) {
    if (!run.missing.empty()) continue;
    try {
      check_bench_run(run.settings);
    } catch (const Error& error) {
      throw Error(error.code(), format("{}: {}: {}", origin, run.label, error.what()));
    }
  }
}

// The run's entry in its results.json.
Json entry_of(const PreparedRun& run) {
  const std::string file = run.folder + "/results.json";
  return parse_json(read_file(file), file).at("runs").at(0);
}

// Returns what kept a run from being complete, if anything did.
std::string incomplete_text(const PreparedRun& run, const Json& entry) {
  const auto count =
      entry.at("failed").get<std::int64_t>() + entry.at("missing").get<std::int64_t>();
  return count == 0 ? format("{}: not all documents could be read", run.label)
                    : format(
                          "{}: {} questions have an error or no answer and count as wrong; "
                          "--retry-failed asks them again",
                          run.label, count);
}

// Says of each cell that could be filled but is not why it is empty, each reason once.
void add_empty_cells(const bench::Experiment& experiment, const std::vector<PreparedRun>& runs,
                     const std::vector<Json>& entries, std::vector<std::string>* remarks) {
  std::set<std::string> said(remarks->begin(), remarks->end());
  const auto add = [&](const std::string& remark) {
    if (said.insert(remark).second) remarks->push_back(remark);
  };
  for (std::size_t r = 0; r < experiment.rows.size(); ++r) {
    const std::string row = join_texts(experiment.rows[r].labels, " / ");
    for (const bench::ExperimentCell& cell : experiment.cells[r]) {
      if (!cell.lacks.empty()) add(format("{}: {}", row, cell.lacks));
      if (!cell.run || entries[*cell.run].is_null()) continue;
      if (bench::experiment_measure(entries[*cell.run], cell.measure)) continue;
      add(format("{}: the results of {} have no {}", row, runs[*cell.run].label, cell.measure));
    }
  }
  for (const std::string& one : all_missing(runs)) add("not run: " + one);
}

// Returns whether a run that was carried out lacks a measure of the table.
bool lacks_measure(const bench::Experiment& experiment, const std::vector<Json>& entries) {
  for (const std::vector<bench::ExperimentCell>& row : experiment.cells) {
    for (const bench::ExperimentCell& cell : row) {
      if (!cell.run || entries[*cell.run].is_null()) continue;
      if (!bench::experiment_measure(entries[*cell.run], cell.measure)) return true;
    }
  }
  return false;
}

}  // namespace

int list_experiments(const Settings& settings) {
  for (const std::string& name : experiment_names()) {
    const bench::Experiment experiment = load_experiment(name);
    if (settings.flag("json")) {
      print_line(dump_json(needs_record(experiment)));
    } else {
      print_piece(needs_text(experiment));
    }
  }
  return 0;
}

// Everything that can be refused is refused before the first run begins, because runs take days.
int run_experiment(const Settings& settings) {
  const std::string& name = settings.text("experiment");
  const bench::Experiment experiment = load_experiment(name);
  const std::string origin = experiment_origin(name);
  for (const char* needed : {"data", "out"}) {
    if (!settings.text(needed).empty()) continue;
    throw Error(ErrorCode::usage, format("--{} FOLDER is missing; --experiment needs it", needed));
  }
  const std::vector<PreparedRun> runs = prepare_runs(experiment, origin, settings);
  if (!settings.flag("partial")) refuse_missing(runs);
  check_runs(runs, origin);
  bench::ExperimentReport report = {.models = role_models(experiment, settings).specs,
                                    .remarks = {}};
  std::vector<Json> entries(runs.size());
  bool complete = true;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].missing.empty()) continue;
    log::note("run {} of {}, {}:", i + 1, runs.size(), runs[i].label);
    make_folders(std::filesystem::path(runs[i].settings.text("store")).parent_path().string());
    const int code = bench_once(runs[i].settings, false);
    entries[i] = entry_of(runs[i]);
    if (code != 0) report.remarks.push_back(incomplete_text(runs[i], entries[i]));
    complete = complete && code == 0;
  }
  add_empty_cells(experiment, runs, entries, &report.remarks);
  const bench::ExperimentValues values = bench::experiment_values(experiment, entries);
  const std::string table = bench::experiment_markdown(experiment, values, report);
  make_folders(settings.text("out"));
  write_file_atomic(settings.text("out") + "/" + experiment.name + ".md", table);
  if (settings.flag("json")) {
    print_line(dump_json(bench::experiment_json(experiment, values, report)));
  } else {
    print_piece(table);
  }
  return complete && !lacks_measure(experiment, entries) ? 0 : 1;
}

}  // namespace fineprint::cli
