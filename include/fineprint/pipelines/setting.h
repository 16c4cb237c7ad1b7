// What a method leaves open or its paper varies: settings that pipelines declare beside their code.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fineprint::pipelines {

enum class SettingType { boolean, integer, real, text };

// Becomes a flag, a configuration key and a line of --help by this record alone. Two pipelines that
// declare the same name must declare the same record.
struct Setting {
  std::string_view name;  // "--name", and the key in files
  SettingType type = SettingType::text;
  std::string_view value;  // what --help shows for the value, "N"
  std::string_view initial;
  std::string_view choices;  // allowed texts joined by '|', or empty
  std::string_view help;
};

// What the settings of a run are, by name.
class SettingValues {
 public:
  SettingValues() = default;
  // Texts that fit their settings' types: who reads them from a person checks.
  explicit SettingValues(std::map<std::string, std::string, std::less<>> texts)
      : texts_(std::move(texts)) {}

  // Each throws Error(internal) for a name that is not there.
  const std::string& text(std::string_view name) const;
  bool flag(std::string_view name) const;
  int integer(std::string_view name) const;
  double real(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace fineprint::pipelines
