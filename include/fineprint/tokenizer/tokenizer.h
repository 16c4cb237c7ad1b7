// Turns text into the token ids of a model and back, from the tokenizer.json that comes with it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::tokenizer {

// A token and the characters (Unicode code points, [begin, end)) of the input it covers; special
// tokens that the template adds cover nothing. Tokens that share one character (the bytes of a
// character without a token of its own) cover it each.
struct Token {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;
  std::int32_t type = 0;  // the model's token type: 1 for the second text of a pair
};

// Takes ids one at a time; see StreamDecoder, which is what to use.
class DecodeState {
 public:
  virtual ~DecodeState() = default;
  virtual std::string push(std::int32_t id) = 0;
  virtual std::string finish() = 0;
};

// A tokenizer as its file describes it: normalizer, pre-tokenizer, model (BPE or WordPiece),
// template, decoder, added tokens. Immutable and safe to share between threads. The file's own
// truncation and padding are ignored: the caller knows the model's limit. Invalid UTF-8 counts as
// U+FFFD. Special tokens that are written in a text become their ids.
// Source: the Hugging Face `tokenizers` file format; equal to that library's output (0.23.3) on
// text of characters assigned in Unicode 14. Deviation: expressions know Unicode 14 (PCRE2 10.42),
// the library's Unicode 16. The 9392 letters and digits of Unicode 15 and 16 count as symbols where
// an expression cuts, so words of such scripts may become other tokens; they decode to the same
// text.
class Tokenizer {
 public:
  // Throws Error(model) naming the file and the component that cannot be used.
  static std::unique_ptr<Tokenizer> load(const std::string& tokenizer_json_path);
  virtual ~Tokenizer() = default;

  virtual std::vector<Token> encode(std::string_view utf8, bool add_special_tokens) const = 0;
  // Both texts in one sequence with special tokens, as the file's pair template says; offsets are
  // within the text that the token comes from.
  virtual std::vector<Token> encode_pair(std::string_view first, std::string_view second) const = 0;
  // Tokens without special tokens: the measure of a chunk's length.
  virtual std::size_t count(std::string_view utf8) const = 0;
  virtual std::string decode(const std::vector<std::int32_t>& ids,
                             bool skip_special_tokens) const = 0;
  // The id of a token's text, or -1.
  virtual std::int32_t id_of(std::string_view token) const = 0;

  // The five below throw Error(internal) unless the tokenizer comes from `load`.

  // The largest id + 1, added tokens included. A model's own vocab_size may be larger.
  virtual std::size_t vocab_size() const;
  // The text of a token as it stands in the file, such as "Ġthe" or "<0x0A>"; empty when unknown.
  virtual std::string token(std::int32_t id) const;
  // The bytes that the token adds to a decoded text that is not empty yet, such as " the" or "\n";
  // perhaps a part of a character. What a decoder does at the very start or end of a text (dropping
  // a blank) is not in it. Empty when unknown.
  virtual std::string token_bytes(std::int32_t id) const;
  // Whether `skip_special_tokens` leaves it out of decoded text.
  virtual bool is_special(std::int32_t id) const;
  virtual std::unique_ptr<DecodeState> start_decoding(bool skip_special_tokens) const;
};

// Decodes ids as they come. The pieces, put together, equal `decode` of all ids. No piece ends
// within a character: what may still change waits for the next id, and what turns out not to be
// UTF-8 becomes U+FFFD as it does in `decode`. A run of tokens such as <0xE2> is right or wrong as
// a whole, and waits for its end. Constant time a token. One thread at a time.
class StreamDecoder {
 public:
  // The tokenizer must outlive the decoder.
  StreamDecoder(const Tokenizer& tokenizer, bool skip_special_tokens)
      : state_(tokenizer.start_decoding(skip_special_tokens)) {}

  // The text that the id completes; often empty, at times more than one token's.
  std::string push(std::int32_t id) { return state_->push(id); }
  // What was still waiting. Afterwards the decoder is at the start of a new text.
  std::string finish() { return state_->finish(); }

 private:
  std::unique_ptr<DecodeState> state_;
};

}  // namespace fineprint::tokenizer
