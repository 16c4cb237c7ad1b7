// Text as it is, and JSON made easier on the eye.
#include <optional>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "markup/decoding.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

std::optional<std::string> indented(std::string_view text) {
  constexpr int kIndent = 2;
  try {
    return parse_json(text, "").dump(kIndent, ' ', false, Json::error_handler_t::replace);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Each line a value; nullopt when one is not.
std::optional<std::string> indented_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_blank(line)) continue;
    const std::optional<std::string> value = indented(line);
    if (!value) return std::nullopt;
    out += *value + "\n";
  }
  return out;
}

}  // namespace

void add_json(const std::string& bytes, Html* html) {
  const std::string text = decoded(bytes);
  std::optional<std::string> easy = indented(text);
  if (!easy) easy = indented_lines(text);
  html->preformatted(easy ? *easy : text);
}

void add_plain(const std::string& bytes, Html* html) { html->preformatted(decoded(bytes)); }

}  // namespace fineprint::markup
