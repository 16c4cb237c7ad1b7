// Finds presets in the table that is generated from configs/*.toml, and reads them.
#include "cli/presets.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "cli/configuration.h"
#include "cli/options.h"
#include "preset_table.inc"

namespace fineprint::cli {
namespace {

// Takes the one text of a key out of the values.
std::string taken(const char* key, RawValues* values, const std::string& file) {
  const RawValues::node_type found = values->extract(key);
  if (found.empty() || found.mapped().size() != 1 || found.mapped().front().empty()) {
    throw Error(ErrorCode::usage, format("{}: {} = \"...\" is missing", file, key));
  }
  return found.mapped().front();
}

// A preset says how questions are answered; where the program works is for its user to say.
void refuse_foreign_keys(const Preset& preset) {
  for (const auto& [key, texts] : preset.values) {
    const Option& option = *find_option(key);
    if (key == "pipeline" || option.same_answers || !(option.commands & kBatch)) {
      throw Error(ErrorCode::usage, format("{}: {}: a preset can't set this", preset.file, key));
    }
  }
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const EmbeddedPreset& preset : kEmbeddedPresets) names.emplace_back(preset.name);
  std::ranges::sort(names);  // files are sorted with their endings: "a-b.toml" before "a.toml"
  return names;
}

Preset find_preset(const std::string& name) {
  const auto* found = std::ranges::find(kEmbeddedPresets, name, &EmbeddedPreset::name);
  if (found != std::end(kEmbeddedPresets)) return parse_preset(name, found->text);
  std::string names;
  for (const std::string& known : preset_names()) names += (names.empty() ? "" : ", ") + known;
  throw Error(ErrorCode::usage, format("there is no pipeline \"{}\"; there are: {}", name, names));
}

Preset parse_preset(const std::string& name, std::string_view text) {
  Preset preset;
  preset.name = name;
  preset.file = format("configs/{}.toml", name);
  preset.values = parse_configuration(text, preset.file, {"method", "summary"});
  preset.summary = taken("summary", &preset.values, preset.file);
  const std::string method = taken("method", &preset.values, preset.file);
  try {
    preset.method = &pipelines::find(method);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, format("{}: method: {}", preset.file, error.what()));
  }
  refuse_foreign_keys(preset);
  Settings().lay_over(preset.values, preset.file);  // checks types and choices
  return preset;
}

}  // namespace fineprint::cli
