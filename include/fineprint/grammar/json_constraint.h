// Which tokens may come next when a reply has to be JSON of a schema.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fineprint/grammar/json_schema.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::grammar {

class TokenTrie;  // src/text/json/token_trie.h

// The bytes of all tokens of a model, prepared once (a tenth of a second and 11 MB for 152,000
// tokens) and shared by its calls, from any thread. Special tokens have none and are never
// allowed; a model's end tokens are allowed where the value is complete.
std::shared_ptr<const TokenTrie> make_token_trie(const tokenizer::Tokenizer& tokenizer,
                                                 std::size_t vocabulary,
                                                 std::span<const std::int64_t> end_tokens);

// Follows one reply, token by token. Whatever is drawn among the allowed tokens, the reply parses
// and fits the schema, also when it may be no longer than a given number of tokens, as long as
// `shortest()` of them fit.
//
// A schema allows more than is written here. Properties come in the schema's order. One blank may
// stand before a value and before a key, none elsewhere, so a reply cannot end in one. Strings are
// valid UTF-8 without control characters; of escapes there are \" \\ \/ \n \r \t, since no other
// character needs one. Integers have at most 15 digits, numbers 9 and 6 after the point, without
// exponents. Arrays without maxItems end after 256 items, strings without maxLength when the tokens
// do. Takes a byte a token of the vocabulary. One thread at a time.
class JsonConstraint {
 public:
  // Throws Error(model) when the vocabulary cannot write what the schema asks for, naming it.
  JsonConstraint(std::shared_ptr<const TokenTrie> trie, const JsonSchema& schema);
  ~JsonConstraint();
  JsonConstraint(JsonConstraint&&) noexcept;

  // Tokens that suffice for the shortest reply, the end token not counted: keys and constants in
  // the fewest tokens, quotes and digits one by one.
  std::size_t shortest() const;
  // One flag a token id [vocabulary]: those that may come next, when it is one of at most
  // `tokens_left` (1: the last one). Valid until the next call; all 0 only where the value is
  // complete and the model has no end token. Under 50 microseconds on average. Throws Error(usage)
  // when the tokens left are too few to end the value, or after an end token.
  std::span<const std::uint8_t> allowed(std::size_t tokens_left);
  // `id` must have been allowed; an end token ends the reply. Throws Error(internal) otherwise, and
  // is of no use afterwards.
  void accept(std::int64_t id);
  // The value is complete: nothing can follow, and only an end token may. (A number that is the
  // whole reply may go on while an end token is allowed.)
  bool complete() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::grammar
