// Presets: configs/NAME.toml, built into the program. Each names the pipeline that answers, and the
// settings of a paper, of its authors' code, or our own. A variant (configs/variants/NAME.toml)
// names a preset and what it changes: it leaves out a part, for ablations.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/pipelines/pipeline.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

using settings::OptionSet;
using settings::Settings;

// What a preset is, without its settings.
struct PresetFacts {
  std::string name;     // what --pipeline takes
  std::string file;     // "configs/NAME.toml": the origin of its settings
  std::string base;     // of a variant: the preset that it changes
  std::string summary;  // one line for people
  const pipelines::Pipeline* method = nullptr;
};

// A preset with its own and its inherited settings.
struct Preset : PresetFacts {
  OptionTexts values;  // settings of options, by full name
};

// Return the names of all presets, and of all variants, sorted.
std::vector<std::string> preset_names();
std::vector<std::string> variant_names();
// Throws Error(usage) that lists the names if no preset or variant has this name. Parses nothing,
// so that a server can check the name in every request.
void check_preset_name(const std::string& name);
// Returns the preset or variant of this name. Throws the error of check_preset_name, and the errors
// of parse_preset.
Preset find_preset(const std::string& name, const OptionSet& options);
// Returns the same without the settings. Parses the preset only if find_preset has not done so in
// this process. Thread-safe.
PresetFacts preset_facts(const std::string& name, const OptionSet& options);

// Parses a preset. `text` is TOML with the keys `method` (a pipeline) or `base` (a preset), and
// `summary`, followed by options. A bare name that is not an option of the program means the
// pipeline's own option. Throws Error(usage) naming file and key: as parse_configuration, if a key
// is missing or may not be in a preset, and if the pipeline does not exist.
Preset parse_preset(const std::string& name, std::string_view text, const OptionSet& options);

// Returns the preset that answers if a generator is named but no pipeline
// (PipelineInfo::default_of_generators, or default_of_small_generators if `is_small`).
const std::string& generator_preset(bool is_small = false);

// Returns whether the generator of a SPEC is too small for pipelines of many steps. Loads no
// weights.
using SmallGenerator = std::function<bool(const std::string& spec)>;

// Returns settings by precedence, lowest first: defaults, user file, ./fineprint.toml, --config,
// environment, `flags`. For commands that answer (bits of CommandBit), a preset comes directly
// after the defaults: the one that `pipeline` names, or generator_preset() if no pipeline is named
// but a generator that no scorer asks; `is_small` judges its size, and without it no generator is
// small. `bench` and the serving commands take several presets; see
// settings_of_pipelines. Throws Error(usage) naming key and origin, and if a preset does not exist.
Settings resolve_settings(const OptionTexts& flags, const char* const* environment,
                          unsigned commands, const OptionSet& options,
                          const SmallGenerator& is_small = {});

// Returns the settings for answering by another preset: `settings` with that preset in place of the
// one that they name. What users give overrides both, except for the options `without`. Throws
// Error(usage) if there is no such preset.
Settings settings_of_other(const Settings& settings, const std::string& name,
                           std::span<const std::string> without = {});

// For a command that answers by several pipelines, returns the settings of each preset in
// `pipeline`, separated by ',', or of the one that resolve_settings would choose. Each has its
// preset below the given settings. Throws Error(usage) if a preset does not exist or is named
// twice.
std::vector<Settings> settings_of_pipelines(const Settings& given);

}  // namespace fineprint::answering
