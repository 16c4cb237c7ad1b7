// `fineprint pipelines`: lists the pipelines and what each one needs.
#include <algorithm>
#include <string_view>

#include "fineprint/answering/method_options.h"
#include "fineprint/answering/presets.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/pipelines/pipeline.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

namespace fineprint::cli {
namespace {

struct Row {
  answering::Preset preset;
  std::vector<std::string> scorers;  // the store must have what these need
  std::vector<std::string> agents;   // that it asks
};

Row row_of(const std::string& name, const OptionSet& options) {
  Row row{.preset = answering::find_preset(name, options), .scorers = {}, .agents = {}};
  Settings settings(options);
  settings.lay_over(row.preset.values, row.preset.file);
  if (row.preset.method->info.searches) row.scorers = settings.list("scorer");
  row.agents = pipelines::asked_agents(
      *row.preset.method, answering::pipeline_options(settings, row.preset.method->info.name));
  return row;
}

// Returns whether pages are found by the vectors of an encoder that `index` does not use by
// default.
bool needs_encoder(const Row& row) {
  return std::ranges::any_of(row.scorers, [](const std::string& scorer) {
    const std::string name = scorer.substr(0, scorer.find(':'));
    return name != "bm25" && name != "text";
  });
}

// The commands that a user needs if the store lacks the vectors of a pipeline.
constexpr std::string_view kIndexRemedy = "fineprint index PATH... --store DIR --retriever MODEL";
constexpr std::string_view kWordsRemedy = "--scorer bm25,text";

const char* map_text(const pipelines::PipelineInfo& info) { return info.maps ? "needed" : "-"; }

void print_json(const Row& row) {
  const pipelines::PipelineInfo& info = row.preset.method->info;
  print_line(dump_json({{"name", row.preset.name},
                        {"base", row.preset.base.empty() ? Json() : Json(row.preset.base)},
                        {"summary", row.preset.summary},
                        {"method", info.name},
                        {"scorers", row.scorers},
                        {"needs", info.needs},
                        {"encoder", needs_encoder(row)},
                        {"map", map_text(info)},
                        {"generator", info.generates},
                        {"calls_per_question", info.calls_per_question},
                        {"agents", row.agents}}));
}

// One block for each preset: what it does, what it needs, and what it costs.
void print_for_people(const Row& row) {
  const pipelines::PipelineInfo& info = row.preset.method->info;
  const std::string scorers = join_texts(row.scorers, ", ");
  print_line(format("{:<15} {}", row.preset.name, row.preset.summary));
  print_line(format("{:<15} scorers: {}; map: {}; generator: {}; calls a question: {}", "",
                    scorers.empty() ? "-" : scorers, map_text(info), info.generates ? "yes" : "no",
                    info.calls_per_question));
  if (info.generates) {
    print_line(format("{:<15} agents: {}", "", join_texts(row.agents, ", ")));
  }
  print_line(format("{:<15} needs: {}", "", info.needs));
  if (needs_encoder(row)) {
    print_line(format("{:<15} vectors of the encoder: `{}`; without an encoder: {}", "",
                      kIndexRemedy, kWordsRemedy));
  }
}

void print_variant_for_people(const Row& row) {
  print_line(format("  {:<29} {}", row.preset.name, row.preset.summary));
}

}  // namespace

int run_pipelines(const Settings& settings) {
  const bool json = settings.flag("json");
  for (const std::string& name : answering::preset_names()) {
    const Row row = row_of(name, settings.options());
    json ? print_json(row) : print_for_people(row);
  }
  if (!json) print_line("\nvariants, for ablations (--pipeline accepts them, too):");
  for (const std::string& name : answering::variant_names()) {
    const Row row = row_of(name, settings.options());
    json ? print_json(row) : print_variant_for_people(row);
  }
  return 0;
}

}  // namespace fineprint::cli
