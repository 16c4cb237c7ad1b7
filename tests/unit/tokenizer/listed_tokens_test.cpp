// Tokenizers of listed tokens against those that tokenizer.json makes of the same tokens, which are
// equal to the Python library's.
#include "fineprint/tokenizer/listed_tokens.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "support/tokenizer_cases.h"
#include "tokenizer/character_map.h"

namespace fineprint::tokenizer {
namespace {

// What a GGUF file of a golden case's model would list.
ListedTokens listed_case(const std::string& name) {
  const Json file = read_json(kData + "/" + name + "/model/tokenizer.json");
  ListedTokens listed;
  const auto put = [&](const std::string& token, std::size_t id, TokenKind kind) {
    listed.tokens.resize(std::max(listed.tokens.size(), id + 1));
    listed.kinds.resize(listed.tokens.size(), TokenKind::normal);
    listed.tokens[id] = token;
    listed.kinds[id] = kind;
  };
  for (const auto& [token, id] : file.at("model").at("vocab").items()) {
    const bool byte = token.size() == 6 && token.starts_with("<0x");
    put(token, id.get<std::size_t>(), byte ? TokenKind::byte : TokenKind::normal);
  }
  for (const Json& token : file.at("added_tokens")) {
    const bool special = token.at("special").get<bool>();
    put(token.at("content").get<std::string>(), token.at("id").get<std::size_t>(),
        token.at("content") == "<unk>" ? TokenKind::unknown
        : special                      ? TokenKind::control
                                       : TokenKind::user_defined);
  }
  for (const Json& merge : file.at("model").at("merges")) {
    listed.merges.push_back(merge.is_string() ? merge.get<std::string>()
                                              : merge.at(0).get<std::string>() + " " +
                                                    merge.at(1).get<std::string>());
  }
  return listed;
}

int expect_same(const std::string& name, const Tokenizer& tokenizer,
                const std::function<bool(const std::string&)>& is_compared) {
  int compared = 0;
  const Json expected = read_json(kData + "/" + name + "/expected.json");
  for (const Json& item : expected.at("encode")) {
    const std::string text = item.at("text");
    if (!is_compared(text)) continue;
    ++compared;
    const Ids ids = ids_of(tokenizer.encode(text, false));
    EXPECT_EQ(Json(ids), item.at("ids")) << text;
    const Ids with_special = ids_of(tokenizer.encode(text, true));
    EXPECT_EQ(Json(with_special), item.at("ids_with_special")) << text;
    EXPECT_EQ(Json(tokenizer.decode(ids, false)), item.at("decoded")) << text;
    EXPECT_EQ(Json(tokenizer.decode(with_special, true)), item.at("decoded_skip_special")) << text;
  }
  return compared;
}

TEST(ListedTokens, BytePairsEqualTokenizerJson) {
  ListedTokens listed = listed_case("tok_qwen");
  listed.model = "gpt2";
  listed.pre_tokenizer = "qwen2";
  const auto tokenizer = make_tokenizer(listed);
  EXPECT_GT(expect_same("tok_qwen", *tokenizer, [](const std::string&) { return true; }), 30);
  EXPECT_EQ(tokenizer->vocab_size(), golden_tokenizer("tok_qwen")->vocab_size());
  EXPECT_TRUE(tokenizer->is_special(tokenizer->id_of("<|im_end|>")));
  EXPECT_FALSE(tokenizer->is_special(tokenizer->id_of("<tool_call>")));
}

// Of every name, on texts of several scripts.
TEST(ListedTokens, NamedPreTokenizersEqualThoseOfTokenizerJson) {
  const Json golden = read_json(std::string(FINEPRINT_TEST_GOLDEN) + "/tokens.json").at("named");
  const Json& texts = golden.at("texts");
  for (const auto& [name, expected] : golden.at("ids").items()) {
    ListedTokens listed;
    listed.model = "gpt2";
    listed.pre_tokenizer = name;
    listed.tokens = golden.at("tokens").get<std::vector<std::string>>();
    listed.merges = golden.at("merges").get<std::vector<std::string>>();
    const auto tokenizer = make_tokenizer(listed);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string text = texts.at(i);
      EXPECT_EQ(Json(ids_of(tokenizer->encode(text, false))), expected.at(i))
          << name << ": " << text;
    }
  }
}

TEST(ListedTokens, ScoredPairsEqualTokenizerJson) {
  ListedTokens listed = listed_case("tok_phi3");
  listed.model = "llama";
  for (std::size_t id = 0; id < listed.tokens.size(); ++id) {
    listed.scores.push_back(-static_cast<double>(id));  // as converters write them
  }
  listed.begin = 1;
  const auto tokenizer = make_tokenizer(listed);
  // Its added tokens take the blanks behind them, which such lists cannot say.
  const auto is_plain = [](const std::string& text) { return text.find('<') == std::string::npos; };
  EXPECT_GT(expect_same("tok_phi3", *tokenizer, is_plain), 30);
}

// As converters write WordPiece: beginnings of words behind a mark, what goes on without "##".
ListedTokens listed_pieces(const std::string& name) {
  const Json file = read_json(kData + "/" + name + "/model/tokenizer.json");
  ListedTokens listed;
  listed.model = "bert";
  listed.tokens.resize(file.at("model").at("vocab").size());
  listed.kinds.resize(listed.tokens.size(), TokenKind::normal);
  for (const auto& [token, id] : file.at("model").at("vocab").items()) {
    const bool marked = token.starts_with('[') && token.ends_with(']');
    const bool goes_on = token.starts_with("##");
    listed.tokens[id.get<std::size_t>()] = marked ? token : goes_on ? token.substr(2) : "▁" + token;
  }
  for (const Json& token : file.at("added_tokens")) {
    const auto id = token.at("id").get<std::size_t>();
    listed.kinds[id] = TokenKind::control;
    const std::string content = token.at("content");
    if (content == "[CLS]") listed.begin = static_cast<std::int32_t>(id);
    if (content == "[SEP]") listed.end = static_cast<std::int32_t>(id);
    if (content == "[UNK]") listed.unknown = static_cast<std::int32_t>(id);
  }
  return listed;
}

TEST(ListedTokens, WordPiecesEqualTokenizerJson) {
  const auto all = [](const std::string&) { return true; };
  EXPECT_GT(expect_same("tok_bert", *make_tokenizer(listed_pieces("tok_bert")), all), 30);
}

TEST(ListedTokens, WordPiecesKeepCapitalsWhereTokensHaveThem) {
  ListedTokens listed;
  listed.model = "bert";
  listed.tokens = {"[UNK]", "▁paris", "▁Paris", "is"};
  listed.unknown = 0;
  EXPECT_EQ(ids_of(make_tokenizer(listed)->encode("Paris paris", false)), (Ids{2, 1}));
  listed.lower_case = true;
  EXPECT_EQ(ids_of(make_tokenizer(listed)->encode("Paris parisis", false)), (Ids{1, 1, 3}));
  listed.tokens[2] = "▁x";
  listed.lower_case.reset();
  EXPECT_EQ(ids_of(make_tokenizer(listed)->encode("Pàris q", false)), (Ids{1, 0}));
  listed.unknown = -1;
  EXPECT_THROW(make_tokenizer(listed), Error);
}

TEST(ListedTokens, LikeliestPiecesEqualTokenizerJson) {
  const Json file = read_json(kData + "/tok_unigram/model/tokenizer.json");
  ListedTokens listed;
  listed.model = "t5";
  for (const Json& piece : file.at("model").at("vocab")) {
    listed.tokens.push_back(piece.at(0));
    listed.scores.push_back(piece.at(1));
  }
  listed.kinds.resize(listed.tokens.size(), TokenKind::normal);
  for (const Json& token : file.at("added_tokens")) {
    const auto id = token.at("id").get<std::size_t>();
    if (id == listed.tokens.size()) {  // the last one is none of the pieces
      listed.tokens.push_back(token.at("content"));
      listed.scores.push_back(-10000);
      listed.kinds.push_back(TokenKind::control);
    }
    listed.kinds.at(id) = token.at("content") == "<unk>" ? TokenKind::unknown : TokenKind::control;
  }
  // What fills a list up has a score far below all others, and no part in them.
  listed.tokens.emplace_back("[PAD]");
  listed.kinds.push_back(TokenKind::unused);
  listed.scores.push_back(-10000);
  listed.begin = 0;
  listed.end = 2;
  listed.unknown = 3;
  const Json& normalizer = file.at("normalizer").at("normalizers").at(0);
  listed.character_map =
      decode_base64(normalizer.at("precompiled_charsmap").get<std::string>()).value();
  const auto all = [](const std::string&) { return true; };
  EXPECT_GT(expect_same("tok_unigram", *make_tokenizer(listed), all), 30);
  listed.scores[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(make_tokenizer(listed), Error);
}

TEST(ListedTokens, PreTokenizersCutAsNamed) {
  const auto ids_of_digits = [](const std::string& pre_tokenizer) {
    ListedTokens listed;
    listed.model = "gpt2";
    listed.pre_tokenizer = pre_tokenizer;
    listed.tokens = {"1", "2", "3", "4", "12", "123", "1234", "Ġ", "Ġ1"};
    listed.merges = {"1 2", "12 3", "123 4", "Ġ 1"};
    return ids_of(make_tokenizer(listed)->encode("1234 1", false));
  };
  EXPECT_EQ(ids_of_digits("gpt-2"), (Ids{6, 8}));
  EXPECT_EQ(ids_of_digits("smollm"), (Ids{0, 1, 2, 3, 7, 0}));
  EXPECT_EQ(ids_of_digits("llama-bpe"), (Ids{5, 3, 7, 0}));
  EXPECT_EQ(ids_of_digits("qwen2"), (Ids{0, 1, 2, 3, 7, 0}));
}

TEST(ListedTokens, TokensAroundTexts) {
  ListedTokens listed;
  listed.model = "gpt2";
  listed.pre_tokenizer = "gpt-2";
  listed.tokens = {"a", "<s>", "</s>"};
  listed.kinds = {TokenKind::normal, TokenKind::control, TokenKind::control};
  listed.begin = 1;
  EXPECT_EQ(ids_of(make_tokenizer(listed)->encode("a", true)), (Ids{1, 0}));
  listed.end = 2;
  const auto tokenizer = make_tokenizer(listed);
  EXPECT_EQ(ids_of(tokenizer->encode("a", true)), (Ids{1, 0, 2}));
  EXPECT_EQ(ids_of(tokenizer->encode("a", false)), (Ids{0}));
  EXPECT_EQ(ids_of(tokenizer->encode_pair("a", "a")), (Ids{1, 0, 2, 1, 0, 2}));
}

std::string listed_refusal(const std::function<void(ListedTokens*)>& change) {
  ListedTokens listed;
  listed.model = "gpt2";
  listed.pre_tokenizer = "gpt-2";
  listed.tokens = {"a", "b", "ab"};
  listed.merges = {"a b"};
  change(&listed);
  try {
    make_tokenizer(listed);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    return error.what();
  }
  return "accepted";
}

TEST(ListedTokens, WhatContradictsItselfIsRefused) {
  EXPECT_EQ(listed_refusal([](ListedTokens*) {}), "accepted");
  EXPECT_EQ(listed_refusal([](auto* l) { l->model = "rwkv"; }),
            "tokenizers of kind \"rwkv\" are not supported (supported: gpt2, llama, bert, t5)");
  EXPECT_EQ(
      listed_refusal([](auto* l) { l->pre_tokenizer = "viking"; }),
      "the pre-tokenizer \"viking\" is not supported (supported: gpt-2, smollm, llama-bpe, dbrx, "
      "qwen2, qwen35, gpt-4o, tekken)");
  EXPECT_EQ(listed_refusal([](auto* l) { l->tokens = {}; }), "it lists no tokens");
  EXPECT_EQ(listed_refusal([](auto* l) { l->tokens[1] = "a"; }), "token 1 (\"a\") is listed twice");
  EXPECT_EQ(listed_refusal([](auto* l) { l->tokens[1] = "\xFF"; }), "token 1 is not UTF-8");
  EXPECT_EQ(listed_refusal([](auto* l) { l->merges = {"ab"}; }),
            "merge \"ab\" must be two tokens separated by a blank");
  EXPECT_NE(listed_refusal([](auto* l) { l->merges = {"a x"}; }), "accepted");
  EXPECT_EQ(listed_refusal([](auto* l) { l->begin = 3; }),
            "it refers to token 3, but lists only 3 tokens");
  EXPECT_EQ(listed_refusal([](auto* l) { l->kinds = {TokenKind::normal}; }),
            "it lists 3 tokens, but 1 token types");
  EXPECT_EQ(listed_refusal([](auto* l) { l->model = "llama"; }),
            "it lists 3 tokens, but 0 token scores");
}

}  // namespace
}  // namespace fineprint::tokenizer
