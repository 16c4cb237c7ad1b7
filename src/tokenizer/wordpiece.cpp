// Splits words greedily: the longest match comes first.
#include "tokenizer/wordpiece.h"

#include <algorithm>

namespace fineprint::tokenizer {

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
  starting_.reserve(vocabulary_.entries().size());
  for (const auto& [token, id] : vocabulary_.entries()) {
    std::string_view piece = token;
    // A token with the prefix can also start a word that is written with it.
    starting_.insert_or_assign(piece, id);
    longest_starting_ = std::max(longest_starting_, piece.size());
    if (!piece.starts_with(options_.continuing_prefix)) continue;
    piece.remove_prefix(options_.continuing_prefix.size());
    continuing_.insert_or_assign(piece, id);
    longest_continuing_ = std::max(longest_continuing_, piece.size());
  }
  unknown_id_ = vocabulary_.id_of(options_.unknown);
}

// Returns the longest token of `map` at the start of `rest`; an empty one if there is none.
ModelToken WordPiece::longest(const Map& map, std::size_t limit, std::string_view text,
                              Range rest) {
  const std::size_t room = rest.end - rest.begin;
  for (std::size_t length = std::min(limit, room); length > 0; --length) {
    const std::size_t end = rest.begin + length;
    // Tokens end between characters.
    if (length < room && (text[end] & 0xC0) == 0x80) continue;
    const auto found = map.find(text.substr(rest.begin, length));
    if (found != map.end()) return {found->second, {rest.begin, static_cast<std::uint32_t>(end)}};
  }
  return {-1, {rest.begin, rest.begin}};
}

void WordPiece::cut(std::string_view text, Range word, std::vector<ModelToken>* out) const {
  const std::size_t before = out->size();
  const std::size_t size = word.end - word.begin;
  // Counting characters takes time; a word with few bytes cannot have too many characters.
  bool known = size <= options_.max_input_chars_per_word ||
               code_point_count(text.substr(word.begin, size)) <= options_.max_input_chars_per_word;
  for (std::uint32_t at = word.begin; known && at < word.end;) {
    const ModelToken token = at == word.begin
                                 ? longest(starting_, longest_starting_, text, word)
                                 : longest(continuing_, longest_continuing_, text, {at, word.end});
    known = token.range.end > at;
    out->push_back(token);
    at = token.range.end;
  }
  if (known) return;
  out->resize(before);
  out->push_back({unknown_id_, word});
}

void WordPiece::tokenize(std::string_view text, const std::vector<Range>& pieces,
                         std::vector<ModelToken>* out) const {
  for (const Range piece : pieces) cut(text, piece, out);
}

}  // namespace fineprint::tokenizer
