// The tokenizer against what the Python library gives for the same files.
#include "fineprint/text/tokenizer.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "build_info.h"
#include "support/temp_dir.h"

namespace fineprint::text {
namespace {

const std::string kData = FINEPRINT_TEST_DATA;

Json read_json(const std::string& path) { return parse_json(read_file(path), path); }

std::vector<std::int32_t> ids_of(const std::vector<Token>& tokens) {
  std::vector<std::int32_t> out;
  for (const Token& token : tokens) out.push_back(token.id);
  return out;
}

Json offsets_of(const std::vector<Token>& tokens) {
  Json out = Json::array();
  for (const Token& token : tokens) out.push_back({token.begin, token.end});
  return out;
}

void expect_encoding(const Tokenizer& tokenizer, const Json& item) {
  const std::string text = item.at("text");
  const std::vector<Token> tokens = tokenizer.encode(text, false);
  EXPECT_EQ(Json(ids_of(tokens)), item.at("ids")) << text;
  EXPECT_EQ(offsets_of(tokens), item.at("offsets")) << text;
  EXPECT_EQ(tokenizer.count(text), tokens.size()) << text;
  if (!item.contains("ids_with_special")) return;
  const std::vector<std::int32_t> with_special = ids_of(tokenizer.encode(text, true));
  EXPECT_EQ(Json(with_special), item.at("ids_with_special")) << text;
  EXPECT_EQ(tokenizer.decode(with_special, true), item.at("decoded_skip_special")) << text;
  EXPECT_EQ(tokenizer.decode(ids_of(tokens), false), item.at("decoded")) << text;
}

void expect_all(const Tokenizer& tokenizer, const Json& expected) {
  for (const Json& item : expected.at("encode")) expect_encoding(tokenizer, item);
  for (const Json& item : expected.at("decode_random_ids")) {
    const auto ids = item.at("ids").get<std::vector<std::int32_t>>();
    EXPECT_EQ(tokenizer.decode(ids, false), item.at("decoded"));
    EXPECT_EQ(tokenizer.decode(ids, true), item.at("decoded_skip_special"));
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

TEST(TokenizerTest, EqualsReferenceOnSmallVocabulary) {
  const auto tokenizer = Tokenizer::load(kData + "/tok_bert/tokenizer.json");
  expect_all(*tokenizer, read_json(kData + "/tok_bert/expected.json"));
}

TEST(TokenizerTest, EqualsReferenceOnMiniLm) {
  const std::string path = std::string(kDefaultTextEncoder) + "/tokenizer.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no default text encoder at " << path;
  const auto tokenizer = Tokenizer::load(path);
  expect_all(*tokenizer, read_json(kData + "/tok_minilm_real/expected.json"));
}

// Strings over all assigned characters, made by scripts/golden/make_wordpiece.py.
TEST(TokenizerTest, EqualsReferenceOnRandomText) {
  const Json cases = read_json(std::string(FINEPRINT_TEST_GOLDEN) + "/wordpiece.json");
  const auto tokenizer = Tokenizer::load(kData + "/tok_bert/tokenizer.json");
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

std::vector<std::int32_t> encode_with(const std::string& json, std::string_view text) {
  const testing::TempDir folder;
  return ids_of(Tokenizer::load(folder.write("tokenizer.json", json))->encode(text, true));
}

using Ids = std::vector<std::int32_t>;

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
         {"id": 12, "content": "a", "single_word": true})";
  EXPECT_EQ(encode_with(small_file("", added), "e<x>e <x>y a ab"),
            (Ids{1, 7, 10, 7, 11, 12, 3, 4, 2}));
}

TEST(TokenizerTest, RefusesWhatItWouldTokenizeDifferently) {
  const std::string good = small_file("", "");
  const auto change = [&](std::string from, std::string to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::string broken[] = {
      "",
      "{",
      "[1]",
      "{}",
      change("BertNormalizer", "NFC"),
      change("BertPreTokenizer", "Whitespace"),
      change("\"type\": \"WordPiece\", \"unk", "\"type\": \"BPE\", \"unk"),
      change("\"[UNK]\": 0", "\"[OTHER]\": 0"),
      change("\"##b\": 4", "\"##b\": \"4\""),
      change("BertProcessing", "ByteLevel"),
      small_file("", R"({"id": 9, "content": "x", "normalized": true})")};
  for (const std::string& text : broken) {
    try {
      encode_with(text, "a");
      ADD_FAILURE() << "accepted: " << text.substr(0, 60);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::model) << error.what();
      EXPECT_NE(std::string(error.what()).find("tokenizer.json"), std::string::npos);
    }
  }
  EXPECT_THROW(Tokenizer::load("/nowhere/tokenizer.json"), Error);
}

TEST(TokenizerTest, InvalidUtf8IsDroppedLikeReplacementCharacters) {
  const auto tokenizer = Tokenizer::load(kData + "/tok_bert/tokenizer.json");
  const std::string bad =
      "th\xff"
      "e \xc3( \xe2\x82 end\xf0\x9f";
  const std::string good = "th\ufffde \ufffd( \ufffd\ufffd end\ufffd\ufffd";
  EXPECT_EQ(ids_of(tokenizer->encode(bad, true)), ids_of(tokenizer->encode(good, true)));
  EXPECT_EQ(offsets_of(tokenizer->encode(bad, true)), offsets_of(tokenizer->encode(good, true)));
}

TEST(TokenizerTest, IdsOfTokens) {
  const auto tokenizer = Tokenizer::load(kData + "/tok_bert/tokenizer.json");
  EXPECT_EQ(tokenizer->id_of("[CLS]"), 6);
  EXPECT_EQ(tokenizer->id_of("not a token"), -1);
  EXPECT_EQ(tokenizer->decode({-5, 6, 1 << 30}, false), "[CLS]");
}

}  // namespace
}  // namespace fineprint::text
