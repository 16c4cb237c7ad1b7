// What a vocabulary can write, prepared for all replies of a model.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/tokenizer/tokenizer.h"

#include "grammar/byte_trie.h"
#include "grammar/string_point.h"

namespace fineprint::grammar {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max() / 4;

// What tokens do to a string that has come to a certain point.
struct StringTokens {
  struct Inner {
    std::int32_t id = 0;
    std::uint16_t code_points = 0;  // that it begins
    std::uint8_t cost = 0;          // tokens from where it ends to the end of the character
  };
  std::vector<Inner> inner;  // tokens after which the string is still open, by code_points
  ByteTrie closing;          // tokens with the closing quote, by the bytes that follow it
};

// Immutable and safe to share. For 152,000 tokens about 11 MB, of which the masks take 2.6. Tokens
// of more than 512 bytes are never allowed.
class TokenTrie {
 public:
  TokenTrie(const tokenizer::Tokenizer& tokenizer, std::size_t vocabulary,
            std::span<const std::int64_t> end_tokens);

  std::size_t vocabulary() const { return vocabulary_; }
  std::size_t longest_token() const { return longest_; }  // bytes
  std::size_t memory() const;
  const ByteTrie& tokens() const { return tokens_; }
  std::span<const std::int64_t> end_tokens() const { return end_tokens_; }
  bool is_end(std::int64_t id) const;
  // Empty for an id that is never allowed and for end tokens.
  std::string_view bytes_of(std::int64_t id) const;
  bool has_byte(std::uint8_t byte) const { return single_[byte]; }
  // Tokens from this point to the nearest end of a character; kNever when some byte has no token.
  std::uint32_t cost_of(StringPoint point) const { return cost_[static_cast<std::size_t>(point)]; }

  const StringTokens& tokens_at(StringPoint point) const {
    return at_[static_cast<std::size_t>(point)];
  }
  // Flags of the tokens that stay inside a string [vocabulary]: those of at most `code_points`, or
  // all from kManyCodePoints on.
  static constexpr std::size_t kManyCodePoints = 16;
  std::span<const std::uint8_t> inside(std::size_t code_points) const;
  // Those of them that end within a character or an escape.
  std::span<const StringTokens::Inner> unfinished() const { return unfinished_; }

 private:
  std::vector<TrieEntry> read_tokens(const tokenizer::Tokenizer& tokenizer);
  void find_costs();
  void find_string_tokens(StringPoint point, std::span<const TrieEntry> entries);
  void make_masks();

  std::size_t vocabulary_;
  std::vector<std::int64_t> end_tokens_;
  std::string bytes_;                   // of all tokens, one after the other
  std::vector<std::uint32_t> offsets_;  // [vocabulary + 1]
  std::size_t longest_ = 0;
  std::array<bool, 256> single_{};  // bytes with a token of their own
  ByteTrie tokens_;
  std::array<std::uint32_t, kOpenPoints> cost_{};
  std::array<StringTokens, kOpenPoints> at_;
  std::vector<StringTokens::Inner> unfinished_;
  std::vector<std::uint8_t> masks_;  // [kManyCodePoints + 1, vocabulary]
};

}  // namespace fineprint::grammar
