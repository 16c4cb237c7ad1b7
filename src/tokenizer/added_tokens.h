// Tokens that are found in a text before the model processes it, for example "[SEP]".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fineprint::tokenizer {

// One entry of the file's list of added tokens.
struct AddedToken {
  std::string content;
  // The text that is searched for and decoded to: the content, normalized if the file asks for it.
  std::string pattern;
  std::int32_t id = 0;
  bool special = false;
  bool single_word = false;  // matches only where no word character touches it
  bool lstrip = false;       // includes the blanks before it
  bool rstrip = false;       // includes the blanks after it
  bool normalized = false;   // is searched for in normalized text
};

// A part of a text: an added token (id >= 0), or text between added tokens (id -1).
struct TextPart {
  std::size_t begin = 0, end = 0;  // bytes
  std::int32_t id = -1;
};

// Finds one set of tokens. Immutable and thread-safe.
class TokenFinder {
 public:
  explicit TokenFinder(std::vector<AddedToken> tokens);

  // Splits the text into parts that cover it in order. Parts are never empty. If several tokens
  // start at one place, the longest wins. A token may start inside the blanks that the one before
  // included.
  std::vector<TextPart> split(std::string_view utf8) const;

 private:
  // Returns the token with the longest pattern at `at`; nullptr if there is none.
  const AddedToken* match(std::string_view utf8, std::size_t at) const;

  std::vector<AddedToken> tokens_;  // sorted by pattern
  // For each first byte, where its patterns start in tokens_; 257 bounds.
  std::vector<std::size_t> starts_;
};

// Looks up the added tokens of a file by id and content.
class AddedTokens {
 public:
  explicit AddedTokens(const std::vector<AddedToken>& tokens);

  const AddedToken* find(std::int32_t id) const;       // nullptr if unknown
  std::int32_t id_of(std::string_view content) const;  // -1 if unknown
  bool is_special(std::string_view content) const {
    return special_.contains(std::string(content));
  }
  std::size_t size() const { return size_; }  // the largest id + 1

 private:
  std::unordered_map<std::int32_t, AddedToken> by_id_;
  std::unordered_map<std::string, std::int32_t> ids_;
  std::unordered_set<std::string> special_;
  std::size_t size_ = 0;
};

}  // namespace fineprint::tokenizer
