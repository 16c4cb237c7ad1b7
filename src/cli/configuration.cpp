// Reads configuration files.
#include "cli/configuration.h"

#include <algorithm>
#include <charconv>

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

#include "cli/options.h"

namespace fineprint::cli {
namespace {

// The largest that people write is a tenth of it. A table takes stack for each dot of a key, as its
// keys are nested: "a.a.a..." of some hundred kilobytes overruns it.
constexpr std::size_t kMostBytes = 64 << 10;

void check_key(const std::string& key, const std::string& where) {
  const Option* option = find_option(key);
  if (option == nullptr) {
    throw Error(ErrorCode::usage, format("{}: there is no such key", where));
  }
  if (option->flag_only) {
    throw Error(ErrorCode::usage, format("{}: can only be given as --{}", where, key));
  }
}

// The text that a flag would have for a value of a file.
std::string text_of(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point()) {
    char digits[32];  // the shortest text that reads back as the same number
    return {digits, std::to_chars(digits, digits + sizeof digits, real->get()).ptr};
  }
  throw Error(ErrorCode::usage, format("{}: this kind of value can't be used here", where));
}

std::vector<std::string> texts_of(const toml::node& node, const std::string& where) {
  const auto* items = node.as_array();
  if (items == nullptr) return {text_of(node, where)};
  std::vector<std::string> texts;
  for (const toml::node& item : *items) texts.push_back(text_of(item, where));
  return texts;
}

}  // namespace

RawValues parse_configuration(std::string_view text, const std::string& name,
                              const std::vector<std::string_view>& other_keys) {
  if (text.size() > kMostBytes) {
    throw Error(ErrorCode::usage, format("{}: {} bytes are more than a configuration of at most {}",
                                         name, text.size(), kMostBytes));
  }
  RawValues values;
  try {
    const toml::table table = toml::parse(text, name);
    for (const auto& [key, node] : table) {
      const std::string key_text(key.str());
      const std::string where = format("{}:{}: {}", name, node.source().begin.line, key_text);
      if (std::ranges::find(other_keys, key_text) == other_keys.end()) check_key(key_text, where);
      values[key_text] = texts_of(node, where);
    }
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage,
                format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
  return values;
}

RawValues read_configuration(const std::string& path) {
  return parse_configuration(read_file(path), path);
}

}  // namespace fineprint::cli
