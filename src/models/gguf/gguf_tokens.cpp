// Reads the tokenizer of a GGUF file.
#include "models/gguf/gguf_tokens.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/load_tokenizer.h"

#include "models/gguf/gguf_facts.h"

namespace fineprint::models {
namespace {

const std::string kTokens = "tokenizer.ggml.";

std::vector<tokenizer::TokenKind> token_kinds(const GgufFacts& gguf) {
  std::vector<tokenizer::TokenKind> kinds;
  const std::string key = kTokens + "token_type";
  for (const std::int64_t kind : gguf.integers(key)) {
    // llama.cpp's types: normal, unknown, control, user-defined, unused, byte.
    if (kind < 1 || kind > 6) gguf.fail(key, format("lists the type {}; types are 1 to 6", kind));
    kinds.push_back(static_cast<tokenizer::TokenKind>(kind));
  }
  return kinds;
}

std::int32_t token_under(const GgufFacts& gguf, const std::string& key, std::size_t tokens) {
  const std::int64_t id = gguf.integer(kTokens + key);
  // An id out of range would be read outside the table of embeddings.
  if (id < 0 || id >= static_cast<std::int64_t>(tokens)) {
    gguf.fail(kTokens + key, format("is {}, but there are only {} tokens", id, tokens));
  }
  return static_cast<std::int32_t>(id);
}

// Returns the token that is added around texts if the flag is set, else -1.
std::int32_t token_if_flag(const GgufFacts& gguf, const std::string& flag, bool absent,
                           const std::string& key, std::size_t tokens) {
  return gguf.flag_or(kTokens + flag, absent) ? token_under(gguf, key, tokens) : -1;
}

// Returns the token of the first key that is present; -1 if none is.
std::int32_t named_token(const GgufFacts& gguf, std::initializer_list<const char*> keys,
                         std::size_t tokens) {
  for (const char* key : keys) {
    if (gguf.has(kTokens + key)) return token_under(gguf, key, tokens);
  }
  return -1;
}

std::optional<bool> flag_if_there(const GgufFacts& gguf, const std::string& key) {
  if (!gguf.has(kTokens + key)) return std::nullopt;
  return gguf.flag_or(kTokens + key, false);
}

std::int32_t token_called(const tokenizer::ListedTokens& listed, std::string_view name) {
  const auto found = std::ranges::find(listed.tokens, name);
  return found == listed.tokens.end() ? -1
                                      : static_cast<std::int32_t>(found - listed.tokens.begin());
}

std::int32_t unknown_token(const GgufFacts& gguf, const tokenizer::ListedTokens& listed) {
  const std::int32_t named = named_token(gguf, {"unknown_token_id"}, listed.tokens.size());
  if (named >= 0) return named;
  for (std::size_t id = 0; id < std::min(listed.kinds.size(), listed.tokens.size()); ++id) {
    if (listed.kinds[id] == tokenizer::TokenKind::unknown) return static_cast<std::int32_t>(id);
  }
  return token_called(listed, "[UNK]");
}

// Returns a token that WordPiece adds around texts. Its keys are special, and many files have only
// some of them, but BERT's tokens have the same names everywhere.
std::int32_t word_piece_token(const GgufFacts& gguf, const std::string& flag,
                              std::initializer_list<const char*> keys, std::string_view usual,
                              const tokenizer::ListedTokens& listed) {
  if (!gguf.flag_or(kTokens + flag, true)) return -1;
  const std::int32_t named = named_token(gguf, keys, listed.tokens.size());
  const std::int32_t id = named >= 0 ? named : token_called(listed, usual);
  if (id < 0) {
    gguf.fail(kTokens + *keys.begin(), format("is missing, and no token has the name {}", usual));
  }
  return id;
}

void read_word_pieces(const GgufFacts& gguf, tokenizer::ListedTokens* listed) {
  listed->unknown = unknown_token(gguf, *listed);
  listed->lower_case = flag_if_there(gguf, "normalizer.lowercase");
  listed->strip_accents = flag_if_there(gguf, "normalizer.strip_accents");
  listed->begin =
      word_piece_token(gguf, "add_bos_token", {"cls_token_id", "bos_token_id"}, "[CLS]", *listed);
  listed->end = word_piece_token(gguf, "add_sep_token", {"seperator_token_id", "eos_token_id"},
                                 "[SEP]", *listed);
}

// Unigram as encoders use it: blanks only mark where words begin.
void read_likeliest_pieces(const GgufFacts& gguf, tokenizer::ListedTokens* listed) {
  const std::size_t count = listed->tokens.size();
  listed->unknown = unknown_token(gguf, *listed);
  for (const char* flag : {"add_space_prefix", "remove_extra_whitespaces"}) {
    if (!gguf.flag_or(kTokens + flag, true)) {
      gguf.fail(kTokens + flag, "is false, which is not supported for a tokenizer of model t5");
    }
  }
  const std::string map = kTokens + "precompiled_charsmap";
  for (const std::int64_t byte : gguf.integers(map)) {
    // Writers store the bytes as signed or unsigned numbers.
    if (byte < -128 || byte > 255) gguf.fail(map, "is not a list of bytes");
    listed->character_map.push_back(static_cast<char>(byte));
  }
  listed->begin = token_if_flag(gguf, "add_bos_token", false, "bos_token_id", count);
  listed->end = token_if_flag(gguf, "add_eos_token", true, "eos_token_id", count);
}

}  // namespace

tokenizer::ListedTokens listed_tokens(const tensorfile::GgufReader& reader) {
  const GgufFacts gguf(reader);
  tokenizer::ListedTokens listed;
  listed.model = gguf.text(kTokens + "model");
  listed.tokens = gguf.texts(kTokens + "tokens");
  listed.kinds = token_kinds(gguf);
  // Models with scores merge or choose pieces by score; the others have a list of merges.
  const bool scored = listed.model == "llama" || listed.model == "t5";
  if (scored) listed.scores = gguf.numbers(kTokens + "scores");
  if (listed.model == "bert") {
    read_word_pieces(gguf, &listed);
    return listed;
  }
  if (listed.model == "t5") {
    read_likeliest_pieces(gguf, &listed);
    return listed;
  }
  if (!scored) {
    listed.pre_tokenizer = gguf.text(kTokens + "pre");
    listed.merges = gguf.texts(kTokens + "merges");
  }
  // Defaults of llama.cpp.
  constexpr std::array<std::string_view, 7> kBeginning{"llama-bpe", "llama3", "llama-v3", "falcon3",
                                                       "pixtral",   "lfm2",   "tekken"};
  const bool begins =
      scored || std::ranges::find(kBeginning, listed.pre_tokenizer) != kBeginning.end();
  listed.begin = token_if_flag(gguf, "add_bos_token", begins, "bos_token_id", listed.tokens.size());
  listed.end = token_if_flag(gguf, "add_eos_token", false, "eos_token_id", listed.tokens.size());
  // Files of Phi-3 do not say what its tokenizer.json says of each token. Phi-4 has another
  // tokenizer.
  listed.control_takes_blanks =
      scored && gguf.has("general.architecture") && gguf.text("general.architecture") == "phi3";
  listed.blank_before = gguf.flag_or(kTokens + "add_space_prefix", true);
  return listed;
}

std::unique_ptr<tokenizer::Tokenizer> load_tokenizer(const std::string& path) {
  if (!tensorfile::is_gguf(path)) return tokenizer::Tokenizer::load(path);
  const tokenizer::ListedTokens listed = listed_tokens(tensorfile::GgufReader(path));
  try {
    return make_tokenizer(listed);
  } catch (const Error& error) {
    throw Error(ErrorCode::model,
                // The tokenizer does not know the file, so its name is added here.
                format("{}: its tokenizer cannot be used: {}", path, error.what()));
  }
}

}  // namespace fineprint::models
