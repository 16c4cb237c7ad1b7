// Configuration files: TOML whose keys are the names of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/settings/option_set.h"

namespace fineprint::settings {

// Texts by key, as flags would have them; not yet checked. `name` stands for the file in messages.
// Options of a pipeline stand in a table of its name, or by their dotted or bare names.
// `other_keys` are let through besides options. Throws Error(usage) naming file, line and key for a
// syntax error, an unknown key, or a key that only makes sense as a flag.
OptionTexts parse_configuration(std::string_view text, const std::string& name,
                                const OptionSet& options,
                                const std::vector<std::string_view>& other_keys = {});

// The tables [[key]] of a TOML text, in their order: texts by key. Throws Error(usage) naming file,
// line and key for a syntax error and for anything else in the text.
std::vector<OptionTexts> parse_rows(std::string_view text, const std::string& name,
                                    const std::string& key);

// The same of a file. Throws Error(unreadable) too.
OptionTexts read_configuration(const std::string& path, const OptionSet& options);

}  // namespace fineprint::settings
