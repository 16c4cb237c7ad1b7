// Finds options by name, and writes the file of all defaults.
#include "fineprint/settings/option_set.h"

#include <cctype>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

namespace fineprint::settings {

void OptionSet::add(const std::vector<Option>& options, unsigned commands,
                    const std::map<std::string_view, unsigned>& exceptions,
                    std::string_view prefix) {
  for (const Option& option : options) {
    const auto own = exceptions.find(option.name);
    ProgramOption mine{option, own == exceptions.end() ? commands : own->second, {}};
    if (!prefix.empty()) {
      // The bare name is recorded even if the program has the same name; `find` then takes
      // precedence.
      bare_[option.name].push_back(options_.size());
      mine.name = format("{}.{}", prefix, option.name);
    }
    add(std::move(mine));
  }
}

void OptionSet::add(ProgramOption option) {
  if (!place_.emplace(option.name, options_.size()).second) {
    throw Error(ErrorCode::internal, format("two options are named \"{}\"", option.name));
  }
  option.section = section_;
  options_.push_back(std::move(option));
}

void OptionSet::guard(std::string_view name, Risk risk) {
  const auto found = place_.find(name);
  if (found == place_.end()) {
    throw Error(ErrorCode::internal, format("no option is named \"{}\"", name));
  }
  options_[found->second].risk = risk;
}

const ProgramOption* OptionSet::find(std::string_view name) const {
  const auto found = place_.find(name);
  return found == place_.end() ? nullptr : &options_[found->second];
}

const ProgramOption* OptionSet::find_given(std::string_view name, const std::string& origin) const {
  if (const ProgramOption* option = find(name)) return option;
  const auto found = bare_.find(name);
  if (found == bare_.end()) return nullptr;
  // Several pipelines may share a name; then only the full name is clear.
  if (found->second.size() == 1) return &options_[found->second.front()];
  const std::string names =
      join_texts(found->second, ", ", [&](std::size_t i) { return options_[i].name; });
  throw Error(
      ErrorCode::usage,
      format("{}: several pipelines have a setting \"{}\"; give one of: {}", origin, name, names));
}

bool OptionSet::knows(std::string_view name) const {
  return place_.contains(name) || bare_.contains(name);
}

bool OptionSet::names_one(std::string_view name) const {
  const auto found = bare_.find(name);
  return place_.contains(name) || (found != bare_.end() && found->second.size() == 1);
}

// The map is sorted, so the first name after the prefix decides.
bool OptionSet::has_prefix(std::string_view prefix) const {
  const auto found = place_.lower_bound(format("{}.", prefix));
  return found != place_.end() && found->first.starts_with(format("{}.", prefix));
}

std::vector<std::string> OptionSet::bare_names() const {
  std::vector<std::string> names;
  for (const auto& [name, places] : bare_) {
    if (find(name) == nullptr) names.push_back(name);
  }
  return names;
}

std::string_view bare_name(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string variable_of(std::string_view name) {
  std::string variable = "FINEPRINT_";
  for (const char c : name) {
    // Shells do not allow these characters in names of variables.
    const bool joins = c == '-' || c == '.';
    variable += joins ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

namespace {

std::string toml_value(const Option& option) {
  const std::string first = option.initial.empty() ? "" : option.initial.front();
  // An unset number is written as "", because TOML has no null.
  switch (option.type) {
    case OptionType::boolean:
    case OptionType::integer:
    case OptionType::real:
      return first.empty() ? "\"\"" : first;
    case OptionType::text:
    case OptionType::bytes:
      return format("\"{}\"", first);
    case OptionType::list:
      break;
  }
  std::string items;
  for (const std::string& text : option.initial) {
    items += format("{}\"{}\"", items.empty() ? "" : ", ", text);
  }
  return format("[{}]", items);
}

}  // namespace

std::string default_configuration(const OptionSet& options, std::string_view head) {
  std::string file(head);
  for (const ProgramOption& option : options.all()) {
    // A file cannot set these.
    if (option.facts.flag_only) continue;
    file += format("\n# {}", option.facts.help);
    if (!option.choices.empty()) file += format(" ({})", option.choice_list());
    file += format("\n{} = {}\n", option.name, toml_value(option));
  }
  return file;
}

}  // namespace fineprint::settings
