// Every option of the program: those that the rooms declare beside their structs, and the program's
// own. Flags, configuration files, environment, --help and configs/default.toml are all made of
// them.
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
using settings::kGeneratingCommands;
using settings::kModelCommands;
using settings::kReadingCommands;
using settings::kSearchingCommands;
using settings::kServingCommands;

// In the order that --help shows them, those of pipelines last.
const OptionSet& options();

// What --help of a command shows the option under: kCommonHeading for those that most people want,
// and for all of a command that has few; else its section.
inline constexpr std::string_view kCommonHeading = "Common options";
std::string_view heading(const ProgramOption& option, unsigned command);

// configs/default.toml as it must read: every key, its meaning, its default.
std::string default_configuration();

}  // namespace fineprint::cli
