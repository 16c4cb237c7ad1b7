// Reads lists as Python writes them.
#include "bench/datasets/python_list.h"

#include <algorithm>

namespace fineprint::bench {
namespace {

constexpr std::string_view kListBlanks = " \t\r\n";

void drop_blanks(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(kListBlanks), text->size()));
}

// A string in single or double quotes, taken off the text.
std::optional<std::string> take_quoted(std::string_view* text) {
  const char quote = text->front();
  std::string value;
  for (std::size_t i = 1; i < text->size(); ++i) {
    const char c = (*text)[i];
    if (c == quote) {
      text->remove_prefix(i + 1);
      return value;
    }
    if (c != '\\' || i + 1 == text->size()) {
      value += c;
      continue;
    }
    const char escaped = (*text)[++i];
    value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
  }
  return std::nullopt;
}

// A number, taken off the text.
std::optional<std::string> take_number(std::string_view* text) {
  const std::size_t end = std::min(text->find_first_not_of("+-.0123456789eE"), text->size());
  if (end == 0) return std::nullopt;
  std::string value(text->substr(0, end));
  text->remove_prefix(end);
  return value;
}

}  // namespace

std::optional<std::vector<std::string>> parse_python_list(std::string_view text) {
  drop_blanks(&text);
  if (!text.starts_with('[')) return std::nullopt;
  text.remove_prefix(1);
  std::vector<std::string> values;
  for (drop_blanks(&text); !text.starts_with(']'); drop_blanks(&text)) {
    if (text.empty()) return std::nullopt;
    const bool is_quoted = text.front() == '\'' || text.front() == '"';
    std::optional<std::string> value = is_quoted ? take_quoted(&text) : take_number(&text);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
    drop_blanks(&text);
    if (text.starts_with(',')) {
      text.remove_prefix(1);
    } else if (!text.starts_with(']')) {
      return std::nullopt;
    }
  }
  text.remove_prefix(1);
  drop_blanks(&text);
  if (!text.empty()) return std::nullopt;
  return values;
}

}  // namespace fineprint::bench
