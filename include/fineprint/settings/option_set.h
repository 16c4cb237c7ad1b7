// All options of the program, by the names that people give them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::settings {

// Commands that an option belongs to, as a set of bits.
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
};
inline constexpr unsigned kEveryCommand = ~0u;
// Those that stay, and answer whoever asks them.
inline constexpr unsigned kServingCommands = kServe | kMcp;
inline constexpr unsigned kReadingCommands = kIndex | kWatch | kAsk | kSearch | kBench | kServe;
inline constexpr unsigned kAnsweringCommands = kAsk | kBatch | kBench | kServingCommands;
inline constexpr unsigned kSearchingCommands = kSearch | kAnsweringCommands;
inline constexpr unsigned kGeneratingCommands = kGenerate | kSearchingCommands;
// Those that run a network.
inline constexpr unsigned kModelCommands =
    kIndex | kWatch | kSearchingCommands | kGenerate | kEmbed | kVerify | kDoctor | kTrain | kRead;

// An option, and the commands that take it.
struct ProgramOption : Option {
  unsigned commands = kEveryCommand;
  std::string section = {};  // what it is about: the heading that help may show it under
  std::string flag = {};     // typed as --FLAG where another option has that name elsewhere
  unsigned several = 0;      // commands that take the flag several times; ',' joins its texts
};

// Options of pipelines are named NAME.OPTION. The bare OPTION stands for the full name while one
// pipeline has it and the program has none of that name.
class OptionSet {
 public:
  // The section of the options that are added from now on.
  void begin_section(std::string_view heading) { section_ = heading; }

  // Adds the options of a table, for these commands; `exceptions` are those of single options.
  // `prefix` is a pipeline's name, or empty. Throws Error(internal) for a name that is there.
  void add(const std::vector<Option>& options, unsigned commands,
           const std::map<std::string_view, unsigned>& exceptions = {},
           std::string_view prefix = {});

  void add(ProgramOption option);

  // In the order in which they were added.
  const std::vector<ProgramOption>& all() const { return options_; }
  // By its full name; nullptr when there is none.
  const ProgramOption* find(std::string_view name) const;
  // By its full or bare name; nullptr when there is none. Throws Error(usage), beginning with
  // `origin`, when the bare name stands for several, naming them.
  const ProgramOption* find_given(std::string_view name, const std::string& origin) const;
  // Whether it is the full or bare name of some option, or of several.
  bool knows(std::string_view name) const;
  // Whether it is the full name of an option, or the bare name of one alone.
  bool names_one(std::string_view name) const;
  // Whether some option's full name begins with "PREFIX.".
  bool has_prefix(std::string_view prefix) const;
  // The bare names of options of pipelines, but those that are an option's full name.
  std::vector<std::string> bare_names() const;

 private:
  std::string section_;
  std::vector<ProgramOption> options_;
  std::map<std::string, std::size_t, std::less<>> place_;              // by full name
  std::map<std::string, std::vector<std::size_t>, std::less<>> bare_;  // by bare name
};

// "steps" of "paper.steps"; the name itself when it has no prefix.
std::string_view bare_name(std::string_view name);
// "FINEPRINT_PAPER_STEPS" of "paper.steps".
std::string variable_of(std::string_view name);

// A configuration file with every key that a file may hold, its meaning and its default, behind
// `head`: configs/default.toml.
std::string default_configuration(const OptionSet& options, std::string_view head);

}  // namespace fineprint::settings
