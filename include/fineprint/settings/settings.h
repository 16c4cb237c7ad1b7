// The values that all options have for a run, and where each came from.
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

// Origins of values besides files and "environment".
inline constexpr std::string_view kDefaultOrigin = "default";
inline constexpr std::string_view kFlagsOrigin = "command line";

// Values given together, by full or bare names.
struct Layer {
  OptionTexts values;
  std::string origin;  // kFlagsOrigin, "environment" or a file's name
};

// Converted lazily and checked when they are laid down. The set of options must outlive it.
class Settings {
 public:
  // Defaults only.
  explicit Settings(const OptionSet& options);
  // Lays values over what is there. Throws Error(usage) naming key and origin for a key that no
  // option has, one that is given by its full and its bare name, and what check_texts throws.
  void lay_over(const OptionTexts& values, const std::string& origin);
  void lay_over(const std::vector<Layer>& layers);

  // The struct of a table, as all this sets it.
  template <class Struct>
  Struct read(const OptionTable<Struct>& table, Struct into = {}) const {
    return table.read(texts(), std::move(into));
  }
  // What was laid over the defaults, by full names: a layer for each origin.
  std::vector<Layer> given() const;
  // All texts by full name.
  OptionTexts texts() const;
  // Those of the options "PREFIX.NAME", by NAME.
  OptionTexts texts_of(std::string_view prefix) const;

  // By full name; each throws Error(internal) for one that there is not.
  const std::string& text(std::string_view name) const;
  long integer(std::string_view name) const;
  double real(std::string_view name) const;
  std::uint64_t bytes(std::string_view name) const;
  // For numbers that may stay unset.
  std::optional<long> integer_if_set(std::string_view name) const;
  std::optional<double> real_if_set(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;
  const std::string& origin(std::string_view name) const;

  // All keys and values as a JSON object, for manifests.
  std::string to_json() const;
  const OptionSet& options() const { return *options_; }

  // Positional arguments of the command.
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

// Holds a server's key. It is no setting: settings are written into manifests.
inline constexpr std::string_view kApiKeyVariable = "FINEPRINT_API_KEY";

// FINEPRINT_<NAME> of every option; lists are split at ','. An unknown FINEPRINT_ variable is an
// error: a misspelt setting must not be lost.
OptionTexts read_environment(const char* const* environment, const OptionSet& options);

// The values of a JSON object as a file would have them: by full or bare names, or those of a
// pipeline in an object of its name; null: unset. `origin` stands for the object in messages.
// Throws Error(usage) for another form, an unknown key, or one that is of a call
// (OptionFacts::flag_only).
OptionTexts parse_json_settings(std::string_view json, const std::string& origin,
                                const OptionSet& options);

// What was given, from the lowest layer to the highest: the user's file, ./fineprint.toml, the file
// that the flag `config` names, environment, flags. Throws what reading them does.
std::vector<Layer> read_layers(const OptionTexts& flags, const char* const* environment,
                               const OptionSet& options);

}  // namespace fineprint::settings
