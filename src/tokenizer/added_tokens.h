// Tokens that are found in a text before the model looks at it, such as "[SEP]".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fineprint::tokenizer {

struct AddedToken {
  std::string content;
  std::string pattern;  // what is looked for and decoded to: the content, normalized if asked to
  std::int32_t id = 0;
  bool special = false;
  bool single_word = false;  // only where no word character touches it
  bool lstrip = false;       // takes the blanks before it along
  bool rstrip = false;       // takes the blanks after it along
  bool normalized = false;   // found in normalized text
};

// A stretch of a text: an added token (id >= 0) or text between such (id -1).
struct Stretch {
  std::size_t begin = 0, end = 0;  // bytes
  std::int32_t id = -1;
};

// Finds one set of tokens. Immutable, safe to share.
class TokenFinder {
 public:
  explicit TokenFinder(std::vector<AddedToken> tokens);

  // The whole text in order, without empty stretches. Of several tokens that start at one place the
  // longest counts. A token may start within blanks that the one before took along.
  std::vector<Stretch> split(std::string_view utf8) const;

 private:
  // The longest pattern at `at`, or nullptr.
  const AddedToken* match(std::string_view utf8, std::size_t at) const;

  std::vector<AddedToken> tokens_;   // by pattern
  std::vector<std::size_t> starts_;  // by first byte, 257 bounds into tokens_
};

// All added tokens of a file, for looking them up.
class AddedTokens {
 public:
  explicit AddedTokens(const std::vector<AddedToken>& tokens);

  const AddedToken* find(std::int32_t id) const;       // nullptr when unknown
  std::int32_t id_of(std::string_view content) const;  // -1 when unknown
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
