// The tokenizer against what the Python library gives for the same files.
#include "fineprint/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/tokenizer_cases.h"

namespace fineprint::tokenizer {
namespace {

void expect_encoding(const Tokenizer& tokenizer, const Json& item) {
  const std::string text = item.at("text");
  const std::vector<Token> tokens = tokenizer.encode(text, false);
  EXPECT_EQ(Json(ids_of(tokens)), item.at("ids")) << text;
  EXPECT_EQ(offsets_of(tokens), item.at("offsets")) << text;
  EXPECT_EQ(tokenizer.count(text), tokens.size()) << text;
  if (!item.contains("ids_with_special")) return;
  const Ids with_special = ids_of(tokenizer.encode(text, true));
  EXPECT_EQ(Json(with_special), item.at("ids_with_special")) << text;
  EXPECT_EQ(Json(tokenizer.decode(with_special, true)), item.at("decoded_skip_special")) << text;
  EXPECT_EQ(Json(tokenizer.decode(ids_of(tokens), false)), item.at("decoded")) << text;
}

void expect_all(const Tokenizer& tokenizer, const Json& expected) {
  for (const Json& item : expected.at("encode")) expect_encoding(tokenizer, item);
  for (const Json& item : expected.at("decode_random_ids")) {
    const auto ids = item.at("ids").get<std::vector<std::int32_t>>();
    EXPECT_EQ(Json(tokenizer.decode(ids, false)), item.at("decoded"));
    EXPECT_EQ(Json(tokenizer.decode(ids, true)), item.at("decoded_skip_special"));
  }
  for (const Json& item : expected.at("encode_pair")) {
    const auto tokens =
        tokenizer.encode_pair(item.at("a").get<std::string>(), item.at("b").get<std::string>());
    Json types = Json::array();
    for (const Token& token : tokens) types.push_back(token.type);
    EXPECT_EQ(Json(ids_of(tokens)), item.at("ids")) << item.at("a");
    EXPECT_EQ(types, item.at("type_ids")) << item.at("a");
  }
}

class GoldenTest : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenTest, EqualsReference) {
  const std::string name = GetParam();
  expect_all(*golden_tokenizer(name), read_json(kData + "/" + name + "/expected.json"));
}

INSTANTIATE_TEST_SUITE_P(TokenizerTest, GoldenTest,
                         ::testing::Values("tok_qwen", "tok_phi3", "tok_gemma", "tok_bert",
                                           "tok_minilm_real", "tok_unigram"));

// Merges stand in these files as strings and as pairs, with the pipelines above.
TEST(TokenizerTest, ReadsTheFilesOfAllModels) {
  for (const char* name : {"qwen25vl_a", "qwen25vl_b_tied_v5layout", "phi3v_a", "colpali_a",
                           "colqwen2_a", "colbert_a"}) {
    const auto tokenizer = golden_tokenizer(name);
    const std::string text = "the terms of this license";
    const Ids ids = ids_of(tokenizer->encode(text, true));
    EXPECT_EQ(tokenizer->decode(ids, true), text) << name;
  }
}

// The strings of make_wordpiece.py, which are other ones.
TEST(TokenizerTest, EqualsReferenceOnRandomWords) {
  const Json cases = read_json(std::string(FINEPRINT_TEST_GOLDEN) + "/wordpiece.json");
  const auto tokenizer = golden_tokenizer("tok_bert");
  EXPECT_GE(cases.at("encode").size(), 300u);
  for (const Json& item : cases.at("encode")) expect_encoding(*tokenizer, item);
}

// A tokenizer.json with a few words and the given normaliser and added tokens.
std::string small_file(const std::string& normalizer, const std::string& added) {
  return R"({"added_tokens": [)" + added + R"(],
    "normalizer": {"type": "BertNormalizer")" +
         normalizer + R"(},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
      "max_input_chars_per_word": 5,
      "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "##b": 4, "\u00e9": 5, "A": 6,
                "e": 7}}})";
}

Ids encode_with(const std::string& json, std::string_view text) {
  return ids_of(tokenizer_of(json)->encode(text, true));
}

TEST(TokenizerTest, CutsGreedilyAndGivesUpOnLongWords) {
  EXPECT_EQ(encode_with(small_file("", ""), "abb ac abbbb abbbbb"),
            (Ids{1, 3, 4, 4, 0, 3, 4, 4, 4, 4, 0, 2}));
}

TEST(TokenizerTest, NormalizerOptionsAreFollowed) {
  EXPECT_EQ(encode_with(small_file("", ""), "A \u00c9"), (Ids{1, 3, 7, 2}));
  EXPECT_EQ(encode_with(small_file(R"(,"lowercase": false)", ""), "A \u00e9"), (Ids{1, 6, 5, 2}));
  EXPECT_EQ(encode_with(small_file(R"(,"strip_accents": false)", ""), "\u00c9"), (Ids{1, 5, 2}));
  EXPECT_EQ(encode_with(small_file(R"(,"lowercase": false, "strip_accents": true)", ""), "\u00e9"),
            (Ids{1, 7, 2}));
}

TEST(TokenizerTest, AddedTokensMatchLongestAndTakeBlanksAlong) {
  const std::string added =
      R"({"id": 10, "content": "<x>"}, {"id": 11, "content": "<x>y", "lstrip": true},
         {"id": 12, "content": "q", "single_word": true})";
  EXPECT_EQ(encode_with(small_file("", added), "e<x>e <x>y q ab qe"),
            (Ids{1, 7, 10, 7, 11, 12, 3, 4, 0, 2}));
}

TEST(TokenizerTest, InvalidUtf8IsDroppedLikeReplacementCharacters) {
  const auto tokenizer = golden_tokenizer("tok_bert");
  const std::string bad =
      "th\xff"
      "e \xc3( \xe2\x82 end\xf0\x9f";
  const std::string good = "th\ufffde \ufffd( \ufffd\ufffd end\ufffd\ufffd";
  EXPECT_EQ(ids_of(tokenizer->encode(bad, true)), ids_of(tokenizer->encode(good, true)));
  EXPECT_EQ(offsets_of(tokenizer->encode(bad, true)), offsets_of(tokenizer->encode(good, true)));
}

TEST(TokenizerTest, IdsOfTokens) {
  const auto tokenizer = golden_tokenizer("tok_bert");
  EXPECT_EQ(tokenizer->id_of("[CLS]"), 6);
  EXPECT_EQ(tokenizer->id_of("not a token"), -1);
  EXPECT_EQ(tokenizer->decode({-5, 6, 1 << 30}, false), "[CLS]");
}

}  // namespace
}  // namespace fineprint::tokenizer
