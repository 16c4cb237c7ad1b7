// The WordPiece model: splits a plain word into the longest known pieces.
#pragma once

#include <string>
#include <unordered_map>

#include "tokenizer/token_model.h"

namespace fineprint::tokenizer {

// The options of the model, with defaults as in tokenizer.json.
struct WordPieceOptions {
  std::string unknown = "[UNK]";
  std::string continuing_prefix = "##";
  std::size_t max_input_chars_per_word = 100;
};

class WordPiece : public TokenModel {
 public:
  // The unknown token must be in the vocabulary.
  WordPiece(Vocabulary vocabulary, WordPieceOptions options);
  WordPiece(const WordPiece&) = delete;  // the maps point into vocabulary_
  WordPiece& operator=(const WordPiece&) = delete;

  void tokenize(std::string_view text, const std::vector<Range>& pieces,
                std::vector<ModelToken>* out) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  using Map = std::unordered_map<std::string_view, std::int32_t>;

  // Returns the id of a token, or -1.
  using Find = std::int32_t (*)(const WordPiece& model, std::string_view token);

  // Appends the pieces of a word. A word that cannot be split into known pieces becomes one unknown
  // token.
  void cut(std::string_view text, Range word, std::vector<ModelToken>* out) const;
  // Returns the longest token at the start of `rest` that `find` knows; an empty one if there is
  // none. `limit`: the length of the longest token that it knows.
  ModelToken longest(Find find, std::size_t limit, std::string_view text, Range rest) const;

  Vocabulary vocabulary_;
  WordPieceOptions options_;
  Map continuing_;                                             // by token without the prefix
  std::size_t longest_starting_ = 0, longest_continuing_ = 0;  // in bytes
  std::int32_t unknown_id_ = -1;
};

}  // namespace fineprint::tokenizer
