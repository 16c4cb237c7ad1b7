// The table of all options: the ones that rooms declare next to their structs, and the program's
// own. Flags, configuration files, environment variables, --help and configs/default.toml all
// derive from it.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/settings/option_set.h"

namespace fineprint::cli {

using settings::OptionSet;
using settings::ProgramOption;
using enum settings::CommandBit;
using settings::kAnsweringCommands;
using settings::kEveryCommand;
using settings::kFetchingCommands;
using settings::kGeneratingCommands;
using settings::kModelCommands;
using settings::kReadingCommands;
using settings::kSearchingCommands;
using settings::kServingCommands;

// Returns the options in the order of --help. The options of pipelines come last.
const OptionSet& options();

// Returns the heading under which --help of the command shows the option. It is kCommonHeading for
// the options that most people need, and for all options of a command that has few; else it is the
// option's section.
inline constexpr std::string_view kCommonHeading = "Common options";
std::string_view heading(const ProgramOption& option, unsigned command);

// Returns the text of configs/default.toml: every key with its meaning and its default.
std::string default_configuration();

}  // namespace fineprint::cli
