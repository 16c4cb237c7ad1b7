// Configuration files: TOML whose keys are the names of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.h"

namespace fineprint::cli {

// Texts by key, as flags would have them; not yet checked. `name` stands for the file in messages.
// `other_keys` are let through besides options. Throws Error(usage) naming file, line and key for a
// syntax error, an unknown key, or a key that only makes sense as a flag.
RawValues parse_configuration(std::string_view text, const std::string& name,
                              const std::vector<std::string_view>& other_keys = {});

// The same of a file. Throws Error(unreadable) too.
RawValues read_configuration(const std::string& path);

}  // namespace fineprint::cli
