// Writes manual pages from the tables of commands and options and the topics of help.
#pragma once

#include <string>

#include "cli/commands.h"

namespace fineprint::cli {

// Returns fineprint(1): all commands, and the topics that concern several of them.
std::string program_manual();
// Returns fineprint-COMMAND(1): the command and each of its options.
std::string command_manual(const Command& command);

}  // namespace fineprint::cli
