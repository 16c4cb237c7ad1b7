// Layers of settings: defaults, files, environment, flags.
#include "cli/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/presets.h"

namespace fineprint::cli {
namespace {

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

template <class Number>
bool parse_whole(const std::string& text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

[[noreturn]] void refuse(const Option& option, const std::string& text, const std::string& origin,
                         std::string_view expected) {
  throw Error(ErrorCode::usage,
              format("{}: {} = \"{}\" is not {}", origin, option.name, text, expected));
}

// "1500", "512MB", "2GiB"; units are powers of 1000, with an i of 1024.
std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t value = 0;
  if (!parse_whole(text.substr(0, digits), &value)) return std::nullopt;
  const std::string unit = text.substr(digits);
  if (unit.empty() || unit == "B") return value;
  const bool binary = unit.ends_with("iB") && unit.size() == 3;
  const std::size_t power = std::string_view("KMGT").find(unit.front());
  if (power == std::string_view::npos || !(binary || (unit.size() == 2 && unit[1] == 'B'))) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i <= power; ++i) {
    const std::uint64_t factor = binary ? 1024 : 1000;
    if (value > std::uint64_t{1} << 50) return std::nullopt;  // no machine has so many
    value *= factor;
  }
  return value;
}

// Modules count in int.
constexpr long kLargest = std::numeric_limits<int>::max();

void check(const Option& option, const std::vector<std::string>& texts, const std::string& origin) {
  if (option.type == OptionType::list) return;
  if (texts.size() != 1) {
    throw Error(ErrorCode::usage, format("{}: {} takes one value", origin, option.name));
  }
  const std::string& text = texts.front();
  if (text.empty() && option.initial.empty()) return;  // unset
  long integer = 0;
  double real = 0;
  if (option.type == OptionType::integer &&
      (!parse_whole(text, &integer) || integer < 0 || integer > kLargest)) {
    refuse(option, text, origin, format("a whole number from 0 to {}", kLargest));
  }
  if (option.type == OptionType::real && (!parse_whole(text, &real) || !std::isfinite(real))) {
    refuse(option, text, origin, "a number");
  }
  if (option.type == OptionType::bytes && !parse_bytes(text)) {
    refuse(option, text, origin, "a number of bytes, as 500MB or 2GB");
  }
  if (option.type == OptionType::boolean && text != "true" && text != "false") {
    refuse(option, text, origin, "true or false");
  }
  if (!option.choices.empty()) {
    const std::vector<std::string> choices = split_at(option.choices, '|');
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      refuse(option, text, origin, format("one of {}", option.choices));
    }
  }
}

}  // namespace

Settings::Settings() {
  for (const Option& option : options()) {
    std::vector<std::string> texts = option.type == OptionType::list
                                         ? split_at(option.initial, ',')
                                         : std::vector<std::string>{std::string(option.initial)};
    values_[std::string(option.name)] = {std::move(texts), std::string(kDefaultOrigin)};
  }
}

void Settings::lay_over(const RawValues& values, const std::string& origin) {
  for (const auto& [name, texts] : values) {
    const Option* option = find_option(name);
    if (option == nullptr) {
      throw Error(ErrorCode::usage, format("{}: there is no setting \"{}\"", origin, name));
    }
    check(*option, texts, origin);
    values_[name] = {texts, origin};
  }
}

const Settings::Value& Settings::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw Error(ErrorCode::internal, format("setting \"{}\" is not in the table", name));
  }
  return found->second;
}

const std::string& Settings::text(std::string_view name) const { return at(name).texts.front(); }

long Settings::integer(std::string_view name) const {
  long value = 0;
  parse_whole(text(name), &value);
  return value;
}

double Settings::real(std::string_view name) const {
  double value = 0;
  parse_whole(text(name), &value);
  return value;
}

std::uint64_t Settings::bytes(std::string_view name) const {
  return parse_bytes(text(name)).value_or(0);
}

std::optional<long> Settings::integer_if_set(std::string_view name) const {
  return text(name).empty() ? std::nullopt : std::optional<long>(integer(name));
}

std::optional<double> Settings::real_if_set(std::string_view name) const {
  return text(name).empty() ? std::nullopt : std::optional<double>(real(name));
}

bool Settings::flag(std::string_view name) const { return text(name) == "true"; }

std::vector<std::string> Settings::list(std::string_view name) const { return at(name).texts; }

const std::string& Settings::origin(std::string_view name) const { return at(name).origin; }

namespace {

template <class Number>
Json nullable(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

}  // namespace

std::string Settings::to_json() const {
  Json object = Json::object();
  for (const Option& option : options()) {
    if (option.name == "password") continue;  // secrets stay out of files
    switch (option.type) {
      case OptionType::boolean:
        object[std::string(option.name)] = flag(option.name);
        break;
      case OptionType::integer:
        object[std::string(option.name)] = nullable(integer_if_set(option.name));
        break;
      case OptionType::real:
        object[std::string(option.name)] = nullable(real_if_set(option.name));
        break;
      case OptionType::bytes:
        object[std::string(option.name)] = bytes(option.name);
        break;
      case OptionType::text:
        object[std::string(option.name)] = text(option.name);
        break;
      case OptionType::list:
        object[std::string(option.name)] = list(option.name);
        break;
    }
  }
  return dump_json(object);
}

RawValues read_environment(const char* const* environment) {
  constexpr std::string_view kPrefix = "FINEPRINT_";
  RawValues values;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    if (!entry.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    if (entry.substr(0, equals) == kApiKeyVariable) continue;  // a secret, and no setting
    std::string name;
    for (const char c : entry.substr(kPrefix.size(), equals - kPrefix.size())) {
      name += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const Option* option = find_option(name);
    if (option == nullptr || option->flag_only) {
      throw Error(ErrorCode::usage,
                  format("environment: {} is no setting of this program", entry.substr(0, equals)));
    }
    const std::string_view text = entry.substr(equals + 1);
    values[name] = option->type == OptionType::list ? split_at(text, ',')
                                                    : std::vector<std::string>{std::string(text)};
  }
  return values;
}

namespace {

struct Layer {
  RawValues values;
  std::string origin;
};

// What was given, from the lowest layer to the highest.
std::vector<Layer> read_layers(const RawValues& flags, const char* const* environment) {
  std::vector<Layer> layers;
  const std::string user_file = user_config_dir() + "/config.toml";
  for (const std::string& file : {user_file, std::string("fineprint.toml")}) {
    if (std::filesystem::exists(file)) layers.push_back({read_configuration(file), file});
  }
  if (const auto config = flags.find("config"); config != flags.end()) {
    const std::string& file = config->second.front();
    layers.push_back({read_configuration(file), file});
  }
  layers.push_back({read_environment(environment), "environment"});
  layers.push_back({flags, std::string(kFlagsOrigin)});
  return layers;
}

Settings laid_over(Settings settings, const std::vector<Layer>& layers) {
  for (const Layer& layer : layers) settings.lay_over(layer.values, layer.origin);
  return settings;
}

}  // namespace

Settings resolve_settings(const RawValues& flags, const char* const* environment,
                          unsigned commands) {
  const std::vector<Layer> layers = read_layers(flags, environment);
  Settings given = laid_over(Settings(), layers);
  if (!(commands & kAnsweringCommands)) return given;
  // The preset lies below all that was given, but what was given says which one it is.
  const Preset preset = find_preset(given.text("pipeline"));
  Settings settings;
  settings.lay_over(preset.values, preset.file);
  return laid_over(std::move(settings), layers);
}

}  // namespace fineprint::cli
