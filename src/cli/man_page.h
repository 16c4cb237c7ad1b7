// Manual pages, made of the tables of commands and options and of the topics of help.
#pragma once

#include <string>

#include "cli/commands.h"

namespace fineprint::cli {

// fineprint(1): all commands, and what holds for several of them.
std::string program_manual();
// fineprint-COMMAND(1): the command and each of its options.
std::string command_manual(const Command& command);

}  // namespace fineprint::cli
