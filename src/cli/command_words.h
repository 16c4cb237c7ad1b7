// What a command line may hold, for those who write it down: shells that complete it, manual pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"

namespace fineprint::cli {

// What a value, or an argument of a command, may be.
struct KnownValue {
  enum class Files { none, any, folders };
  std::vector<std::string> words = {};  // all there are, where `files` is none and there is one
  bool joined = false;                  // several of the words, by commas
  Files files = Files::none;
};

struct Flag {
  const ProgramOption* option = nullptr;
  std::string name = {};    // "--store", or "-k" of an option without a longer name
  std::string brief = {};   // "-s", or empty
  bool repeats = false;     // may be given several times
  bool is_common = false;   // one that most people want; see heading()
  bool takes_value = true;  // false: a switch
};

// Those that the command takes, in the order of help, without --help.
std::vector<Flag> flags_of(const Command& command);

// All that the option is typed as: "--hkrag.iterations" and "--iterations"; "--store" and "-s".
std::vector<std::string> names_of(const ProgramOption& option);

// Of the flag's value.
KnownValue known_value(const ProgramOption& option);
// Of the command's arguments.
KnownValue known_arguments(const Command& command);

// What `fineprint help` can be asked about: commands and topics.
std::vector<std::string> help_subjects();

// The beginning of the option's help that stands by itself, 70 letters at most: for a list.
std::string brief_help(const ProgramOption& option);

}  // namespace fineprint::cli
