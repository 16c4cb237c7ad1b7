// Decoding token by token against decoding at once.
#include <random>

#include "fineprint/core/unicode.h"

#include "support/tokenizer_cases.h"

namespace fineprint::tokenizer {
namespace {

// The pieces put together; fails when one is not whole characters.
std::string streamed(const Tokenizer& tokenizer, const Ids& ids, bool skip_special_tokens) {
  StreamDecoder decoder(tokenizer, skip_special_tokens);
  std::string out;
  const auto take = [&](const std::string& piece) {
    EXPECT_EQ(valid_utf8(piece), piece);
    out += piece;
  };
  for (const std::int32_t id : ids) take(decoder.push(id));
  take(decoder.finish());
  return out;
}

const char* const kNames[] = {"tok_qwen", "tok_phi3", "tok_gemma", "tok_bert"};

TEST(StreamDecoderTest, EqualsReferenceAndDecodeOnRandomIds) {
  for (const std::string name : kNames) {
    const auto tokenizer = golden_tokenizer(name);
    const Json expected = read_json(kData + "/" + name + "/expected.json");
    for (const Json& item : expected.at("decode_random_ids")) {
      const Ids ids = item.at("ids").get<Ids>();
      EXPECT_EQ(Json(streamed(*tokenizer, ids, false)), item.at("decoded")) << name;
      EXPECT_EQ(Json(streamed(*tokenizer, ids, true)), item.at("decoded_skip_special")) << name;
    }
    std::mt19937 random(5);
    for (int i = 0; i < 300; ++i) {
      Ids ids(random() % 40);
      // Often from the first 300, where the tokens for single bytes are.
      for (auto& id : ids) id = static_cast<std::int32_t>(random() % (random() % 2 ? 300 : 2100));
      EXPECT_EQ(streamed(*tokenizer, ids, i % 2 == 0), tokenizer->decode(ids, i % 2 == 0)) << name;
    }
  }
}

TEST(StreamDecoderTest, CharactersWaitUntilTheyAreWhole) {
  const auto tokenizer = golden_tokenizer("tok_qwen");
  StreamDecoder decoder(*tokenizer, false);
  const auto push = [&](const char* token) { return decoder.push(tokenizer->id_of(token)); };
  EXPECT_EQ(push("a"), "a");
  EXPECT_EQ(push("ð"), "");  // F0
  EXPECT_EQ(push("Ł"), "");  // 9F
  EXPECT_EQ(push("ĺ"), "");  // 98
  EXPECT_EQ(push("Ģ"), "\U0001F600");
  EXPECT_EQ(push("ð"), "");
  EXPECT_EQ(push("b"), "\ufffdb");
  EXPECT_EQ(push("Ã"), "");
  EXPECT_EQ(decoder.finish(), "\ufffd");
  EXPECT_EQ(push("b"), "b");  // a new text
  EXPECT_EQ(decoder.finish(), "");
}

// A run of byte tokens is right or wrong as a whole, as in the reference.
TEST(StreamDecoderTest, RunsOfByteTokensWaitForTheirEnd) {
  const auto tokenizer = golden_tokenizer("tok_phi3");
  StreamDecoder decoder(*tokenizer, false);
  const auto push = [&](const char* token) { return decoder.push(tokenizer->id_of(token)); };
  EXPECT_EQ(push("▁the"), "the");
  EXPECT_EQ(push("<0xC3>"), "");
  EXPECT_EQ(push("<0xA9>"), "");
  EXPECT_EQ(push("▁the"), "é the");
  EXPECT_EQ(push("<0xC3>"), "");
  EXPECT_EQ(push("<0x41>"), "\ufffd\ufffd");
  EXPECT_EQ(push("<0x41>"), "\ufffd");
  EXPECT_EQ(decoder.finish(), "");
  EXPECT_EQ(push("▁the"), "the");
}

TEST(StreamDecoderTest, StrippingAndReplacingWorkAcrossTokens) {
  const std::string file = R"({"model": {"type": "BPE", "merges": [],
      "vocab": {"x": 0, "y": 1, "xx": 2, "xy": 3, "xxxx": 4, "yx": 5}},
    "decoder": {"type": "Sequence", "decoders": [{"type": "Fuse"},
      {"type": "Strip", "content": "x", "start": 2, "stop": 3}]}})";
  const auto tokenizer = tokenizer_of(file);
  EXPECT_EQ(streamed(*tokenizer, {0, 2, 1, 2, 4}, false), "xyxxx");
  EXPECT_EQ(streamed(*tokenizer, {0, 2, 1, 2, 1, 0}, false), "xyxxy");
  EXPECT_EQ(streamed(*tokenizer, {0}, false), "");
  EXPECT_EQ(streamed(*tokenizer, {4}, false), "");
  EXPECT_EQ(streamed(*tokenizer, {}, false), "");
  StreamDecoder decoder(*tokenizer, false);
  EXPECT_EQ(decoder.push(3), "y");
  EXPECT_EQ(decoder.push(2), "");
  EXPECT_EQ(decoder.push(2), "x");
  EXPECT_EQ(decoder.push(1), "xxxy");
}

TEST(StreamDecoderTest, LongTextsTakeTimeInProportion) {
  const auto tokenizer = golden_tokenizer("tok_phi3");
  const Ids ids(200000, tokenizer->id_of("<0x41>"));
  EXPECT_EQ(streamed(*tokenizer, ids, false), std::string(200000, 'A'));
}

}  // namespace
}  // namespace fineprint::tokenizer
