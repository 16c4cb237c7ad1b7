// The content of a tokenizer.json, checked and turned into components.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/tokenizer/tokenizer.h"

#include "tokenizer/added_tokens.h"
#include "tokenizer/decoders.h"
#include "tokenizer/normalizers.h"
#include "tokenizer/post_processors.h"
#include "tokenizer/pre_tokenizers.h"
#include "tokenizer/token_model.h"
#include "tokenizer/tokenizer_json.h"

namespace fineprint::tokenizer {

// The components of one file.
struct TokenizerFile {
  std::unique_ptr<Normalizer> normalizer;       // may be null
  std::unique_ptr<PreTokenizer> pre_tokenizer;  // may be null
  std::unique_ptr<TokenModel> model;
  PostProcessor post_processor;
  std::vector<std::unique_ptr<Decoder>> decoders;  // in order
  std::vector<AddedToken> added_tokens;
};

// Reads a tokenizer.json. Throws Error(model) with the file and the part that cannot be used.
TokenizerFile read_tokenizer_file(const std::string& path);

// Returns a tokenizer made of these components (tokenizer.cpp).
std::unique_ptr<Tokenizer> assemble(TokenizerFile file);

// Read the parts. They return null if the file says null. They throw Error(model) that names the
// part if it cannot be used.
std::unique_ptr<Normalizer> read_normalizer(const Part& part);
std::unique_ptr<PreTokenizer> read_pre_tokenizer(const Part& part);
std::unique_ptr<TokenModel> read_token_model(const Part& part);
PostProcessor read_post_processor(const Part& part);
std::vector<std::unique_ptr<Decoder>> read_decoders(const Part& part);

// Reads {"String": ...} or {"Regex": ...}.
TokenPattern read_pattern(const Part& part);

}  // namespace fineprint::tokenizer
