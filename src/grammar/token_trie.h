// The bytes of a vocabulary, sorted by what its tokens can write; built once for each model.
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

// A number of tokens or bytes that means "impossible". A quarter of the range, so that the sum of a
// few of them does not overflow.
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max() / 4;

// What the tokens of a vocabulary do to a string at one point of its automaton.
struct StringTokens {
  struct Inner {
    std::int32_t id = 0;
    std::uint16_t code_points = 0;  // characters that it begins
    std::uint8_t cost = 0;          // further tokens to the end of its last character
  };
  std::vector<Inner> inner;  // tokens that leave the string open, by code_points
  ByteTrie closing;          // tokens that close it, by the bytes after the quote
};

// Immutable and thread-safe. Takes about 11 MB for 152,000 tokens, 2.6 MB of which are the masks.
// Tokens of more than 512 bytes are never allowed.
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
  // Returns the bytes of a token; empty for end tokens and for ids that are never allowed.
  std::string_view bytes_of(std::int64_t id) const;
  // Returns true if `byte` alone is a token.
  bool has_byte(std::uint8_t byte) const { return single_[byte]; }
  // Returns the tokens from this point to the nearest end of a character; kNever if a byte that
  // this needs has no token of its own.
  std::uint32_t cost_of(StringPoint point) const { return cost_[static_cast<std::size_t>(point)]; }

  const StringTokens& tokens_at(StringPoint point) const {
    return at_[static_cast<std::size_t>(point)];
  }
  // Returns flags [vocabulary] of the tokens that stay inside a string and begin at most
  // `code_points` characters there. From kManyCodePoints on, the flags are those of all tokens that
  // stay inside.
  static constexpr std::size_t kManyCodePoints = 16;
  std::span<const std::uint8_t> inside(std::size_t code_points) const;
  // Returns the tokens of these masks that end within a character or an escape.
  std::span<const StringTokens::Inner> unfinished() const { return unfinished_; }

 private:
  std::vector<TrieEntry> read_tokens(const tokenizer::Tokenizer& tokenizer);
  void find_costs();
  void find_string_tokens(StringPoint point, std::span<const TrieEntry> entries);
  void make_masks();

  std::size_t vocabulary_;
  std::vector<std::int64_t> end_tokens_;
  std::string bytes_;                   // of all tokens, one after the other
  std::vector<std::uint32_t> offsets_;  // of each token in bytes_ [vocabulary + 1]
  std::size_t longest_ = 0;
  std::array<bool, 256> single_{};  // bytes with a token of their own
  ByteTrie tokens_;
  std::array<std::uint32_t, kOpenPoints> cost_{};
  std::array<StringTokens, kOpenPoints> at_;
  std::vector<StringTokens::Inner> unfinished_;
  std::vector<std::uint8_t> masks_;  // [kManyCodePoints + 1, vocabulary]
};

}  // namespace fineprint::grammar
