// The values of all options for a run, and the origin of each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/settings/option_set.h"

namespace fineprint::settings {

// Origins of values. Others are "environment" and the names of files.
inline constexpr std::string_view kDefaultOrigin = "default";
inline constexpr std::string_view kFlagsOrigin = "command line";

// Values that are given together, by full or bare names.
struct Layer {
  OptionTexts values;
  std::string origin;  // kFlagsOrigin, "environment" or the name of a file
};

// The values of all options. Layers are laid over the defaults one by one, so that flags override
// the environment, and the environment overrides files. Values are checked when they are laid over,
// and converted when they are read. The set of options must outlive this object.
class Settings {
 public:
  // Starts with the defaults.
  explicit Settings(const OptionSet& options);
  // Replaces values by those of a layer. Throws Error(usage) with key and origin if no option has
  // the key, or if a value is given both by full and by bare name. Also throws what check_texts
  // throws.
  void lay_over(const OptionTexts& values, const std::string& origin);
  void lay_over(const std::vector<Layer>& layers);

  // Returns the struct of a table, filled with these values. For example:
  // settings.read(budget_options()).
  template <class Struct>
  Struct read(const OptionTable<Struct>& table, Struct into = {}) const {
    return table.read(texts(), std::move(into));
  }
  // Returns the values that were laid over the defaults, by full names: one layer for each origin.
  std::vector<Layer> given() const;
  // Returns all texts by full name.
  OptionTexts texts() const;
  // Returns the texts of the options "PREFIX.NAME", by NAME.
  OptionTexts texts_of(std::string_view prefix) const;

  // Return the value of an option by its full name. They throw Error(internal) if there is no such
  // option.
  const std::string& text(std::string_view name) const;
  long integer(std::string_view name) const;
  double real(std::string_view name) const;
  std::uint64_t bytes(std::string_view name) const;
  // For a number that may be unset.
  std::optional<long> integer_if_set(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;
  // Returns the origin of the value.
  const std::string& origin(std::string_view name) const;

  // Returns all keys and values as a JSON object, for manifests. The password is left out.
  std::string to_json() const;
  const OptionSet& options() const { return *options_; }

  // The positional arguments of the command.
  std::vector<std::string> arguments;

 private:
  struct Value {
    std::vector<std::string> texts;
    std::string origin;
  };
  const Value& at(std::string_view name) const;

  const OptionSet* options_;
  std::map<std::string, Value, std::less<>> values_;
};

// The environment variable with the API key of a remote server. It is not an option, because
// options are written into manifests.
inline constexpr std::string_view kApiKeyVariable = "FINEPRINT_API_KEY";

// Returns the values of FINEPRINT_<NAME> variables. Lists are split at ','. Throws Error(usage) for
// an unknown FINEPRINT_ variable, so that a misspelt setting is not lost.
OptionTexts read_environment(const char* const* environment, const OptionSet& options);

// Returns the given values, from the lowest layer to the highest: the user's file,
// ./fineprint.toml, the file that the flag `config` names, the environment, the flags. Guarded
// values of ./fineprint.toml are among them only if the file is trusted or a higher layer overrides
// them. Throws what reading the layers throws, and Error(usage) if `command` (a set of CommandBits)
// would obey a guarded value that is not trusted.
std::vector<Layer> read_layers(const OptionTexts& flags, const char* const* environment,
                               unsigned command, const OptionSet& options);

}  // namespace fineprint::settings
