// Finds the gaps of a prompt and fills them, with data marked as such.
#include "agents/gaps.h"

#include <algorithm>

#include "fineprint/agents/prompts.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::agents {
namespace {

constexpr std::string_view kBar = "| ";

bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// Returns whether any reader may break a line here: LF, VT, FF, CR, NEL, LS, PS.
bool ends_line(char32_t c) {
  return (c >= U'\n' && c <= U'\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_control(char32_t c) {
  return (c < 0x20 && c != U'\t') || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);  // overrides of the writing direction
}

void add_line(std::string* line, std::string* out) {
  if (line->find_first_not_of(" \t") != std::string::npos) {
    if (!out->empty()) *out += '\n';
    out->append(kBar).append(*line);
  }
  line->clear();
}

}  // namespace

std::vector<Gap> find_gaps(std::string_view text) {
  std::vector<Gap> gaps;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_name_character(text[end])) ++end;
    // Other braces are text: prompts contain JSON.
    if (end == at + 1 || end == text.size() || text[end] != '}') continue;
    gaps.push_back({at, end + 1, text.substr(at + 1, end - at - 1)});
  }
  return gaps;
}

std::string as_data(std::string_view text) {
  std::string out, line;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (ends_line(c)) {
      add_line(&line, &out);
    } else if (!is_control(c)) {
      append_utf8(c, &line);
    }
  }
  add_line(&line, &out);
  return out.empty() ? "(none)" : out;
}

Filled filled(const PromptText& prompt, std::span<const Value> values) {
  Filled out;
  std::size_t at = 0;
  for (const Gap& gap : find_gaps(prompt.user)) {
    const auto value = std::ranges::find(values, gap.name, &Value::name);
    if (value == values.end()) {
      throw Error(ErrorCode::internal,
                  format("prompt {}: there is no value for its gap \"{}\"", prompt.name, gap.name));
    }
    out.text += prompt.user.substr(at, gap.begin - at);
    // What precedes a gap repeats between questions, so it may be kept in the prefix cache.
    out.ends.push_back(out.text.size());
    for (const std::size_t end : value->ends) out.ends.push_back(out.text.size() + end);
    out.text += value->data ? as_data(value->text) : value->text;
    at = gap.end;
  }
  out.text += prompt.user.substr(at);
  return out;
}

}  // namespace fineprint::agents
