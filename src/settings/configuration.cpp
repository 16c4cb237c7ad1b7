// Reads configuration files.
#include "fineprint/settings/configuration.h"

#include <algorithm>

#define TOML_EXCEPTIONS 1
// For "[#", toml++ 3.3 asserts that it cannot occur, two lines before it reports the error. Its
// assertions end the program in a Debug build, and a compiler may rely on them in other builds.
// Hence they are disabled.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(claim) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::settings {
namespace {

// Ten times the largest file that people write. Dotted keys are nested tables, which use stack:
// "a.a.a..." of a few hundred kilobytes would overflow it.
constexpr std::size_t kMostBytes = 64 << 10;

// What the keys of a file are compared with.
struct Keys {
  const std::string& file;
  const OptionSet& options;
  const std::vector<std::string_view>& others;
};

// A bare name that several options have is refused later, when values are laid over: the reader of
// a preset knows which pipeline is meant.
void check_key(const Keys& keys, const std::string& key, const std::string& where) {
  if (std::ranges::find(keys.others, key) != keys.others.end()) return;
  if (!keys.options.knows(key)) {
    throw Error(ErrorCode::usage,
                format("{}: no such key; `fineprint --print-defaults` lists all keys", where));
  }
  const ProgramOption* option = keys.options.find(key);
  if (option != nullptr && option->facts.flag_only) {
    throw Error(ErrorCode::usage,
                format("{}: can only be given on the command line, as --{}", where, key));
  }
}

// Returns the text that a flag would have for this value.
std::string node_text(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point()) return number_text(real->get());
  throw Error(ErrorCode::usage,
              format("{}: expected text, a number, true, false or a list of these", where));
}

// Tables and lists nest as deep as the parser allows, which is not deep.
Json node_json(const toml::node& node, const std::string& name) {
  if (const auto* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) json[std::string(key.str())] = node_json(value, name);
    return json;
  }
  if (const auto* items = node.as_array()) {
    Json json = Json::array();
    for (const toml::node& item : *items) json.push_back(node_json(item, name));
    return json;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  throw Error(ErrorCode::usage,
              format("{}:{}: expected text, a number, true, false, a list or a table", name,
                     node.source().begin.line));
}

void check_length(std::string_view text, const std::string& name) {
  if (text.size() <= kMostBytes) return;
  throw Error(ErrorCode::usage,
              format("{}: the file has {} bytes; a configuration may have at most {}", name,
                     text.size(), kMostBytes));
}

std::vector<std::string> texts_of(const toml::node& node, const std::string& where) {
  // A single value counts as a list of one, as a flag that is given once.
  const auto* items = node.as_array();
  if (items == nullptr) return {node_text(node, where)};
  std::vector<std::string> texts;
  for (const toml::node& item : *items) texts.push_back(node_text(item, where));
  return texts;
}

void read_table(const toml::table& table, const std::string& prefix, const Keys& keys,
                OptionTexts* values) {
  for (const auto& [key, node] : table) {
    const std::string key_text = prefix + std::string(key.str());
    const std::string where = format("{}:{}: {}", keys.file, node.source().begin.line, key_text);
    // A table whose name is not a pipeline's fails as an unknown key.
    if (prefix.empty() && node.is_table() && keys.options.has_prefix(key_text)) {
      read_table(*node.as_table(), key_text + ".", keys, values);
    } else {
      check_key(keys, key_text, where);
      (*values)[key_text] = texts_of(node, where);
    }
  }
}

}  // namespace

std::vector<OptionTexts> parse_rows(std::string_view text, const std::string& name,
                                    const std::string& key) {
  std::vector<OptionTexts> rows;
  try {
    const toml::table whole = toml::parse(text, name);
    for (const auto& [given, node] : whole) {
      const std::string where = format("{}:{}: {}", name, node.source().begin.line, given.str());
      const auto* list = node.as_array();
      if (given.str() != key || list == nullptr) {
        throw Error(ErrorCode::usage,
                    format("{}: only tables [[{}]] are allowed here", where, key));
      }
      for (const toml::node& item : *list) {
        const auto* table = item.as_table();
        if (table == nullptr)
          throw Error(ErrorCode::usage, where + ": contains a value that is not a table");
        OptionTexts& row = rows.emplace_back();
        for (const auto& [field, value] : *table) {
          row[std::string(field.str())] = texts_of(value, format("{}, {}", where, field.str()));
        }
      }
    }
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage,
                format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
  return rows;
}

OptionTexts parse_configuration(std::string_view text, const std::string& name,
                                const OptionSet& options,
                                const std::vector<std::string_view>& other_keys) {
  check_length(text, name);
  OptionTexts values;
  try {
    const toml::table table = toml::parse(text, name);
    read_table(table, "", {.file = name, .options = options, .others = other_keys}, &values);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage,
                format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
  return values;
}

Json parse_toml(std::string_view text, const std::string& name) {
  check_length(text, name);
  try {
    return node_json(toml::parse(text, name), name);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage,
                format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
}

OptionTexts read_configuration(const std::string& path, const OptionSet& options) {
  return parse_configuration(read_file(path), path, options);
}

}  // namespace fineprint::settings
