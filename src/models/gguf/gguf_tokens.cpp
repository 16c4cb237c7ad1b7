// The tokenizer inside a GGUF file.
#include "models/gguf/gguf_tokens.h"

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
    if (kind < 1 || kind > 6) gguf.fail(key, format("names the type {}; there are 1 to 6", kind));
    kinds.push_back(static_cast<tokenizer::TokenKind>(kind));
  }
  return kinds;
}

// The id under a key, when the flag says that it is put around texts.
std::int32_t put_around(const GgufFacts& gguf, const std::string& flag, bool absent,
                        const std::string& key, std::size_t tokens) {
  if (!gguf.flag_or(kTokens + flag, absent)) return -1;
  const std::int64_t id = gguf.integer(kTokens + key);
  if (id < 0 || id >= static_cast<std::int64_t>(tokens)) {
    gguf.fail(kTokens + key, format("is {}, none of the {} tokens", id, tokens));
  }
  return static_cast<std::int32_t>(id);
}

}  // namespace

tokenizer::ListedTokens listed_tokens(const tensorfile::GgufReader& reader) {
  const GgufFacts gguf(reader);
  tokenizer::ListedTokens listed;
  listed.model = gguf.text(kTokens + "model");
  const bool scored = listed.model == "llama";
  if (!scored) listed.pre_tokenizer = gguf.text(kTokens + "pre");
  listed.tokens = gguf.texts(kTokens + "tokens");
  listed.kinds = token_kinds(gguf);
  if (scored) {
    listed.scores = gguf.numbers(kTokens + "scores");
  } else {
    listed.merges = gguf.texts(kTokens + "merges");
  }
  // What holds when the file does not say, as llama.cpp has it.
  const bool begins = scored || listed.pre_tokenizer == "llama-bpe";
  listed.begin = put_around(gguf, "add_bos_token", begins, "bos_token_id", listed.tokens.size());
  listed.end = put_around(gguf, "add_eos_token", false, "eos_token_id", listed.tokens.size());
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
                format("{}: its tokenizer cannot be used: {}", path, error.what()));
  }
}

}  // namespace fineprint::models
