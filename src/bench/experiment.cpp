// Reads the files of experiments.
#include "fineprint/bench/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

namespace fineprint::bench {
namespace {

// Where a value is, for messages: "configs/experiments/x.toml: row \"Ours\"".
using Place = std::string;

[[noreturn]] void refuse_experiment(const Place& place, const std::string& why) {
  throw Error(ErrorCode::usage, format("{}: {}", place, why));
}

void allow_keys(const Json& table, const std::vector<std::string_view>& known, const Place& place) {
  if (!table.is_object()) refuse_experiment(place, "is not a table");
  for (const auto& [key, value] : table.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    refuse_experiment(
        place, format("there is no key {}; choose one of: {}", key, join_texts(known, ", ")));
  }
}

// Returns the text that a flag would have for this value.
std::string flag_text(const Json& value, const Place& place) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) return number_text(value.get<double>());
  refuse_experiment(place, "expected text, a number, true, false or a list of these");
}

std::vector<std::string> flag_texts(const Json& value, const Place& place) {
  if (!value.is_array()) return {flag_text(value, place)};
  std::vector<std::string> texts;
  for (const Json& one : value) texts.push_back(flag_text(one, place));
  return texts;
}

std::string text_at(const Json& table, const char* key, const Place& place) {
  if (!table.contains(key) || !table.at(key).is_string()) {
    refuse_experiment(place, format("{} = \"...\" is missing", key));
  }
  return table.at(key).get<std::string>();
}

OptionTexts option_texts(const Json& table, const char* key, const Place& place) {
  OptionTexts texts;
  if (!table.contains(key)) return texts;
  if (!table.at(key).is_object()) refuse_experiment(place, format("{} is not a table", key));
  for (const auto& [name, value] : table.at(key).items()) {
    texts[name] = flag_texts(value, format("{}: {}.{}", place, key, name));
  }
  return texts;
}

std::optional<int> decimals_in(const Json& table, const Place& place) {
  if (!table.contains("decimals")) return std::nullopt;
  const Json& decimals = table.at("decimals");
  const bool fits =
      decimals.is_number_integer() && decimals.get<int>() >= 0 && decimals.get<int>() <= 6;
  if (!fits) refuse_experiment(place, "decimals is not a whole number from 0 to 6");
  return decimals.get<int>();
}

// The keys by which a run and its measure are described.
constexpr std::array<const char*, 9> kPlainKeys = {
    "data", "folder", "subset", "all-pool", "pipeline", "measure", "at", "scale", "lacks"};

// What [all], a row or a column says about its cells.
struct Part {
  Place place;
  OptionTexts plain, options, models;
};

Part read_part(const Json& table, const Place& place) {
  Part part = {.place = place,
               .plain = {},
               .options = option_texts(table, "options", place),
               .models = option_texts(table, "models", place)};
  for (const char* key : kPlainKeys) {
    if (table.contains(key)) {
      part.plain[key] = {flag_text(table.at(key), format("{}: {}", place, key))};
    }
  }
  return part;
}

// Lays the values of a row and a column over those for all cells.
OptionTexts joined(const OptionTexts& all, const OptionTexts& row, const OptionTexts& column,
                   const Part& row_part, const Part& column_part) {
  OptionTexts texts = all;
  for (const auto& [key, value] : row) texts[key] = value;
  for (const auto& [key, value] : column) {
    if (row.contains(key)) {
      refuse_experiment(row_part.place, format("{} is also set by {}; leave it out of one", key,
                                               column_part.place));
    }
    texts[key] = value;
  }
  return texts;
}

std::string plain_text(const OptionTexts& plain, const char* key) {
  const auto found = plain.find(key);
  return found == plain.end() ? std::string() : found->second.front();
}

// The keys of bench-run.json under which there are numbers.
constexpr std::array<std::string_view, 13> kMeasured = {
    "questions",     "failed",      "missing", "score",        "totals",     "slices",
    "splits",        "cross_table", "ranking", "judged_pages", "a_question", "published_ranking",
    "first_citation"};

