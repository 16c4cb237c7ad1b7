// Tokenizers of files that list their tokens and name the rest, as GGUF files do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::tokenizer {

// Numbered as in GGUF files.
enum class TokenKind : std::uint8_t { normal = 1, unknown, control, user_defined, unused, byte };

struct ListedTokens {
  // "gpt2": pairs of a byte alphabet, joined in the order of `merges`. "llama": SentencePiece's
  // pairs, joined in the order of their `scores`, unknown characters as <0xNN>. "bert": the longest
  // known pieces of a word, the first of which is listed behind "▁", all others as they are. "t5":
  // SentencePiece's Unigram, the likeliest pieces by their `scores`.
  std::string model;
  // How texts are cut before ("gpt2" only): "smollm", "llama-bpe", "qwen2", ...
  std::string pre_tokenizer;
  std::vector<std::string> tokens;  // by id
  std::vector<TokenKind> kinds;     // of each; empty: all are normal
  std::vector<double> scores;       // of each; "llama" and "t5" only
  std::vector<std::string> merges;  // two tokens and a blank between; "gpt2" only
  // Tokens that encoding with special tokens puts around a text; -1: none.
  std::int32_t begin = -1, end = -1;
  bool blank_before = true;   // a blank is put before texts; "llama" only
  std::int32_t unknown = -1;  // stands for what no token has; "bert" and "t5" only
  // "bert" only; nothing: whether no token has a capital letter.
  std::optional<bool> lower_case;
  std::optional<bool> strip_accents;  // "bert" only; nothing: as lower_case
  std::string character_map;  // SentencePiece's table of characters, may be empty; "t5" only
};

// Equal to what tokenizer.json of the same model makes. Control tokens are special, and are found
// in texts as user-defined ones are. Throws Error(model) for a model or a pre-tokenizer that is not
// known here, and for lists that contradict each other.
std::unique_ptr<Tokenizer> make_tokenizer(const ListedTokens& listed);

}  // namespace fineprint::tokenizer
