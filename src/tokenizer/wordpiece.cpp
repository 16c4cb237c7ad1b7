// Splits words greedily: the longest match comes first.
#include "tokenizer/wordpiece.h"

#include <algorithm>

namespace fineprint::tokenizer {

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
  // Words are begun by tokens of the vocabulary, those with the prefix included: a word may be
  // written with it.
  for (const auto& [token, id] : vocabulary_.entries()) {
    std::string_view piece = token;
    longest_starting_ = std::max(longest_starting_, piece.size());
    if (!piece.starts_with(options_.continuing_prefix)) continue;
    piece.remove_prefix(options_.continuing_prefix.size());
    continuing_.insert_or_assign(piece, id);
    longest_continuing_ = std::max(longest_continuing_, piece.size());
  }
  unknown_id_ = vocabulary_.id_of(options_.unknown);
}

ModelToken WordPiece::longest(Find find, std::size_t limit, std::string_view text,
                              Range rest) const {
  const std::size_t room = rest.end - rest.begin;
  for (std::size_t length = std::min(limit, room); length > 0; --length) {
    const std::size_t end = rest.begin + length;
    // Tokens end between characters.
    if (length < room && (text[end] & 0xC0) == 0x80) continue;
    const std::int32_t id = find(*this, text.substr(rest.begin, length));
    if (id >= 0) return {id, {rest.begin, static_cast<std::uint32_t>(end)}};
  }
  return {-1, {rest.begin, rest.begin}};
}

void WordPiece::cut(std::string_view text, Range word, std::vector<ModelToken>* out) const {
  const std::size_t before = out->size();
  const std::size_t size = word.end - word.begin;
  // Counting characters takes time; a word with few bytes cannot have too many characters.
  bool known = size <= options_.max_input_chars_per_word ||
               code_point_count(text.substr(word.begin, size)) <= options_.max_input_chars_per_word;
  const auto starting = [](const WordPiece& model, std::string_view token) {
    return model.vocabulary_.id_of(token);
  };
  const auto continuing = [](const WordPiece& model, std::string_view token) {
    const auto found = model.continuing_.find(token);
    return found == model.continuing_.end() ? -1 : found->second;
  };
  for (std::uint32_t at = word.begin; known && at < word.end;) {
    const ModelToken token = at == word.begin
                                 ? longest(starting, longest_starting_, text, word)
                                 : longest(continuing, longest_continuing_, text, {at, word.end});
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
