// Every option of the program, one record each: flags, configuration files, environment, --help
// and configs/default.toml are all made from these records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::cli {

// `bytes`: "500000000", "500MB", "2GiB".
enum class OptionType { boolean, integer, real, text, list, bytes };

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
};
inline constexpr unsigned kEveryCommand = ~0u;
inline constexpr unsigned kReadingCommands = kIndex | kAsk;
inline constexpr unsigned kAnsweringCommands = kAsk | kBatch;
inline constexpr unsigned kGeneratingCommands = kGenerate | kAnsweringCommands;
inline constexpr unsigned kSearchingCommands = kSearch | kAsk | kBatch;
// Those that run a network.
inline constexpr unsigned kModelCommands =
    kIndex | kSearchingCommands | kGenerate | kEmbed | kVerify | kDoctor;

struct Option {
  std::string_view name;   // "--name", the key in files, FINEPRINT_NAME in the environment
  std::string_view brief;  // one-letter flag, or empty
  OptionType type = OptionType::text;
  std::string_view value;  // what --help shows for the value, "DIR"
  // The default, as text; lists are joined by ','. A number whose default is empty may stay unset.
  std::string_view initial;
  std::string_view choices;  // allowed texts joined by '|', or empty
  unsigned commands = kEveryCommand;
  bool flag_only = false;  // makes no sense in a file or the environment (--out, --questions)
  std::string_view help;
  // Says where, how fast or how loudly a run works and never what is answered. Two runs must share
  // all other options of `batch` to write into one file.
  bool same_answers = false;
};

// All records, in the order that --help shows them: the program's, then the settings of pipelines.
const std::vector<Option>& options();
// nullptr when there is none of this name.
const Option* find_option(std::string_view name);

// configs/default.toml as it must read: every key, its meaning, its default.
std::string default_configuration();

}  // namespace fineprint::cli
