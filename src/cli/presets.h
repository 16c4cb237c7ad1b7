// Presets: configs/NAME.toml, built into the program. Each names the pipeline that answers and the
// settings that make it the method of a paper, of its authors' code, or our own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/pipelines/pipeline.h"

#include "cli/settings.h"

namespace fineprint::cli {

struct Preset {
  std::string name;     // what --pipeline takes
  std::string file;     // "configs/NAME.toml": the origin of its settings
  std::string summary;  // a line for people
  const pipelines::Pipeline* method = nullptr;
  RawValues values;  // of options, by name
};

// Sorted.
std::vector<std::string> preset_names();
// Throws Error(usage): listing the names when there is no such preset, and what parse_preset
// throws.
Preset find_preset(const std::string& name);

// `text` is TOML: the keys `method` (a pipeline) and `summary`, then those of options. Throws
// Error(usage) naming file and key: see parse_configuration, and for a key that is missing or that
// a preset can't hold, and for a pipeline that does not exist.
Preset parse_preset(const std::string& name, std::string_view text);

}  // namespace fineprint::cli
