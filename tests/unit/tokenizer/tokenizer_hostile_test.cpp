// Tokenizer files that are damaged or meant to do harm, and texts that are.
#include <chrono>
#include <random>

#include "fineprint/core/error.h"

#include "support/tokenizer_cases.h"

namespace fineprint::tokenizer {
namespace {

// A small sound file of byte-pair encoding, parts of which a test replaces.
const std::string kGood = R"({"version": "1.0",
  "added_tokens": [{"id": 5, "content": "<s>", "special": true}],
  "normalizer": {"type": "NFC"},
  "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\s+"}, "behavior": "Isolated",
    "invert": false},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A"}}],
    "pair": [{"Sequence": {"id": "A"}}, {"Sequence": {"id": "B"}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [5], "tokens": ["<s>"]}}},
  "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
  "model": {"type": "BPE", "unk_token": "?", "fuse_unk": true, "dropout": null,
    "vocab": {"?": 0, "a": 1, "b": 2, "ab": 3, " ": 4}, "merges": [["a", "b"]]}})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The file is refused with a message that names it and says `cause`.
void expect_refused(const std::string& json, const std::string& cause) {
  try {
    tokenizer_of(json);
    ADD_FAILURE() << "accepted, and should not for: " << cause;
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ErrorCode::model) << message;
    EXPECT_NE(message.find("tokenizer.json"), std::string::npos) << message;
    EXPECT_NE(message.find(cause), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(TokenizerHostileTest, SoundFileWorks) {
  const auto tokenizer = tokenizer_of(kGood);
  EXPECT_EQ(ids_of(tokenizer->encode("ab ba xx<s>", true)), (Ids{5, 3, 4, 2, 1, 4, 0, 5}));
}

TEST(TokenizerHostileTest, NotAFileOfThisKind) {
  expect_refused("", "tokenizer.json");
  expect_refused("{", "tokenizer.json");
  expect_refused("[1]", "not a JSON object");
  expect_refused("{}", "model is missing");
  expect_refused(std::string(100000, '['), "deep");
  expect_refused("{\"model\": " + std::string(5000, '{'), "tokenizer.json");
  EXPECT_THROW(Tokenizer::load("/nowhere/tokenizer.json"), Error);
}

TEST(TokenizerHostileTest, VocabulariesThatContradictThemselves) {
  const std::string vocab = R"({"?": 0, "a": 1, "b": 2, "ab": 3, " ": 4})";
  expect_refused(with(vocab, "[]"), "model.vocab must be an object");
  expect_refused(with(vocab, "\"x\""), "model.vocab must be an object");
  expect_refused(with(vocab, R"({"a": -1})"), "model.vocab[\"a\"] must be a token id");
  expect_refused(with(vocab, R"({"a": "1"})"), "must be a token id");
  expect_refused(with(vocab, R"({"a": 1.5})"), "must be a token id");
  expect_refused(with(vocab, R"({"a": 4294967297})"), "must be a token id");
  expect_refused(with(vocab, R"({"a": 2147483648})"), "must be a token id");
  expect_refused(with(vocab, R"({"a": 2147483647})"), "far from the ids");
  expect_refused(with(vocab, R"({"a": 7, "b": 7})"), "the id of another token");
  expect_refused(with(vocab, R"({"a": 7, "a": 8})"), "repeats the key 'a'");
  expect_refused(with(R"("vocab": )" + vocab + ",", ""), "model.vocab must be an object");
}

TEST(TokenizerHostileTest, MergesThatCannotBe) {
  const std::string merges = R"([["a", "b"]])";
  expect_refused(with(merges, R"([["a", "c"]])"), "model.merges[0] needs the token \"c\"");
  expect_refused(with(merges, R"([["b", "a"]])"), "needs the token \"ba\"");
  expect_refused(with(merges, R"(["ab"])"), "model.merges[0] must be two tokens");
  expect_refused(with(merges, R"(["a b c"])"), "must be two tokens");
  expect_refused(with(merges, R"([["a", "b", "c"]])"), "must be a pair");
  expect_refused(with(merges, R"([["a", 2]])"), "model.merges[0][1] must be a string");
  expect_refused(with(merges, "[7]"), "model.merges[0] must be a string");
  expect_refused(with(merges, R"({"a": "b"})"), "model.merges must be a list");
  expect_refused(with(R"(, "merges": [["a", "b"]])", ""), "model.merges must be a list");
  expect_refused(with("\"dropout\": null", "\"dropout\": 0.1"), "model.dropout is set");
}

TEST(TokenizerHostileTest, AddedTokensThatCannotBe) {
  const std::string token = R"({"id": 5, "content": "<s>", "special": true})";
  expect_refused(with(token, R"({"id": -5, "content": "<s>"})"), "added_tokens[0].id must be");
  expect_refused(with(token, R"({"content": "<s>"})"), "added_tokens[0].id must be");
  expect_refused(with(token, R"({"id": 5})"), "added_tokens[0].content must be a string");
  expect_refused(with(token, R"({"id": 3, "content": "<s>"})"),
                 "which model.vocab gives to \"ab\"");
  expect_refused(with(token, token + R"(, {"id": 5, "content": "x"})"), "which \"<s>\" has");
  expect_refused(with(token, token + R"(, {"id": 6, "content": "<s>"})"), "a second id");
  expect_refused(with(token, R"({"id": 2000000000, "content": "<s>"})"), "far from those");
  expect_refused(with(token, R"({"id": 5, "content": ")" + std::string(5000, 'x') + "\"}"),
                 "longer than");
  expect_refused(with("[" + token + "]", "7"), "added_tokens must be a list");
}

TEST(TokenizerHostileTest, ComponentsThatAreNotUnderstood) {
  expect_refused(with("\"NFC\"", "\"Odd\""), "normalizer is of type \"Odd\"");
  expect_refused(with("{\"type\": \"NFC\"}", "{}"), "normalizer has no type");
  expect_refused(with("{\"type\": \"NFC\"}", "3"), "normalizer must be an object");
  expect_refused(
      with("{\"type\": \"NFC\"}", R"({"type": "Sequence", "normalizers": [{"type": "Nmt"}]})"),
      "normalizer.normalizers[0] is of type \"Nmt\"");
  expect_refused(with("\"Isolated\"", "\"Elsewhere\""), "unknown behavior");
  expect_refused(with("\"Split\"", "\"Odd\""), "pre_tokenizer is of type \"Odd\"");
  expect_refused(with("\"Fuse\"", "\"CTC\""), "decoder.decoders[1] is of type \"CTC\"");
  expect_refused(with("\"BPE\"", "\"WordLevel\""), "model is of type \"WordLevel\"");
  expect_refused(with("\"TemplateProcessing\"", "\"Odd\""), "post_processor is of type \"Odd\"");
  expect_refused(with("{\"SpecialToken\": {\"id\": \"<s>\"", "{\"SpecialToken\": {\"id\": \"<t>\""),
                 "names \"<t>\", which special_tokens lacks");
  expect_refused(with("\"ids\": [5]", "\"ids\": [-5]"), "ids[0] must be a token id");
  expect_refused(with("{\"Sequence\": {\"id\": \"A\"}}", "{}"), "SpecialToken or a Sequence");
}

TEST(TokenizerHostileTest, ExpressionsThatCannotBeUsed) {
  const auto with_regex = [](const std::string& regex) { return with("\\\\s+", regex); };
  expect_refused(with_regex("("), "pre_tokenizer.pattern cannot be used");
  expect_refused(with_regex("[a-z&&[^b]]"), "intersection of sets");
  expect_refused(with_regex("[a[b]]"), "a set within a set");
  expect_refused(with_regex("[\\\\W]"), "\\W in a set");
  expect_refused(with_regex("\\\\x80"), "byte escape");
  expect_refused(with_regex("\\\\y"), "\\\\y");
  expect_refused(with("{\"Regex\": \"\\\\s+\"}", "{\"String\": \"\"}"), "empty string");
  expect_refused(with("{\"Regex\": \"\\\\s+\"}", "{}"), "a String or a Regex");
}

TEST(TokenizerHostileTest, ExplodingExpressionsEndInAnError) {
  const auto tokenizer = tokenizer_of(with("\\\\s+", "(a+)+[cd]"));
  const auto start = std::chrono::steady_clock::now();
  try {
    tokenizer->encode(std::string(5000, 'a'), false);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model) << error.what();
    EXPECT_NE(std::string(error.what()).find("too many steps"), std::string::npos);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(TokenizerHostileTest, UnknownTokenThatIsMissingIsNamedWhenNeeded) {
  const auto tokenizer = tokenizer_of(with("\"unk_token\": \"?\"", "\"unk_token\": \"<unk>\""));
  EXPECT_EQ(ids_of(tokenizer->encode("ab", false)), (Ids{3}));
  EXPECT_THROW(tokenizer->encode("x", false), Error);
}

TEST(TokenizerHostileTest, AnyBytesCanBeEncoded) {
  std::mt19937 random(11);
  for (const char* name : {"tok_qwen", "tok_phi3", "tok_gemma", "tok_bert"}) {
    const auto tokenizer = golden_tokenizer(name);
    for (int i = 0; i < 300; ++i) {
      std::string bytes(random() % 60, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      const std::vector<Token> tokens = tokenizer->encode(bytes, true);
      tokenizer->decode(ids_of(tokens), true);
      for (const Token& token : tokens) {
        EXPECT_LE(token.begin, token.end);
        EXPECT_LE(token.end, bytes.size());
      }
    }
  }
}

// Texts that make naive algorithms quadratic.
TEST(TokenizerHostileTest, LongMonotonousTextsTakeSeconds) {
  constexpr std::size_t kBytes = 400'000;
  std::string marks, words;
  while (marks.size() < kBytes) marks += "\u0316\u0301";
  while (words.size() < kBytes) words += "license<|";
  for (const char* name : {"tok_qwen", "tok_phi3", "tok_gemma", "tok_bert"}) {
    const auto tokenizer = golden_tokenizer(name);
    const std::string texts[] = {std::string(kBytes, 'a'),
                                 std::string(kBytes, ' '),
                                 std::string(kBytes, '\n'),
                                 std::string(kBytes, '<'),
                                 marks,
                                 words};
    for (const std::string& text : texts) {
      const auto start = std::chrono::steady_clock::now();
      tokenizer->encode(text, false);
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20))
          << name << " " << text.substr(0, 8);
    }
  }
}

}  // namespace
}  // namespace fineprint::tokenizer
