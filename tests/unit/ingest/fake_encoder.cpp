// Deterministic stand-ins for the text encoder.
#include "fake_encoder.h"

#include <chrono>
#include <sstream>
#include <thread>

#include "fineprint/core/error.h"
#include "fineprint/core/hash.h"

namespace fineprint::ingest::testing {

namespace {

constexpr std::size_t kDim = 4;

class WordTokenizer : public text::Tokenizer {
 public:
  std::vector<text::Token> encode(std::string_view utf8, bool) const override {
    std::vector<text::Token> out;
    for (std::size_t at = 0; at < utf8.size();) {
      const std::size_t begin = utf8.find_first_not_of(" \n", at);
      if (begin == std::string_view::npos) break;
      at = std::min(utf8.find_first_of(" \n", begin), utf8.size());
      out.push_back({1, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    }
    return out;
  }
  std::vector<text::Token> encode_pair(std::string_view first, std::string_view) const override {
    return encode(first, false);
  }
  std::size_t count(std::string_view utf8) const override { return encode(utf8, false).size(); }
  std::string decode(const std::vector<std::int32_t>&, bool) const override { return ""; }
  std::int32_t id_of(std::string_view) const override { return -1; }
};

class HashEmbedder : public models::Embedder {
 public:
  HashEmbedder(Counts& counts, std::string identity)
      : counts_(counts), identity_(std::move(identity)) {}
  std::size_t dim() const override { return kDim; }
  std::string name() const override { return identity_; }
  std::string hash() const override { return identity_; }
  const text::Tokenizer& tokenizer() const override { return tokenizer_; }
  Matrix embed(std::span<const std::string> texts, models::TextRole) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(counts_.delay_ms.load()));
    counts_.texts += static_cast<int>(texts.size());
    if (counts_.texts > counts_.fail_after) throw Error(ErrorCode::model, "the model broke");
    Matrix out{texts.size(), kDim, {}};
    for (const std::string& one : texts) {
      for (const float value : fake_vector(one)) out.values.push_back(value);
    }
    return out;
  }

 private:
  Counts& counts_;
  std::string identity_;
  WordTokenizer tokenizer_;
};

}  // namespace

std::vector<float> fake_vector(const std::string& text) {
  std::vector<float> out;
  for (std::size_t i = 0; i < kDim; ++i) {
    out.push_back(static_cast<float>(checksum(text + std::to_string(i)) % 1000) / 1000);
  }
  return out;
}

EncoderSource fake_encoder(Counts& counts, const std::string& identity) {
  EncoderSource out;
  out.identity = identity;
  out.tokenizer = std::make_shared<WordTokenizer>();
  out.load = [&counts, identity] {
    ++counts.loads;
    return std::make_unique<HashEmbedder>(counts, identity);
  };
  return out;
}

}  // namespace fineprint::ingest::testing
