// Lists what a command line may contain, for shell completion and manual pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"

namespace fineprint::cli {

// The possible values of an option or of a command's arguments.
struct KnownValue {
  enum class Files { none, any, folders };
  // The complete list of values if `files` is none and the list is not empty.
  std::vector<std::string> words = {};
  bool joined = false;  // several of the words may be given, separated by commas
  Files files = Files::none;
};

struct Flag {
  const ProgramOption* option = nullptr;
  std::string name = {};    // "--store", or "-k" if the option has no longer name
  std::string brief = {};   // "-s", or empty
  bool repeats = false;     // may be given several times
  bool is_common = false;   // shown under kCommonHeading; see heading()
  bool takes_value = true;  // false: a switch
};

// Returns the flags of the command in the order of its help, without --help.
std::vector<Flag> flags_of(const Command& command);

// Returns all flags that set the option, for example "--hkrag.iterations" and "--iterations", or
// "--store" and "-s".
std::vector<std::string> names_of(const ProgramOption& option);

// Returns the values that the option may have.
KnownValue known_value(const ProgramOption& option);
// Returns the values that the command's arguments may have.
KnownValue known_arguments(const Command& command);

// Returns the subjects of `fineprint help`: commands and topics.
std::vector<std::string> help_subjects();

// Returns the first clause of the option's help, at most 70 characters, for a list of options.
std::string brief_help(const ProgramOption& option);

}  // namespace fineprint::cli
