// A vocabulary that a test writes down: token ids are places in a list of byte strings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::testing {

class ListedTokenizer : public tokenizer::Tokenizer {
 public:
  explicit ListedTokenizer(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}

  std::vector<tokenizer::Token> encode(std::string_view, bool) const override { return {}; }
  std::vector<tokenizer::Token> encode_pair(std::string_view, std::string_view) const override {
    return {};
  }
  std::size_t count(std::string_view) const override { return 0; }
  std::string decode(const std::vector<std::int32_t>& ids, bool) const override {
    std::string out;
    for (const std::int32_t id : ids) out += token_bytes(id);
    return out;
  }
  std::int32_t id_of(std::string_view token) const override {
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      if (tokens_[id] == token) return static_cast<std::int32_t>(id);
    }
    return -1;
  }
  std::size_t vocab_size() const override { return tokens_.size(); }
  std::string token(std::int32_t id) const override { return token_bytes(id); }
  std::string token_bytes(std::int32_t id) const override {
    const auto index = static_cast<std::size_t>(id);
    return index < tokens_.size() ? tokens_[index] : std::string();
  }
  bool is_special(std::int32_t id) const override { return token_bytes(id).starts_with("<|"); }

 private:
  std::vector<std::string> tokens_;
};

// Every byte as a token, at the place of its value.
inline std::vector<std::string> byte_tokens() {
  std::vector<std::string> out;
  for (int byte = 0; byte < 256; ++byte) out.push_back(std::string(1, static_cast<char>(byte)));
  return out;
}

}  // namespace fineprint::testing
