// Parses the command line into a command and its options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/option.h"

#include "cli/commands.h"

namespace fineprint::cli {

// What was typed: option values by option name, positional arguments, and the command.
struct Typed {
  OptionTexts values;  // by full or bare name
  std::vector<std::string> arguments;
  const Command* command = nullptr;
};

// Parses the words of a command line. If they ask for nothing to be run (--help, help, --version,
// --print-defaults, or no command), prints what they ask for and returns the exit code. If words
// are wrong, prints them on stderr with what may have been meant, and returns the exit code of
// wrong usage. Returns nullopt if the command is to be run.
std::optional<int> read_command_line(std::vector<std::string> words, Typed* typed);

}  // namespace fineprint::cli
