// What a tokenizer.json says, checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/added_tokens.h"
#include "text/bert_words.h"
#include "text/wordpiece.h"

namespace fineprint::text {

// One step of a template: a special token, or one of the texts.
struct TemplateStep {
  enum class Kind { special, first, second } kind = Kind::first;
  std::vector<std::int32_t> ids;  // of the special token
  std::int32_t type = 0;
};

struct WordPieceDecoder {
  std::string prefix = "##";
  bool cleanup = true;
};

struct TokenizerFile {
  NormalizerOptions normalizer;
  WordPieceOptions model;
  WordPiece::Vocabulary vocabulary;
  std::vector<AddedToken> added_tokens;
  std::vector<TemplateStep> single, pair;
  std::optional<WordPieceDecoder> decoder;  // without one, tokens are joined by blanks
};

// Throws Error(model) naming the file and the part that cannot be used.
TokenizerFile read_tokenizer_file(const std::string& path);

}  // namespace fineprint::text
