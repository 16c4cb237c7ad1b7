// Tokens that are found in the raw text before anything else looks at it, such as "[SEP]".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

struct AddedToken {
  std::string content;
  std::int32_t id = 0;
  bool special = false;
  bool single_word = false;  // only where no letter or digit touches it
  bool lstrip = false;       // takes the blanks before it along
  bool rstrip = false;       // takes the blanks after it along
};

// A stretch of the input: an added token (id >= 0) or text between such (id -1).
struct Stretch {
  std::size_t begin = 0, end = 0;  // bytes
  std::int32_t id = -1;
};

class AddedTokens {
 public:
  explicit AddedTokens(std::vector<AddedToken> tokens);

  // The whole input in order, without empty stretches. Of several tokens that start at one place
  // the longest counts.
  std::vector<Stretch> split(std::string_view utf8) const;
  const AddedToken* find(std::int32_t id) const;
  const std::vector<AddedToken>& all() const { return tokens_; }

 private:
  const AddedToken* match(std::string_view utf8, std::size_t at) const;

  std::vector<AddedToken> tokens_;  // longest first
  std::array<bool, 256> starts_{};  // first bytes of the tokens
};

}  // namespace fineprint::text
