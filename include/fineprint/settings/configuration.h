// Reads configuration files: TOML whose keys are the names of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json_fwd.h"
#include "fineprint/core/option.h"
#include "fineprint/settings/option_set.h"

namespace fineprint::settings {

// Returns the values by key, as texts that a flag would take; they are not checked yet. `name` is
// the file's name in error messages. Options of a pipeline may be in a table of its name, or have
// dotted or bare names. For example, "[paper]\nsteps = 3" sets paper.steps. Keys in
// `other_keys` are accepted besides options. Throws Error(usage) with the file, line and key for a
// syntax error, an unknown key, or a key that can only be a flag.
OptionTexts parse_configuration(std::string_view text, const std::string& name,
                                const OptionSet& options,
                                const std::vector<std::string_view>& other_keys = {});

// Returns the tables [[key]] of a TOML text in order, each as texts by field. Throws Error(usage)
// with the file, line and key for a syntax error and for anything else in the text.
std::vector<OptionTexts> parse_rows(std::string_view text, const std::string& name,
                                    const std::string& key);

// Returns a TOML text as JSON: tables as objects, nan as a number that is NaN. Throws Error(usage)
// with the file and line for a syntax error, a date or a time, and if the text is too long.
Json parse_toml(std::string_view text, const std::string& name);

// Reads and parses a file. Throws Error(unreadable) if the file cannot be read.
OptionTexts read_configuration(const std::string& path, const OptionSet& options);

}  // namespace fineprint::settings
