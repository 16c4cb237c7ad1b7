// Computes and writes the tables of experiments.
#include "fineprint/bench/experiment.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::bench {
namespace {

using Derived = ExperimentLine::Derived;

// Returns the value of a derived cell from the cells that it is computed from; empty if one of them
// is.
std::optional<double> derived_value(Derived how, const std::vector<std::optional<double>>& from) {
  double sum = 0;
  for (const std::optional<double>& value : from) {
    if (!value) return std::nullopt;
    sum += *value;
  }
  if (how == Derived::mean) return sum / static_cast<double>(from.size());
  if (*from[1] == 0) return std::nullopt;
  return 100 * (*from[0] / *from[1] - 1);
}

std::string fixed_text(double value, int decimals, bool with_sign) {
  return format(format("{{:{}.{}f}}", with_sign ? "+" : "", decimals), value);
}

// Improvements are per cents, to one decimal as papers print them.
int decimals_of(const Experiment& experiment, std::size_t row, std::size_t column) {
  const bool is_gain = experiment.rows[row].derived == Derived::improvement ||
                       experiment.columns[column].derived == Derived::improvement;
  return is_gain ? 1 : experiment.columns[column].decimals.value_or(experiment.decimals);
}

// A dash marks what was not measured, as in other results.
std::string table_cell(std::optional<double> ours, std::optional<double> published, int decimals) {
  const std::string text = ours ? fixed_text(*ours, decimals, false) : "-";
  if (!published) return text;
  const std::string theirs = fixed_text(*published, decimals, false);
  if (!ours) return format("{} ({})", text, theirs);
  return format("{} ({}, {})", text, theirs, fixed_text(*ours - *published, decimals, true));
}

// A pipe would end the cell.
std::string label_cell(const std::string& label) {
  std::string safe;
  for (const char c : label) {
    if (c == '|') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string table_text(const Experiment& experiment, const ExperimentValues& values) {
  std::string text = "|", rule = "|";
  for (const std::string& head : experiment.heads) {
    text += format(" {} |", label_cell(head));
    rule += "---|";
  }
  for (const ExperimentLine& column : experiment.columns) {
    text += format(" {} |", label_cell(column.labels.front()));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (std::size_t r = 0; r < experiment.rows.size(); ++r) {
    text += "|";
    for (const std::string& label : experiment.rows[r].labels) {
      text += format(" {} |", label_cell(label));
    }
    for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
      text += format(" {} |", table_cell(values[r][c], experiment.cells[r][c].published,
                                         decimals_of(experiment, r, c)));
    }
    text += "\n";
  }
  return text;
}

Json value_json(std::optional<double> value) { return value ? Json(*value) : Json(); }

}  // namespace

// Columns are derived first, so that a derived row has a value in derived columns, too.
ExperimentValues experiment_values(const Experiment& experiment, const std::vector<Json>& entries) {
  ExperimentValues values(experiment.rows.size());
  for (std::size_t r = 0; r < experiment.rows.size(); ++r) {
    for (const ExperimentCell& cell : experiment.cells[r]) {
      std::optional<double> value;
      if (cell.run) value = experiment_measure(entries[*cell.run], cell.measure);
      if (value) *value *= cell.scale;
      values[r].push_back(value);
    }
    for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
      const ExperimentLine& column = experiment.columns[c];
      if (column.derived == Derived::no) continue;
      std::vector<std::optional<double>> from;
      for (const std::size_t other : column.from) from.push_back(values[r][other]);
      values[r][c] = derived_value(column.derived, from);
    }
  }
  for (std::size_t r = 0; r < experiment.rows.size(); ++r) {
    const ExperimentLine& row = experiment.rows[r];
    if (row.derived == Derived::no) continue;
    for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
      std::vector<std::optional<double>> from;
      for (const std::size_t other : row.from) from.push_back(values[other][c]);
      values[r][c] = derived_value(row.derived, from);
    }
  }
  return values;
}

std::string experiment_markdown(const Experiment& experiment, const ExperimentValues& values,
                                const ExperimentReport& report) {
  std::string text = format("# {}\n\n{}. Each cell: ours (published, difference).\n\n",
                            experiment.title, experiment.paper);
  text += table_text(experiment, values);
  if (!experiment.layout.empty()) text += format("\n{}\n", experiment.layout);
  if (!experiment.roles.empty()) text += "\n| role | in the paper | here |\n|---|---|---|\n";
  for (std::size_t i = 0; i < experiment.roles.size(); ++i) {
    const std::string& here = report.models[i];
    text +=
        format("| {} | {} | {} |\n", label_cell(experiment.roles[i].name),
               label_cell(experiment.roles[i].published), here.empty() ? "-" : label_cell(here));
  }
  if (!report.remarks.empty()) text += "\n";
  for (const std::string& remark : report.remarks) text += format("- {}\n", remark);
  return text;
}

Json experiment_json(const Experiment& experiment, const ExperimentValues& values,
                     const ExperimentReport& report) {
  Json out = {{"schema", "fineprint.experiment/1"},
              {"experiment", experiment.name},
              {"title", experiment.title},
              {"paper", experiment.paper},
              {"heads", experiment.heads},
              {"columns", Json::array()},
              {"rows", Json::array()},
              {"roles", Json::array()},
              {"remarks", report.remarks}};
  for (const ExperimentLine& column : experiment.columns) {
    out["columns"].push_back(column.labels.front());
  }
  for (std::size_t r = 0; r < experiment.rows.size(); ++r) {
    Json cells = Json::array();
    for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
      const std::optional<double>&ours = values[r][c], &theirs = experiment.cells[r][c].published;
      cells.push_back({{"value", value_json(ours)},
                       {"published", value_json(theirs)},
                       {"difference", ours && theirs ? Json(*ours - *theirs) : Json()}});
    }
    out["rows"].push_back({{"labels", experiment.rows[r].labels}, {"cells", std::move(cells)}});
  }
  for (std::size_t i = 0; i < experiment.roles.size(); ++i) {
    out["roles"].push_back({{"role", experiment.roles[i].name},
                            {"published", experiment.roles[i].published},
                            {"model", report.models[i]}});
  }
  return out;
}

}  // namespace fineprint::bench
