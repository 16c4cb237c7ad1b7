// Reads plain text, and JSON with indentation.
#include <optional>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "markup/decoding.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

std::optional<std::string> indented_json(std::string_view text) {
  constexpr int kIndent = 2;
  try {
    return parse_json(text, "").dump(kIndent, ' ', false, Json::error_handler_t::replace);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Returns the values of JSON Lines, or nullopt if a line is not JSON.
std::optional<std::string> indented_json_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_blank(line)) continue;
    const std::optional<std::string> value = indented_json(line);
    if (!value) return std::nullopt;
    out += *value + "\n";
  }
  return out;
}

}  // namespace

void add_json(const std::string& name, const std::string& bytes, Html* html) {
  const std::string text = decoded(name, bytes);
  std::optional<std::string> easy = indented_json(text);
  if (!easy) easy = indented_json_lines(text);
  // Text that is not JSON is kept as it is.
  html->preformatted(easy ? *easy : text);
}

void add_plain(const std::string& name, const std::string& bytes, Html* html) {
  html->preformatted(decoded(name, bytes));
}

}  // namespace fineprint::markup
