// Restricts a generator to replies that fit a JSON schema: says after each token which may follow.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fineprint/grammar/json_schema.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::grammar {

class TokenTrie;  // src/grammar/token_trie.h

// Returns the bytes of all tokens of a model, sorted for `JsonConstraint`. Build it once for each
// model and share it between calls, from any thread: it takes a tenth of a second and 11 MB for
// 152,000 tokens. `vocabulary` is the number of logits of the model, which may be larger than the
// tokenizer's vocabulary.
//
// Special tokens have no bytes and are never allowed. The model's `end_tokens` are allowed where
// the value is complete; ids outside the vocabulary are ignored.
std::shared_ptr<const TokenTrie> make_token_trie(const tokenizer::Tokenizer& tokenizer,
                                                 std::size_t vocabulary,
                                                 std::span<const std::int64_t> end_tokens);

// Follows one reply, token by token. Whatever the sampler draws from the allowed tokens, the reply
// parses and fits the schema. This holds even if the number of tokens is limited, as long as the
// limit is at least `shortest()`.
//
// The constraint writes only a part of what a schema allows:
// - Properties come in the order of the schema.
// - One blank may come before a value and before a key, and nowhere else, so that a reply cannot
// end
//   in an endless run of blanks.
// - Strings are valid UTF-8 without control characters. The only escapes are \" \\ \/ \n \r \t,
//   because no other character needs one.
// - Integers have at most 15 digits. Other numbers have at most 9 digits before the point and 6
// after
//   it, and no exponent.
// - Arrays without maxItems end after 256 items. Strings without maxLength end when the tokens do.
//
// Memory: one byte for each token of the vocabulary. Not thread-safe: one object follows one reply.
class JsonConstraint {
 public:
  // Throws Error(model) if the vocabulary cannot write what the schema needs; the message names the
  // missing text. For example, a vocabulary without '{' cannot write an object.
  JsonConstraint(std::shared_ptr<const TokenTrie> trie, const JsonSchema& schema);
  ~JsonConstraint();
  JsonConstraint(JsonConstraint&&) noexcept;

  // Returns a number of tokens that suffices for the shortest reply, without the end token. Keys
  // and constants count with their fewest tokens, quotes and digits with one token each.
  std::size_t shortest() const;
  // Returns one flag for each token id [vocabulary]: 1 if the token may come next. `tokens_left` is
  // the number of tokens that may still be written, the next one included (1: the next is the
  // last). The span is valid until the next call. All flags are 0 only if the value is complete and
  // the model has no end token. Takes under 50 microseconds on average.
  //
  // Throws Error(usage) if `tokens_left` is too small to end the value, or if an end token was
  // accepted.
  std::span<const std::uint8_t> allowed(std::size_t tokens_left);
  // Moves on by one token, which `allowed` must have flagged. An end token ends the reply. Throws
  // Error(internal) if the token was not allowed; the object must not be used afterwards.
  void accept(std::int64_t id);
  // Returns true if the value is complete: nothing can follow except an end token. A number that is
  // the whole reply, for example 12, counts as incomplete while another digit may follow, although
  // an end token is allowed.
  bool complete() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::grammar
