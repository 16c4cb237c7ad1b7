// Each component of the tokenizers format against the Python library, on random text; and what
// tokens say about themselves. The golden is made by scripts/golden/make_tokens.py.
#include <map>

#include "fineprint/core/unicode.h"

#include "support/tokenizer_cases.h"

namespace fineprint::tokenizer {
namespace {

const Json& golden() {
  static const Json kGolden = read_json(std::string(FINEPRINT_TEST_GOLDEN) + "/tokens.json");
  return kGolden;
}

Json flat_offsets(const std::vector<Token>& tokens) {
  Json out = Json::array();
  for (const Token& token : tokens) {
    out.push_back(token.begin);
    out.push_back(token.end);
  }
  return out;
}

std::string changed(const std::string& base, const Json& changes) {
  Json file = read_json(kData + "/" + base + "/model/tokenizer.json");
  for (const auto& [name, part] : changes.items()) {
    if (name == "model") {
      file["model"].update(part);
    } else {
      file[name] = part;
    }
  }
  return dump_json(file);
}

void expect_pair(const Tokenizer& tokenizer, const std::string& first, const std::string& second,
                 const Json& wanted) {
  const std::vector<Token> pair = tokenizer.encode_pair(first, second);
  Json types = Json::array();
  for (const Token& token : pair) types.push_back(token.type);
  EXPECT_EQ(Json(ids_of(pair)), wanted.at("pair_ids"));
  EXPECT_EQ(types, wanted.at("pair_types"));
}

TEST(TokenizerComponentsTest, WholePipelinesEqualReference) {
  const Json& texts = golden().at("texts");
  for (const auto& [name, encodings] : golden().at("pipelines").items()) {
    const auto tokenizer = golden_tokenizer(name);
    ASSERT_EQ(encodings.size(), texts.size()) << name;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string text = texts[i];
      const std::vector<Token> tokens = tokenizer->encode(text, false);
      EXPECT_EQ(Json(ids_of(tokens)), encodings[i].at("ids")) << name << ": " << text;
      EXPECT_EQ(flat_offsets(tokens), encodings[i].at("offsets")) << name << ": " << text;
    }
  }
}

TEST(TokenizerComponentsTest, EachComponentEqualsReference) {
  const Json& texts = golden().at("texts");
  EXPECT_GE(golden().at("components").size(), 35u);
  for (const Json& component : golden().at("components")) {
    const std::string name = component.at("changes").dump().substr(0, 200);
    const auto tokenizer = tokenizer_of(changed(component.at("base"), component.at("changes")));
    const Json& cases = component.at("cases");
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::string text = texts[i];
      const std::vector<Token> tokens = tokenizer->encode(text, true);
      EXPECT_EQ(Json(ids_of(tokens)), cases[i].at("ids")) << name << "\n" << text;
      EXPECT_EQ(flat_offsets(tokens), cases[i].at("offsets")) << name << "\n" << text;
      EXPECT_EQ(Json(tokenizer->decode(ids_of(tokens), false)), cases[i].at("decoded")) << name;
      if (cases[i].at("pair_ids").is_null()) continue;
      expect_pair(*tokenizer, text, texts[(i + 1) % cases.size()], cases[i]);
    }
  }
}

TEST(TokenizerComponentsTest, TokensTellWhatTheyAddToAText) {
  const auto qwen = golden_tokenizer("tok_qwen");
  EXPECT_EQ(qwen->vocab_size(), 2022u);
  EXPECT_EQ(qwen->token(qwen->id_of("Ġt")), "Ġt");
  EXPECT_EQ(qwen->token_bytes(qwen->id_of("Ġt")), " t");
  EXPECT_EQ(qwen->token_bytes(qwen->id_of("Ċ")), "\n");
  EXPECT_EQ(qwen->token_bytes(qwen->id_of("¡")), "\xA1");  // a part of a character
  EXPECT_EQ(qwen->token_bytes(2000), "<|endoftext|>");
  EXPECT_TRUE(qwen->is_special(2000));
  EXPECT_FALSE(qwen->is_special(100));
  for (const std::int32_t id : {-1, 2022, 1 << 30}) {
    EXPECT_EQ(qwen->token(id) + qwen->token_bytes(id), "");
    EXPECT_FALSE(qwen->is_special(id));
  }
  const auto phi3 = golden_tokenizer("tok_phi3");
  EXPECT_EQ(phi3->token_bytes(phi3->id_of("▁the")), " the");
  EXPECT_EQ(phi3->token(phi3->id_of("<0x0A>")), "<0x0A>");
  EXPECT_EQ(phi3->token_bytes(phi3->id_of("<0x0A>")), "\n");
  EXPECT_EQ(phi3->token_bytes(phi3->id_of("<0xE2>")), "\xE2");
  const auto bert = golden_tokenizer("tok_bert");
  EXPECT_EQ(bert->token_bytes(bert->id_of("the")), " the");
  EXPECT_EQ(bert->token_bytes(bert->id_of("##s")), "s");
}

