// The post-processors of the tokenizers format: they put special tokens around texts and remove
// blanks from offsets.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::tokenizer {

// One step of a template: special tokens, or one of the texts.
struct TemplateStep {
  enum class Kind { special, first, second } kind = Kind::first;
  std::vector<std::int32_t> ids;  // of the special token
  std::int32_t type = 0;
};

// The templates for one text and for a pair. By default they add no special tokens.
struct PostProcessor {
  std::vector<TemplateStep> single{{TemplateStep::Kind::first, {}, 0}};
  std::vector<TemplateStep> pair{{TemplateStep::Kind::first, {}, 0},
                                 {TemplateStep::Kind::second, {}, 1}};
  // One entry for each step that trims blanks from offsets: whether a blank was put before the
  // text.
  std::vector<bool> trims;
};

// Returns the tokens that a template describes. Special tokens are included only if asked for.
std::vector<Token> fill(const std::vector<TemplateStep>& steps, const std::vector<Token>& first,
                        const std::vector<Token>& second, bool add_special_tokens);

// Removes the blanks at the ends of a token's text from its offsets. `is_first` says whether the
// token is the first of its text.
void trim_offsets(std::string_view token_text, bool is_first, bool had_prefix_space, Token* token);

}  // namespace fineprint::tokenizer
