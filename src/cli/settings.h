// The values that all options have for this run, and where each came from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::cli {

// Texts as they were typed, one entry a value; not yet converted.
using RawValues = std::map<std::string, std::vector<std::string>, std::less<>>;

// Origins of values besides files and "environment".
inline constexpr std::string_view kDefaultOrigin = "default";
inline constexpr std::string_view kFlagsOrigin = "command line";

// Converted lazily and checked when they are laid down.
class Settings {
 public:
  // Defaults only.
  Settings();
  // Lays `values` over what is there. `origin` is kFlagsOrigin, "environment" or a file's name.
  // Throws Error(usage) naming key and origin for a value of the wrong type or outside its choices.
  void lay_over(const RawValues& values, const std::string& origin);

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

  // Positional arguments of the command.
  std::vector<std::string> arguments;

 private:
  struct Value {
    std::vector<std::string> texts;
    std::string origin;
  };
  const Value& at(std::string_view name) const;

  std::map<std::string, Value, std::less<>> values_;
};

// Holds a server's key. It is no setting: settings are written into manifests.
inline constexpr std::string_view kApiKeyVariable = "FINEPRINT_API_KEY";

// FINEPRINT_<NAME> of every option; lists are split at ','. An unknown FINEPRINT_ variable is an
// error: a misspelt setting must not be lost.
RawValues read_environment(const char* const* environment);

// Defaults, user file, ./fineprint.toml, --config, environment, `flags`, in this order. For
// commands that answer (bits of CommandBit), the preset that `pipeline` names lies right above the
// defaults. Throws Error(usage) naming key and origin, and for a preset that does not exist.
Settings resolve_settings(const RawValues& flags, const char* const* environment,
                          unsigned commands);

}  // namespace fineprint::cli