// Whatever the tokens of a text are, their bytes make the text.
TEST(TokenizerComponentsTest, BytesOfTokensMakeTheText) {
  const auto qwen = golden_tokenizer("tok_qwen");
  const auto gemma = golden_tokenizer("tok_gemma");
  for (const char* text : {"the Licensor's é 中文 \n\n 2,022 \U0001F600", " ", "x  y"}) {
    for (const Tokenizer* tokenizer : {qwen.get(), gemma.get()}) {
      std::string bytes;
      for (const Token& token : tokenizer->encode(text, false)) {
        bytes += tokenizer->token_bytes(token.id);
      }
      EXPECT_EQ(bytes, text);
    }
  }
}

// A file of the earliest format names no types, and its empty strings mean none.
TEST(TokenizerComponentsTest, ReadsFilesWithoutAModelType) {
  const auto tokenizer = tokenizer_of(R"({"added_tokens": [],
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true},
    "decoder": {"type": "ByteLevel"},
    "model": {"dropout": null, "unk_token": "", "continuing_subword_prefix": "",
      "end_of_word_suffix": "", "fuse_unk": false,
      "vocab": {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4},
      "merges": ["#version: 0.2", "a b", "Ġ ab"]}})");
  EXPECT_EQ(ids_of(tokenizer->encode("ab ab b", true)), (Ids{3, 4, 2, 1}));
  EXPECT_EQ(tokenizer->decode({3, 4, 2, 1}, false), "ab ab b");
}

TEST(TokenizerComponentsTest, PrefixesAndSuffixesOfSubwords) {
  const auto tokenizer = tokenizer_of(R"({"added_tokens": [],
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "model": {"type": "BPE", "unk_token": "?", "continuing_subword_prefix": "##",
      "end_of_word_suffix": "$",
      "vocab": {"?": 0, "a": 1, "##b": 2, "##b$": 3, "ab": 4, "ab$": 5, "a$": 6},
      "merges": ["a ##b", "a ##b$"]}})");
  EXPECT_EQ(ids_of(tokenizer->encode("ab a abb c", false)), (Ids{5, 6, 4, 3, 0}));
}

// Long pieces go through a heap and short ones do not: both must join alike.
TEST(TokenizerComponentsTest, LongAndShortPiecesJoinAlike) {
  std::string vocab = R"("a": 0, "b": 1)";
  std::string merges;
  const std::pair<const char*, const char*> kMerges[] = {
      {"a", "b"}, {"b", "a"}, {"ab", "ab"}, {"a", "a"}, {"ba", "b"}, {"aa", "b"}, {"abab", "a"}};
  int id = 2;
  for (const auto& [left, right] : kMerges) {
    vocab += ", \"" + std::string(left) + right + "\": " + std::to_string(id++);
    merges += std::string(merges.empty() ? "" : ", ") + "[\"" + left + "\", \"" + right + "\"]";
  }
  const auto tokenizer = tokenizer_of(R"({"model": {"type": "BPE", "vocab": {)" + vocab +
                                      R"(}, "merges": [)" + merges + "]}}");
  // In order, leftmost first: nothing is joined to a pair that was learnt later.
  EXPECT_EQ(ids_of(tokenizer->encode("aabab", false)), (Ids{0, 4}));
  std::string text;
  for (int i = 0; i < 40; ++i) text += i % 3 == 0 ? "aabab" : "bab";
  // Equal to joining the earliest pair, everywhere from the left, until none is left.
  std::vector<std::string> symbols;
  for (const char c : text) symbols.emplace_back(1, c);
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (const auto& [left, right] : kMerges) {
      for (std::size_t i = 0; is_done && i + 1 < symbols.size(); ++i) {
        if (symbols[i] != left || symbols[i + 1] != right) continue;
        symbols[i] += symbols[i + 1];
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        is_done = false;
      }
      if (!is_done) break;
    }
  }
  Ids wanted;
  for (const std::string& symbol : symbols) wanted.push_back(tokenizer->id_of(symbol));
  EXPECT_EQ(ids_of(tokenizer->encode(text, false)), wanted);
}

}  // namespace
}  // namespace fineprint::tokenizer
