// The WordPiece model: a plain word into the longest known pieces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fineprint::text {

struct WordPieceOptions {
  std::string unknown = "[UNK]";
  std::string continuing_prefix = "##";
  std::size_t max_input_chars_per_word = 100;
};

struct WordPiecePart {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;  // bytes of the word
};

class WordPiece {
 public:
  using Vocabulary = std::vector<std::pair<std::string, std::int32_t>>;

  // The unknown token must be in the vocabulary.
  WordPiece(Vocabulary vocabulary, WordPieceOptions options);
  WordPiece(const WordPiece&) = delete;  // the maps point into vocabulary_
  WordPiece& operator=(const WordPiece&) = delete;

  // Appends the word's parts; a word that cannot be cut into known pieces is one unknown part.
  void cut(std::string_view word, std::vector<WordPiecePart>* out) const;

  std::int32_t id_of(std::string_view token) const;    // -1 when unknown
  const std::string* token_of(std::int32_t id) const;  // nullptr when unknown
  const WordPieceOptions& options() const { return options_; }

 private:
  using Map = std::unordered_map<std::string_view, std::int32_t>;
  static WordPiecePart longest(const Map& map, std::size_t limit, std::string_view word,
                               std::uint32_t begin);

  Vocabulary vocabulary_;
  WordPieceOptions options_;
  Map starting_;    // whole token -> id
  Map continuing_;  // token without the prefix -> id
  std::unordered_map<std::int32_t, const std::string*> tokens_;
  std::size_t longest_starting_ = 0, longest_continuing_ = 0;  // bytes
  std::int32_t unknown_id_ = -1;
};

}  // namespace fineprint::text
