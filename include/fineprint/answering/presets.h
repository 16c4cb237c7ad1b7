// Presets: configs/NAME.toml, built into the program. Each names the pipeline that answers and the
// settings that make it the method of a paper, of its authors' code, or our own. A variant
// (configs/variants/NAME.toml) names a preset and what it does otherwise: without a part of the
// method, for ablations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/pipelines/pipeline.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

using settings::OptionSet;
using settings::Settings;

struct Preset {
  std::string name;     // what --pipeline takes
  std::string file;     // "configs/NAME.toml": the origin of its settings
  std::string base;     // of a variant: the preset that it is a variant of
  std::string summary;  // a line for people
  const pipelines::Pipeline* method = nullptr;
  OptionTexts values;  // of options, by full name
};

// Sorted.
std::vector<std::string> preset_names();
std::vector<std::string> variant_names();
// Throws Error(usage): listing the names when there is no such preset, and what parse_preset
// throws.
Preset find_preset(const std::string& name, const OptionSet& options);

// `text` is TOML: the keys `method` (a pipeline), or `base` (a preset), and `summary`, then those
// of options; a bare name is first the method's own. Throws Error(usage) naming file and key: see
// parse_configuration, and for a key that is missing or that a preset can't hold, and for a
// pipeline that does not exist.
Preset parse_preset(const std::string& name, std::string_view text, const OptionSet& options);

// The preset of the pipeline that answers where a generator is named and no pipeline
// (PipelineInfo::default_of_generators).
const std::string& generator_preset();

// Defaults, user file, ./fineprint.toml, --config, environment, `flags`, in this order. For
// commands that answer (bits of CommandBit), a preset lies right above the defaults: that which
// `pipeline` names, or, where none is given but a generator that no scorer asks, generator_preset;
// for `bench` and those that serve, which take several, see settings_of_pipelines. Throws
// Error(usage) naming key and origin, and for a preset that does not exist.
Settings resolve_settings(const OptionTexts& flags, const char* const* environment,
                          unsigned commands, const OptionSet& options);

// Of a command that answers by several pipelines: the settings for each that `pipeline` names,
// separated by ','; or for the one that resolve_settings would take. Each has its preset below what
// was given. Throws Error(usage) for a preset that does not exist, or is named twice.
std::vector<Settings> settings_of_pipelines(const Settings& given);

}  // namespace fineprint::answering
