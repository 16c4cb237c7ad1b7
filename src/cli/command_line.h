// The command line: which command is meant, and what was typed behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/option.h"

#include "cli/commands.h"

namespace fineprint::cli {

// What was typed: texts by option name, positional arguments, and the command.
struct Typed {
  OptionTexts values;  // by full or bare name
  std::vector<std::string> arguments;
  const Command* command = nullptr;
};

// Takes the words of a command line apart. Where it asks for nothing to be run (--help, help,
// --version, --print-defaults, or no command), what it asks for is printed, and the exit code is
// given. Words that are not understood are named on stderr, with what they may have been meant to
// be, and the exit code is that of wrong usage.
std::optional<int> read_command_line(std::vector<std::string> words, Typed* typed);

}  // namespace fineprint::cli
