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

  // Appends the pieces of a word. A word that cannot be split into known pieces becomes one unknown
  // token.
  void cut(std::string_view text, Range word, std::vector<ModelToken>* out) const;
  static ModelToken longest(const Map& map, std::size_t limit, std::string_view text, Range rest);

  Vocabulary vocabulary_;
  WordPieceOptions options_;
  Map starting_;                                               // by complete token
  Map continuing_;                                             // by token without the prefix
  std::size_t longest_starting_ = 0, longest_continuing_ = 0;  // in bytes
  std::int32_t unknown_id_ = -1;
};

}  // namespace fineprint::tokenizer
