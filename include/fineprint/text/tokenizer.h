// Turns text into the token ids of a model, from the tokenizer.json that comes with it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// A token and the characters (Unicode code points, [begin, end)) of the input it covers; special
// tokens that the template adds cover nothing.
struct Token {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;
  std::int32_t type = 0;  // the model's token type: 1 for the second text of a pair
};

// A WordPiece tokenizer with BERT's normaliser, pre-tokenizer and template. Immutable and safe to
// share between threads. The file's own truncation and padding are ignored: the caller knows the
// model's limit. Invalid UTF-8 counts as U+FFFD.
// Source: the Hugging Face `tokenizers` file format; equal to that library's output.
class Tokenizer {
 public:
  // Throws Error(model) naming the file and what it cannot use.
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
};

}  // namespace fineprint::text
