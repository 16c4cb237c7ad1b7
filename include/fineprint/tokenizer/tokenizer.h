// Converts text to the token ids of a model and back, as the model's tokenizer.json describes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::tokenizer {

// A token and the characters of the input that it covers: Unicode code points [begin, end). Special
// tokens that the template adds cover nothing. If one character gives several tokens (its bytes),
// each of them covers the character.
struct Token {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;
  std::int32_t type = 0;  // the model's token type: 1 for the second text of a pair, usually
};

// Decodes one id at a time. Use StreamDecoder, which wraps it.
class DecodeState {
 public:
  virtual ~DecodeState() = default;
  virtual std::string push(std::int32_t id) = 0;
  virtual std::string finish() = 0;
};

// A tokenizer as its file describes it: normalizer, pre-tokenizer, model (BPE, WordPiece or
// Unigram), template, decoder and added tokens. Immutable and thread-safe. The file's truncation
// and padding are ignored, because the caller knows the model's limit. Invalid UTF-8 counts as
// U+FFFD. Special tokens that are written in a text become their ids.
//
// Source: the Hugging Face `tokenizers` file format. The output equals that library's (0.23.3) on
// text whose characters are assigned in Unicode 14. Deviation: regular expressions know Unicode 14
// (PCRE2 10.42), while the library's know Unicode 16. The 9392 letters and digits of Unicode 15 and
// 16 count as symbols where an expression splits text, so words in such scripts may become other
// tokens. They decode to the same text.
class Tokenizer {
 public:
  // Loads a tokenizer.json. Throws Error(model) with the file and the component that cannot be
  // used.
  static std::unique_ptr<Tokenizer> load(const std::string& tokenizer_json_path);
  virtual ~Tokenizer() = default;

  // Returns the tokens of a text. `add_special_tokens` adds those of the template, for example
  // [CLS] and [SEP]. Throws Error(too_large) for texts above 1 GiB.
  virtual std::vector<Token> encode(std::string_view utf8, bool add_special_tokens) const = 0;
  // Returns both texts in one sequence with special tokens, as the file's template for pairs says.
  // Offsets refer to the text that a token comes from.
  virtual std::vector<Token> encode_pair(std::string_view first, std::string_view second) const = 0;
  // Returns the number of tokens without special tokens: the measure of a chunk's length.
  virtual std::size_t count(std::string_view utf8) const = 0;
  // Returns the text of the ids. Unknown ids are skipped.
  virtual std::string decode(const std::vector<std::int32_t>& ids,
                             bool skip_special_tokens) const = 0;
  // Returns the id of a token's text; -1 if it is unknown.
  virtual std::int32_t id_of(std::string_view token) const = 0;

  // The five functions below throw Error(internal) unless the tokenizer comes from `load` or
  // `make_tokenizer`.

  // Returns the largest id + 1, added tokens included. The model's own vocab_size may be larger.
  virtual std::size_t vocab_size() const;
  // Returns the token as it is written in the file, for example "Ġthe" or "<0x0A>"; empty if
  // unknown.
  virtual std::string token(std::int32_t id) const;
  // Returns the bytes that the token adds in the middle of a decoded text, for example " the" or
  // "\n". They may be part of a character. Changes that decoders make only at the start or end of a
  // text (such as dropping a blank) are not included. Empty if the id is unknown.
  virtual std::string token_bytes(std::int32_t id) const;
  // Returns true if `skip_special_tokens` leaves the token out of decoded text.
  virtual bool is_special(std::int32_t id) const;
  // Returns a decoder for one text. The tokenizer must outlive it.
  virtual std::unique_ptr<DecodeState> start_decoding(bool skip_special_tokens) const;
};

// Decodes ids as they arrive. The pieces, joined, equal `decode` of all ids. No piece ends inside a
// character: bytes that may still change wait for the next id, and invalid UTF-8 becomes U+FFFD as
// in `decode`. A run of byte tokens such as <0xE2> is valid or invalid as a unit, so it waits for
// its end. Takes constant time per token. Not thread-safe.
class StreamDecoder {
 public:
  // The tokenizer must outlive the decoder.
  StreamDecoder(const Tokenizer& tokenizer, bool skip_special_tokens)
      : state_(tokenizer.start_decoding(skip_special_tokens)) {}

  // Returns the text that this id completes. It is often empty, and sometimes more than one
  // token's.
  std::string push(std::int32_t id) { return state_->push(id); }
  // Returns the text that was still waiting. After that, the decoder can start a new text.
  std::string finish() { return state_->finish(); }

 private:
  std::unique_ptr<DecodeState> state_;
};

}  // namespace fineprint::tokenizer
