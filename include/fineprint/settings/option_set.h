// All options of the program, by the names that people use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::settings {

// The commands that an option belongs to, as a set of bits.
enum CommandBit : unsigned {
  kIndex = 1u << 0,
  kSearch = 1u << 1,
  kAsk = 1u << 2,
  kBatch = 1u << 3,
  kMerge = 1u << 4,
  kEval = 1u << 5,
  kPipelines = 1u << 6,
  kDoctor = 1u << 7,
  kGenerate = 1u << 8,
  kEmbed = 1u << 9,
  kModels = 1u << 10,
  kVerify = 1u << 11,
  kMap = 1u << 12,
  kStores = 1u << 13,
  kBench = 1u << 14,
  kReport = 1u << 15,
  kShow = 1u << 16,
  kTrain = 1u << 17,
  kRead = 1u << 18,
  kList = 1u << 19,
  kRemove = 1u << 20,
  kExport = 1u << 21,
  kWatch = 1u << 22,
  kServe = 1u << 23,
  kMcp = 1u << 24,
  kTable = 1u << 25,
  kChat = 1u << 26,
  kTrust = 1u << 27,
};
inline constexpr unsigned kEveryCommand = ~0u;
// Commands that keep running and answer requests.
inline constexpr unsigned kServingCommands = kServe | kMcp;
// Commands that read documents, answer questions, search, or use a generator.
inline constexpr unsigned kReadingCommands =
    kIndex | kWatch | kAsk | kChat | kSearch | kTable | kBench | kServingCommands;
// Commands whose paths may be addresses of documents elsewhere.
inline constexpr unsigned kFetchingCommands = kIndex | kAsk | kChat | kSearch | kTable | kMcp;
inline constexpr unsigned kAnsweringCommands =
    kAsk | kChat | kBatch | kTable | kBench | kServingCommands;
inline constexpr unsigned kSearchingCommands = kSearch | kAnsweringCommands;
inline constexpr unsigned kGeneratingCommands = kGenerate | kSearchingCommands;
// Commands that run a network.
inline constexpr unsigned kModelCommands =
    kIndex | kWatch | kSearchingCommands | kGenerate | kEmbed | kVerify | kDoctor | kTrain | kRead;

// Returns what a value of an option does that only the user may ask for, and not a file that came
// with a folder: for example "starts this program". nullopt: nothing.
using Risk = std::optional<std::string> (*)(const std::string& text);

// An option and the commands that accept it.
struct ProgramOption : Option {
  unsigned commands = kEveryCommand;
  std::string section = {};  // the heading under which help shows it
  std::string flag = {};     // typed as --FLAG, if another option uses this name in other commands
  unsigned several = 0;      // commands in which the flag may be repeated; ',' joins its texts
  Risk risk = nullptr;       // nullptr: no value has any
};

// The set of options. Options of pipelines are named NAME.OPTION, for example "paper.steps".
// The bare name OPTION means the same if only one pipeline has it and the program has no option of
// that name.
class OptionSet {
 public:
  // Sets the section of the options that are added after this call.
  void begin_section(std::string_view heading) { section_ = heading; }

  // Adds the options of a table for these commands. `exceptions` gives other commands for single
  // options. `prefix` is a pipeline's name, or empty. Throws Error(internal) if a name is in use.
  void add(const std::vector<Option>& options, unsigned commands,
           const std::map<std::string_view, unsigned>& exceptions = {},
           std::string_view prefix = {});

  // Adds one option to the current section. Throws Error(internal) if its name is in use.
  void add(ProgramOption option);

  // Sets the risk of an option. Throws Error(internal) if no option has this full name.
  void guard(std::string_view name, Risk risk);

  // Returns all options in the order in which they were added.
  const std::vector<ProgramOption>& all() const { return options_; }
  // Returns the option with this full name; nullptr if there is none.
  const ProgramOption* find(std::string_view name) const;
  // Returns the option with this full or bare name; nullptr if there is none. Throws Error(usage),
  // with `origin` first, if several options have the bare name; the message lists them.
  const ProgramOption* find_given(std::string_view name, const std::string& origin) const;
  // Returns true if at least one option has this full or bare name.
  bool knows(std::string_view name) const;
  // Returns true if it is the full name of an option, or the bare name of exactly one.
  bool names_one(std::string_view name) const;
  // Returns true if the full name of an option begins with "PREFIX.".
  bool has_prefix(std::string_view prefix) const;
  // Returns the bare names of the pipelines' options, except names that are also full names.
  std::vector<std::string> bare_names() const;

 private:
  std::string section_;
  std::vector<ProgramOption> options_;
  std::map<std::string, std::size_t, std::less<>> place_;              // by full name
  std::map<std::string, std::vector<std::size_t>, std::less<>> bare_;  // by bare name
};

// Returns "steps" for "paper.steps"; the name itself if it has no prefix.
std::string_view bare_name(std::string_view name);
// Returns "FINEPRINT_PAPER_STEPS" for "paper.steps".
std::string variable_of(std::string_view name);

// Returns a configuration file that begins with `head` and has every key that a file may contain,
// with its meaning and default: configs/default.toml.
std::string default_configuration(const OptionSet& options, std::string_view head);

}  // namespace fineprint::settings