std::vector<std::string> measure_terms(const std::string& measure) {
  std::vector<std::string> terms;
  for (const std::string& term : split_texts(measure, '+')) terms.emplace_back(trim(term));
  return terms;
}

void check_measure(const std::string& measure, const Place& place) {
  const std::vector<std::string> terms = measure_terms(measure);
  if (terms.empty()) refuse_experiment(place, "measure = \"...\" is missing");
  for (const std::string& term : terms) {
    const std::string first = term.substr(0, term.find('.'));
    if (std::ranges::find(kMeasured, first) != kMeasured.end() && !term.ends_with('.')) continue;
    refuse_experiment(place, format("measure: results have no \"{}\"; it begins with one of: {}",
                                    term, join_texts(kMeasured, ", ")));
  }
}

// Returns the text of `key` with the text of `inner` in place of {inner}, so that a row can name a
// part of what a column names.
std::string filled_text(const OptionTexts& plain, const char* key, const char* inner,
                        const Place& place) {
  const std::string mark = format("{{{}}}", inner), value = plain_text(plain, inner);
  std::string text = plain_text(plain, key);
  for (std::size_t i = text.find(mark); i != std::string::npos; i = text.find(mark)) {
    if (value.empty() || value.find(mark) != std::string::npos) {
      refuse_experiment(place, format("{} has {}, but {} = \"...\" is missing", key, mark, inner));
    }
    text.replace(i, mark.size(), value);
  }
  return text;
}

class ExperimentReader {
 public:
  ExperimentReader(std::string file, const Json& toml) : file_(std::move(file)), toml_(toml) {}

  Experiment read(const std::string& name) {
    allow_keys(
        toml_,
        {"title", "paper", "layout", "decimals", "heads", "needs", "roles", "all", "row", "column"},
        file_);
    out_.name = name;
    out_.title = text_at(toml_, "title", file_);
    out_.paper = text_at(toml_, "paper", file_);
    if (toml_.contains("layout")) out_.layout = trim(text_at(toml_, "layout", file_));
    read_heads();
    read_needs();
    read_roles();
    const std::vector<Part> columns = read_lines("column", 1, &out_.columns);
    const std::vector<Part> rows = read_lines("row", out_.heads.size(), &out_.rows);
    read_cells(rows, columns);
    check_roles();
    return std::move(out_);
  }

 private:
  void read_heads() {
    if (!toml_.contains("heads")) refuse_experiment(file_, "heads = [\"...\"] is missing");
    out_.heads = flag_texts(toml_.at("heads"), file_ + ": heads");
    if (const std::optional<int> decimals = decimals_in(toml_, file_)) out_.decimals = *decimals;
  }

  void read_needs() {
    const Place place = file_ + ": [needs]";
    if (!toml_.contains("needs")) refuse_experiment(place, "is missing");
    const Json& needs = toml_.at("needs");
    allow_keys(needs, {"data", "models", "gpu-hours", "reason", "train"}, place);
    out_.needs.data = text_at(needs, "data", place);
    out_.needs.models = text_at(needs, "models", place);
    out_.needs.reason = text_at(needs, "reason", place);
    if (!needs.contains("gpu-hours") || !needs.at("gpu-hours").is_number()) {
      refuse_experiment(place, "gpu-hours = NUMBER is missing");
    }
    out_.needs.gpu_hours = needs.at("gpu-hours").get<double>();
    if (needs.contains("train")) {
      out_.needs.train = flag_texts(needs.at("train"), place + ": train");
    }
  }

  void read_roles() {
    for (const auto& [role, texts] : option_texts(toml_, "roles", file_)) {
      out_.roles.push_back({role, texts.empty() ? "" : texts.front()});
    }
  }

