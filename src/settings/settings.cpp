// Lays settings over each other: defaults, files, environment, flags.
#include "fineprint/settings/settings.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/settings/trust.h"

namespace fineprint::settings {

Settings::Settings(const OptionSet& options) : options_(&options) {
  for (const ProgramOption& option : options.all()) {
    // Every option has a value from the start, so that reading one never needs a default at the
    // place of use.
    values_[option.name] = {option.initial, std::string(kDefaultOrigin)};
  }
}

void Settings::lay_over(const OptionTexts& values, const std::string& origin) {
  std::map<std::string_view, std::string_view> given;  // for each option, the key that named it
  for (const auto& [name, texts] : values) {
    const ProgramOption* option = options_->find_given(name, origin);
    if (option == nullptr) {
      throw Error(ErrorCode::usage, format("{}: no setting is named \"{}\"", origin, name));
    }
    // An option may be named in full or by its bare name; both at once would make the result depend
    // on the order.
    const auto [other, is_first] = given.emplace(option->name, name);
    if (!is_first) {
      throw Error(ErrorCode::usage, format("{}: {} and {} are one setting; give only one of them",
                                           origin, other->second, name));
    }
    // Checked here, where the origin is known, so that the message can name it.
    check_texts(*option, texts, origin);
    values_[option->name] = {texts, origin};
  }
}

void Settings::lay_over(const std::vector<Layer>& layers) {
  for (const Layer& layer : layers) lay_over(layer.values, layer.origin);
}

std::vector<Layer> Settings::given() const {
  // A map, so that the layers are in a fixed order.
  std::map<std::string, OptionTexts> by_origin;
  for (const auto& [name, value] : values_) {
    if (value.origin != kDefaultOrigin) by_origin[value.origin][name] = value.texts;
  }
  std::vector<Layer> layers;
  for (auto& [origin, values] : by_origin) layers.push_back({std::move(values), origin});
  return layers;
}

OptionTexts Settings::texts() const {
  OptionTexts all;
  for (const auto& [name, value] : values_) all[name] = value.texts;
  return all;
}

// Names are sorted, so those with the prefix follow each other.
OptionTexts Settings::texts_of(std::string_view prefix) const {
  OptionTexts own;
  const std::string begin = format("{}.", prefix);
  for (auto it = values_.lower_bound(begin); it != values_.end() && it->first.starts_with(begin);
       ++it) {
    own[it->first.substr(begin.size())] = it->second.texts;
  }
  return own;
}

const Settings::Value& Settings::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    // A misspelt name in the program is a fault of the program, not of the user.
    throw Error(ErrorCode::internal, format("setting \"{}\" is not in the table", name));
  }
  return found->second;
}

const std::string& Settings::text(std::string_view name) const { return at(name).texts.front(); }

long Settings::integer(std::string_view name) const { return whole_number(text(name)); }

double Settings::real(std::string_view name) const { return real_number(text(name)); }

std::uint64_t Settings::bytes(std::string_view name) const { return byte_count(text(name)); }

std::optional<long> Settings::integer_if_set(std::string_view name) const {
  return text(name).empty() ? std::nullopt : std::optional<long>(integer(name));
}

bool Settings::flag(std::string_view name) const { return text(name) == "true"; }

std::vector<std::string> Settings::list(std::string_view name) const { return at(name).texts; }

const std::string& Settings::origin(std::string_view name) const { return at(name).origin; }

namespace {

// Numbers become JSON numbers, so that manifests can be compared; unset becomes null.
Json json_of(OptionType type, const std::vector<std::string>& texts) {
  if (type == OptionType::list) return texts;
  const std::string& text = texts.front();
  switch (type) {
    case OptionType::boolean:
      return text == "true";
    case OptionType::integer:
      return text.empty() ? Json() : Json(whole_number(text));
    case OptionType::real:
      return text.empty() ? Json() : Json(real_number(text));
    case OptionType::bytes:
      return byte_count(text);
    case OptionType::text:
    case OptionType::list:
      break;
  }
  return text;
}

}  // namespace

std::string Settings::to_json() const {
  Json object = Json::object();
  for (const ProgramOption& option : options_->all()) {
    if (option.name == "password") continue;  // secrets must not be written to files
    object[option.name] = json_of(option.type, at(option.name).texts);
  }
  return dump_json(object);
}

namespace {

// Returns the option that a variable names, by its full or its bare name.
std::string named_by(std::string_view variable, const OptionSet& options) {
  for (const ProgramOption& option : options.all()) {
    if (!option.facts.flag_only && variable_of(option.name) == variable) return option.name;
  }
  for (const std::string& name : options.bare_names()) {
    if (variable_of(name) == variable) return name;
  }
  throw Error(ErrorCode::usage,
              format("environment: {} is not a setting of this program; unset it, or write it as "
                     "FINEPRINT_KEY with a key that `fineprint --print-defaults` lists",
                     variable));
}

}  // namespace

OptionTexts read_environment(const char* const* environment, const OptionSet& options) {
  OptionTexts values;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    // An unknown variable of this prefix is refused, because a misspelt one would silently do
    // nothing.
    if (!entry.starts_with("FINEPRINT_") || equals == std::string_view::npos) continue;
    const std::string_view variable = entry.substr(0, equals);
    if (variable == kApiKeyVariable) continue;  // a secret, not an option
    const std::string name = named_by(variable, options);
    const std::string_view text = entry.substr(equals + 1);
    // A variable has one text, so the items of a list need a separator.
    const bool is_list = options.find_given(name, "environment")->type == OptionType::list;
    values[name] = is_list ? split_texts(text, ',') : std::vector<std::string>{std::string(text)};
  }
  return values;
}

namespace {

Layer layer_of(const std::string& file, const OptionSet& options) {
  return {.values = read_configuration(file, options), .origin = file};
}

// Later layers override earlier ones, so the flags come last.
std::vector<Layer> layers_above_the_folder(const OptionTexts& flags, const char* const* environment,
                                           const OptionSet& options) {
  std::vector<Layer> layers;
  if (const auto config = flags.find("config"); config != flags.end()) {
    layers.push_back(layer_of(config->second.front(), options));
  }
  layers.push_back({.values = read_environment(environment, options), .origin = "environment"});
  layers.push_back({.values = flags, .origin = std::string(kFlagsOrigin)});
  return layers;
}

}  // namespace

std::vector<Layer> read_layers(const OptionTexts& flags, const char* const* environment,
                               unsigned command, const OptionSet& options) {
  std::vector<Layer> layers;
  // The two default files are optional; a file that --config names must exist.
  const std::string own = user_config_dir() + "/config.toml";
  if (std::filesystem::exists(own)) layers.push_back(layer_of(own, options));
  const std::string name(kFolderFile);
  const std::optional<FolderFile> file = read_folder_file(".", name, options);
  std::vector<Layer> above = layers_above_the_folder(flags, environment, options);
  if (file) {
    Layer layer{.values = file->values, .origin = name};
    drop_untrusted(*file, {.below = layers, .above = above}, command, options, &layer);
    layers.push_back(std::move(layer));
  }
  std::ranges::move(above, std::back_inserter(layers));
  return layers;
}

}  // namespace fineprint::settings
