// Reads configuration files.
#include "fineprint/settings/configuration.h"

#include <algorithm>

#define TOML_EXCEPTIONS 1
// Of "[#" toml++ 3.3 claims that it can't occur, two lines before it says what is wrong there. Its
// claims end the program in a Debug build, and a compiler may rely on them in others.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(claim) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::settings {
namespace {

// The largest that people write is a tenth of it. A table takes stack for each dot of a key, as its
// keys are nested: "a.a.a..." of some hundred kilobytes overruns it.
constexpr std::size_t kMostBytes = 64 << 10;

// What the keys of a file are held against.
struct Keys {
  const std::string& file;
  const OptionSet& options;
  const std::vector<std::string_view>& others;
};

// A bare name that stands for several is refused where the values are laid down: whoever reads a
// file may know which pipeline it is of.
void check_key(const Keys& keys, const std::string& key, const std::string& where) {
  if (std::ranges::find(keys.others, key) != keys.others.end()) return;
  if (!keys.options.knows(key)) {
    throw Error(ErrorCode::usage, format("{}: there is no such key", where));
  }
  const ProgramOption* option = keys.options.find(key);
  if (option != nullptr && option->facts.flag_only) {
    throw Error(ErrorCode::usage, format("{}: can only be given as --{}", where, key));
  }
}

// The text that a flag would have for a value of a file.
std::string node_text(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point()) return number_text(real->get());
  throw Error(ErrorCode::usage, format("{}: this kind of value can't be used here", where));
}

std::vector<std::string> texts_of(const toml::node& node, const std::string& where) {
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
        throw Error(ErrorCode::usage, format("{}: only tables [[{}]] can stand here", where, key));
      }
      for (const toml::node& item : *list) {
        const auto* table = item.as_table();
        if (table == nullptr) throw Error(ErrorCode::usage, where + ": holds what is no table");
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
  if (text.size() > kMostBytes) {
    throw Error(ErrorCode::usage, format("{}: {} bytes are more than a configuration of at most {}",
                                         name, text.size(), kMostBytes));
  }
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

OptionTexts read_configuration(const std::string& path, const OptionSet& options) {
  return parse_configuration(read_file(path), path, options);
}

}  // namespace fineprint::settings