  // Reads the tables [[row]] or [[column]], with `labels` labels each.
  std::vector<Part> read_lines(const char* kind, std::size_t labels,
                               std::vector<ExperimentLine>* lines) {
    if (!toml_.contains(kind) || !toml_.at(kind).is_array() || toml_.at(kind).empty()) {
      refuse_experiment(file_, format("there is no [[{}]]", kind));
    }
    std::vector<Part> parts;
    for (const Json& table : toml_.at(kind)) {
      Place place = format("{}: [[{}]] {}", file_, kind, lines->size() + 1);
      std::vector<std::string_view> known(kPlainKeys.begin(), kPlainKeys.end());
      known.insert(known.end(), {"label", "options", "models", "mean", "improvement"});
      known.push_back(std::string_view(kind) == "row" ? "published" : "decimals");
      allow_keys(table, known, place);
      if (!table.contains("label")) refuse_experiment(place, "label = \"...\" is missing");
      ExperimentLine line;
      line.labels = flag_texts(table.at("label"), place + ": label");
      line.decimals = decimals_in(table, place);
      if (line.labels.size() != labels) {
        refuse_experiment(
            place, format("has {} labels, but there are {} heads", line.labels.size(), labels));
      }
      place = format("{}: {} \"{}\"", file_, kind, name_of(line));
      for (const ExperimentLine& other : *lines) {
        if (name_of(other) == name_of(line)) refuse_experiment(place, "occurs twice");
      }
      lines->push_back(std::move(line));
      parts.push_back(read_part(table, place));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) derive(toml_.at(kind)[i], parts[i], i, lines);
    return parts;
  }

  static std::string name_of(const ExperimentLine& line) { return join_texts(line.labels, " / "); }

  // Reads from which other lines a line comes.
  static void derive(const Json& table, const Part& part, std::size_t index,
                     std::vector<ExperimentLine>* lines) {
    const bool is_mean = table.contains("mean"), is_gain = table.contains("improvement");
    if (!is_mean && !is_gain) return;
    ExperimentLine& line = (*lines)[index];
    line.derived = is_mean ? ExperimentLine::Derived::mean : ExperimentLine::Derived::improvement;
    if (is_mean == is_gain || !part.plain.empty() || !part.options.empty() ||
        !part.models.empty()) {
      refuse_experiment(part.place, "is computed from others and can have no other key");
    }
    for (const std::string& name :
         flag_texts(table.at(is_mean ? "mean" : "improvement"), part.place)) {
      const auto found = std::ranges::find(*lines, name, &ExperimentReader::name_of);
      if (found == lines->end() || found->derived != ExperimentLine::Derived::no) {
        refuse_experiment(part.place, format("\"{}\" is not the label of a measured one", name));
      }
      line.from.push_back(static_cast<std::size_t>(found - lines->begin()));
    }
    if (line.from.empty() || (is_gain && line.from.size() != 2)) {
      refuse_experiment(part.place, is_gain ? "improvement needs two labels: ours and theirs"
                                            : "mean needs at least one label");
    }
  }

