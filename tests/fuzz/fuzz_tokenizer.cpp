// Feeds any text as a tokenizer.json and tokenizes any text with it: the file must be refused with
// Error(model), or make tokens within the text that decode the same way whole and one by one.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "support/temp_dir.h"

using namespace fineprint;

namespace {

using tokenizer::StreamDecoder;
using tokenizer::Token;
using tokenizer::Tokenizer;

void check(const std::vector<Token>& tokens, std::size_t longest, const Tokenizer& tokenizer) {
  for (const Token& token : tokens) {
    if (token.begin > token.end || token.end > longest) std::abort();
    if (token.id < 0 || static_cast<std::size_t>(token.id) >= tokenizer.vocab_size()) std::abort();
  }
}

void check_decoding(const Tokenizer& tokenizer, const std::vector<std::int32_t>& ids) {
  StreamDecoder decoder(tokenizer, true);
  std::string text;
  for (const std::int32_t id : ids) text += decoder.push(id);
  text += decoder.finish();
  if (text != tokenizer.decode(ids, true)) std::abort();
}

void use(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<Token> tokens = tokenizer.encode(text, true);
  check(tokens, text.size(), tokenizer);
  check(tokenizer.encode_pair(text, text.substr(text.size() / 2)), text.size(), tokenizer);
  std::vector<std::int32_t> ids;
  for (const Token& token : tokens) ids.push_back(token.id);
  check_decoding(tokenizer, ids);
  for (const char byte : text.substr(0, 64)) ids.push_back(static_cast<std::int32_t>(byte) - 2);
  check_decoding(tokenizer, ids);
  for (const std::int32_t id : ids) tokenizer.token_bytes(id);
}

}  // namespace

// The file, a zero byte, the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir dir;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(all.find('\0'), size);
  const std::string path = dir.write("tokenizer.json", all.substr(0, cut));
  try {
    const auto tokenizer = Tokenizer::load(path);
    use(*tokenizer, all.substr(std::min(cut + 1, size)));
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::model) std::abort();
  }
  return 0;
}
