// Makes the tokens of a text as a sentence encoder reads them.
#include "nets/encoders/sentence_tokens.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "nets/generation/vocabulary.h"

namespace fineprint::nets {

std::vector<std::int64_t> sentence_tokens(const models::ModelSpec& spec,
                                          const tokenizer::Tokenizer& tokenizer,
                                          std::int64_t vocab_size, const std::string& text) {
  std::vector<tokenizer::Token> tokens = tokenizer.encode(text, true);
  const auto limit = static_cast<std::size_t>(spec.prompt.max_tokens);
  if (tokens.size() > limit) {
    tokens[limit - 1] = tokens.back();  // the closing special token stays
    tokens.resize(limit);
  }
  std::vector<std::int64_t> ids;
  ids.reserve(tokens.size());
  for (const tokenizer::Token& token : tokens) {
    check_token(token.id, vocab_size, spec.tokenizer_path);
    ids.push_back(token.id);
  }
  return ids;
}

void check_letter_case(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer) {
  const auto ids_of = [&](const char* text) {
    std::vector<std::int64_t> ids;
    for (const tokenizer::Token& token : tokenizer.encode(text, true)) ids.push_back(token.id);
    return ids;
  };
  if (!spec.prompt.lower_case || ids_of("A") == ids_of("a")) return;
  throw Error(
      ErrorCode::model,
      format("{}: the model needs lower-cased texts, but its tokenizer keeps capitals", spec.dir));
}

}  // namespace fineprint::nets
