// Greedy longest-match-first cutting of words.
#include "text/wordpiece.h"

#include <algorithm>

namespace fineprint::text {
namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t character_count(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts_character));
}

}  // namespace

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
  starting_.reserve(vocabulary_.size());
  tokens_.reserve(vocabulary_.size());
  for (const auto& [token, id] : vocabulary_) {
    std::string_view piece = token;
    starting_.insert_or_assign(piece, id);
    tokens_.insert_or_assign(id, &token);
    longest_starting_ = std::max(longest_starting_, piece.size());
    if (!piece.starts_with(options_.continuing_prefix)) continue;
    piece.remove_prefix(options_.continuing_prefix.size());
    continuing_.insert_or_assign(piece, id);
    longest_continuing_ = std::max(longest_continuing_, piece.size());
  }
  unknown_id_ = id_of(options_.unknown);
}

// The longest piece of `map` that starts at `begin`; an empty part when there is none.
WordPiecePart WordPiece::longest(const Map& map, std::size_t limit, std::string_view word,
                                 std::uint32_t begin) {
  std::size_t length = std::min(limit, word.size() - begin);
  for (; length > 0; --length) {
    const std::size_t end = begin + length;
    if (end < word.size() && !starts_character(word[end])) continue;
    const auto found = map.find(word.substr(begin, length));
    if (found == map.end()) continue;
    return {found->second, begin, static_cast<std::uint32_t>(end)};
  }
  return {-1, begin, begin};
}

void WordPiece::cut(std::string_view word, std::vector<WordPiecePart>* out) const {
  const std::size_t before = out->size();
  bool known = word.size() <= options_.max_input_chars_per_word ||
               character_count(word) <= options_.max_input_chars_per_word;
  for (std::uint32_t at = 0; known && at < word.size();) {
    const WordPiecePart part = at == 0 ? longest(starting_, longest_starting_, word, at)
                                       : longest(continuing_, longest_continuing_, word, at);
    known = part.end > at;
    out->push_back(part);
    at = part.end;
  }
  if (known) return;
  out->resize(before);
  out->push_back({unknown_id_, 0, static_cast<std::uint32_t>(word.size())});
}

std::int32_t WordPiece::id_of(std::string_view token) const {
  const auto found = starting_.find(token);
  return found == starting_.end() ? -1 : found->second;
}

const std::string* WordPiece::token_of(std::int32_t id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? nullptr : found->second;
}

}  // namespace fineprint::text
