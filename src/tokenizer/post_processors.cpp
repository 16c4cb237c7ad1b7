// Fills templates and trims offsets.
#include "tokenizer/post_processors.h"

#include <algorithm>

#include "fineprint/core/unicode.h"

#include "tokenizer/byte_alphabet.h"

namespace fineprint::tokenizer {
namespace {

struct Blanks {
  std::uint32_t leading = 0, trailing = 0;
};

Blanks blanks_of(std::string_view text) {
  Blanks out;
  bool is_leading = true;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    // A blank may be written as "Ġ" in the token's text.
    const bool is_blank = c == character_of_byte(' ') || is_space(c);
    is_leading = is_leading && is_blank;
    out.leading += is_leading ? 1 : 0;
    out.trailing = is_blank ? out.trailing + 1 : 0;
  }
  return out;
}

}  // namespace

std::vector<Token> fill(const std::vector<TemplateStep>& steps, const std::vector<Token>& first,
                        const std::vector<Token>& second, bool add_special_tokens) {
  std::vector<Token> out;
  out.reserve(first.size() + second.size() + steps.size());
  for (const TemplateStep& step : steps) {
    if (step.kind == TemplateStep::Kind::special) {
      // Without special tokens, a template still decides the order and the types.
      if (!add_special_tokens) continue;
      for (const std::int32_t id : step.ids) out.push_back({id, 0, 0, step.type});
      continue;
    }
    for (Token token : step.kind == TemplateStep::Kind::first ? first : second) {
      token.type = step.type;
      out.push_back(token);
    }
  }
  return out;
}

void trim_offsets(std::string_view token_text, bool is_first, bool had_prefix_space, Token* token) {
  Blanks blanks = blanks_of(token_text);
  if (blanks.leading > 0) {
    const bool at_start = is_first || token->begin == 0;
    // A blank that was put before the text covers no input, so there is nothing to trim.
    if (at_start && had_prefix_space && blanks.leading == 1) blanks.leading = 0;
    token->begin = std::min(token->begin + blanks.leading, token->end);
  }
  if (blanks.trailing > 0 && token->end >= blanks.trailing) {
    token->end = std::max(token->end - blanks.trailing, token->begin);
  }
}

}  // namespace fineprint::tokenizer
