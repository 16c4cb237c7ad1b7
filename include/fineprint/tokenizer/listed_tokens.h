// Builds tokenizers from files that list their tokens and only name the other components, such as
// GGUF.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::tokenizer {

// The kind of a token. The numbers are those of GGUF files.
enum class TokenKind : std::uint8_t { normal = 1, unknown, control, user_defined, unused, byte };

// The tokens of a file, and the settings that determine the other components.
struct ListedTokens {
  // The algorithm:
  // - "gpt2": byte-level BPE; pairs of a byte alphabet are joined in the order of `merges`.
  // - "llama": SentencePiece's BPE; pairs are joined in the order of `scores`, and unknown
  //   characters become <0xNN>.
  // - "bert": WordPiece, the longest known pieces of a word. The first piece of a word is listed
  //   with "▁" before it, the others as they are.
  // - "t5": SentencePiece's Unigram, the most likely pieces by `scores`.
  std::string model;
  // How texts are split before the model: "smollm", "llama-bpe", "qwen2", ... "gpt2" only.
  std::string pre_tokenizer;
  std::vector<std::string> tokens;  // the index is the id
  std::vector<TokenKind> kinds;     // one for each token; if empty, all are normal
  std::vector<double> scores;       // one for each token; "llama" and "t5" only
  std::vector<std::string> merges;  // two tokens separated by a blank; "gpt2" only
  // Ids of the special tokens that are put around a text; -1 for none.
  std::int32_t begin = -1, end = -1;
  bool blank_before = true;  // put a blank before each text; "llama" only
  // Control tokens take the blanks after them, but not the tokens for a text's begin or end or for
  // unknown characters.
  bool control_takes_blanks = false;
  std::int32_t unknown = -1;  // the token for unknown characters; "bert" and "t5" only
  // "bert" only. If absent, text is lower-cased if no token has a capital letter.
  std::optional<bool> lower_case;
  std::optional<bool> strip_accents;  // "bert" only; if absent, as lower_case
  std::string character_map;          // SentencePiece's character map, may be empty; "t5" only
};

// Returns a tokenizer that gives the same ids as the tokenizer.json of the same model. Control
// tokens are special; they are recognised in texts, as user-defined tokens are. Throws Error(model)
// if the model or the pre-tokenizer is not supported, or if the lists contradict each other.
std::unique_ptr<Tokenizer> make_tokenizer(const ListedTokens& listed);

}  // namespace fineprint::tokenizer