  void read_cells(const std::vector<Part>& rows, const std::vector<Part>& columns) {
    const Json none = Json::object();
    const Place place = file_ + ": [all]";
    const Json& all_table = toml_.contains("all") ? toml_.at("all") : none;
    std::vector<std::string_view> known(kPlainKeys.begin(), kPlainKeys.end());
    known.insert(known.end(), {"options", "models"});
    allow_keys(all_table, known, place);
    const Part all = read_part(all_table, place);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out_.cells.emplace_back();
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const bool is_derived = out_.rows[r].derived != ExperimentLine::Derived::no ||
                                out_.columns[c].derived != ExperimentLine::Derived::no;
        out_.cells[r].push_back(is_derived ? ExperimentCell{}
                                           : read_cell(all, rows[r], columns[c]));
      }
      read_published(toml_.at("row")[r], rows[r].place, r);
    }
  }

  ExperimentCell read_cell(const Part& all, const Part& row, const Part& column) {
    const OptionTexts plain = joined(all.plain, row.plain, column.plain, row, column);
    ExperimentCell cell;
    cell.lacks = plain_text(plain, "lacks");
    if (!cell.lacks.empty()) return cell;
    cell.measure = filled_text(plain, "measure", "at", row.place);
    check_measure(cell.measure, row.place);
    if (plain.contains("scale")) cell.scale = real_number(plain_text(plain, "scale"));
    ExperimentRun run = {.dataset = plain_text(plain, "data"),
                         .subset = plain_text(plain, "subset"),
                         .folder = {},
                         .all_pool = plain_text(plain, "all-pool") == "true",
                         .pipeline = plain_text(plain, "pipeline"),
                         .options = joined(all.options, row.options, column.options, row, column),
                         .models = joined(all.models, row.models, column.models, row, column)};
    for (const char* key : {"data", "pipeline"}) {
      if (plain_text(plain, key).empty()) {
        refuse_experiment(row.place, format("{} = \"...\" is missing, here, in {} and in [all]",
                                            key, column.place));
      }
    }
    run.folder = filled_text(plain, "folder", "data", row.place);
    if (run.folder.empty()) run.folder = run.dataset;
    const auto found = std::ranges::find(out_.runs, run);
    cell.run = static_cast<std::size_t>(found - out_.runs.begin());
    if (found == out_.runs.end()) out_.runs.push_back(std::move(run));
    return cell;
  }

  void read_published(const Json& table, const Place& place, std::size_t row) {
    if (!table.contains("published")) return;
    const Json& published = table.at("published");
    if (!published.is_array() || published.size() != out_.columns.size()) {
      refuse_experiment(place,
                        format("published has {} values, but there are {} columns; nan is "
                               "for a cell that the paper leaves empty",
                               published.is_array() ? published.size() : 1, out_.columns.size()));
    }
    for (std::size_t c = 0; c < published.size(); ++c) {
      if (!published[c].is_number()) refuse_experiment(place, "published has no numbers");
      const double value = published[c].get<double>();
      if (!std::isnan(value)) out_.cells[row][c].published = value;
    }
  }

  // A role that no run uses is a mistake, as is one that [roles] does not name.
  void check_roles() {
    std::set<std::string> used;
    for (const ExperimentRun& run : out_.runs) {
      for (const auto& [option, texts] : run.models) {
        for (const std::string& text : texts) used.insert(experiment_role(option, text));
      }
    }
    for (const ExperimentRole& role : out_.roles) {
      if (used.erase(role.name) == 0) {
        refuse_experiment(file_ + ": [roles]", format("no row or column uses {}", role.name));
      }
    }
    if (!used.empty()) {
      refuse_experiment(file_ + ": [roles]", format("{} is missing, which a row or column uses as "
                                                    "a model",
                                                    *used.begin()));
    }
  }

  std::string file_;
  const Json& toml_;
  Experiment out_;
};

}  // namespace

std::string experiment_role(const std::string& option, const std::string& text) {
  return option == "agent-generator" ? text.substr(text.find('=') + 1) : text;
}

Experiment parse_experiment(const std::string& name, const std::string& file, const Json& toml) {
  return ExperimentReader(file, toml).read(name);
}

namespace {

// Returns the value of a key. Names of groups come from the data, and files of one benchmark write
// them with other capitals, so these do not count.
const Json* value_at(const Json& object, const std::string& key) {
  if (!object.is_object()) return nullptr;
  if (const auto found = object.find(key); found != object.end()) return &*found;
  for (const auto& [name, value] : object.items()) {
    if (lower_ascii(name) == lower_ascii(key)) return &value;
  }
  return nullptr;
}

}  // namespace

// A term is followed key by key. A missing one makes the sum empty.
std::optional<double> experiment_measure(const Json& entry, const std::string& measure) {
  double sum = 0;
  for (const std::string& term : measure_terms(measure)) {
    const Json* at = &entry;
    for (const std::string& key : split_texts(term, '.')) {
      at = value_at(*at, key);
      if (at == nullptr) return std::nullopt;
    }
    if (!at->is_number()) return std::nullopt;
    sum += at->get<double>();
  }
  return sum;
}

}  // namespace fineprint::bench
