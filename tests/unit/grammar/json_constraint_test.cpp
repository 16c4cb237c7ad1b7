// Tests of constrained replies: whatever is drawn fits, and what fits can be drawn.
#include "fineprint/grammar/json_constraint.h"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "grammar/position.h"
#include "support/constrained_replies.h"
#include "support/listed_tokenizer.h"
#include "support/tokenizer_cases.h"

namespace fineprint::grammar {
namespace {

using ::fineprint::testing::byte_tokens;
using ::fineprint::testing::Draw;
using ::fineprint::testing::DrawnReply;
using ::fineprint::testing::kDraws;
using ::fineprint::testing::ListedTokenizer;
using ::fineprint::testing::ReplyDrawer;

struct Vocabulary {
  explicit Vocabulary(std::unique_ptr<tokenizer::Tokenizer> given, std::size_t padding = 37)
      : tokenizer(std::move(given)),
        size(tokenizer->vocab_size() + padding),
        end_tokens({static_cast<std::int64_t>(tokenizer->vocab_size()) + 3}),
        trie(make_token_trie(*tokenizer, size, end_tokens)),
        drawer(*tokenizer, size) {}

  std::unique_ptr<tokenizer::Tokenizer> tokenizer;
  std::size_t size;
  std::vector<std::int64_t> end_tokens;  // in the padding
  std::shared_ptr<const TokenTrie> trie;
  ReplyDrawer drawer;
};

Vocabulary listed(std::vector<std::string> more = {}) {
  std::vector<std::string> tokens = byte_tokens();
  tokens.insert(tokens.end(), more.begin(), more.end());
  return Vocabulary(std::make_unique<ListedTokenizer>(std::move(tokens)));
}

const char* const kTokenizers[] = {"tok_qwen", "tok_phi3", "tok_gemma"};

JsonSchema object_with(const std::string& property) {
  return JsonSchema::parse(
      R"({"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":)" +
      property + "}}");
}

// Draws replies with ample and with scarce tokens and checks each.
void expect_fitting_replies(const Vocabulary& vocabulary, const std::string& name,
                            const JsonSchema& schema, std::uint64_t seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 random(seed);
    JsonConstraint constraint(vocabulary.trie, schema);
    const std::size_t shortest = constraint.shortest();
    const std::size_t limit =
        seed % 2 == 0 ? shortest + random() % 6 : shortest + random() % (4 * shortest + 100);
    const Draw how = kDraws[random() % std::size(kDraws)];
    const DrawnReply reply =
        vocabulary.drawer.draw(std::move(constraint), limit, how, vocabulary.end_tokens, random);
    const std::string decoded = vocabulary.tokenizer->decode(reply.ids, true);
    const auto problem = schema.problem(decoded);
    ASSERT_FALSE(problem) << name << " seed " << seed << " limit " << limit << ": " << *problem
                          << "\n"
                          << decoded;
    // Decoders may drop the blank at the very start.
    const std::string_view bytes = reply.bytes;
    ASSERT_EQ(decoded.substr(decoded.find_first_not_of(' ')),
              bytes.substr(bytes.find_first_not_of(' ')))
        << name << " seed " << seed;
  }
}

class EveryTokenizer : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, EveryTokenizer, ::testing::ValuesIn(kTokenizers));

TEST_P(EveryTokenizer, RepliesOfAgentsFit) {
  const Vocabulary vocabulary(tokenizer::golden_tokenizer(GetParam()));
  const Json schemas = tokenizer::read_json(tokenizer::kData + "/schemas.json");
  for (const auto& [agent, schema] : schemas.items()) {
    expect_fitting_replies(vocabulary, agent, JsonSchema::parse(dump_json(schema)), 300);
  }
}

const char* const kOddSchemas[] = {
    R"({"type":"string"})",
    R"({"type":"string","maxLength":0})",
    R"({"type":"number"})",
    R"({"type":"number","minimum":-0.001,"maximum":0.002})",
    R"({"type":"integer","minimum":-120,"maximum":-7})",
    R"({"type":"null"})",
    R"({"const":"a                                        b"})",
    R"({"enum":["a","ab","abc","a\"b","é€","\u0001",1,10,100,2.5,true,null]})",
    R"({"type":"array","items":{"type":"array","items":{"type":"array","items":{"type":"boolean"},
        "minItems":1,"maxItems":2},"minItems":1,"maxItems":2},"maxItems":3})",
    R"({"type":"array","items":{"type":"string","maxLength":3},"minItems":2,"maxItems":4})",
    R"({"type":"array","items":{"type":"null"},"maxItems":0})",
    R"({"type":"object","additionalProperties":false})",
    R"({"type":"object","additionalProperties":false,"required":["c"],"properties":{
        "a":{"type":"integer"},"b\"":{"type":"string"},"c":{"type":"boolean"},
        "d":{"type":"null"},"é":{"type":"number"}}})",
    R"({"oneOf":[{"type":"null"},{"type":"string","maxLength":9},{"type":"integer"},
        {"type":"array","items":{"oneOf":[{"const":1},{"const":12},{"const":"1"}]}}]})",
    R"({"oneOf":[
        {"type":"object","additionalProperties":false,"required":["t","k"],"properties":{
          "t":{"type":"string","maxLength":4},"k":{"const":"x"}}},
        {"type":"object","additionalProperties":false,"required":["t","k"],"properties":{
          "t":{"type":"string","maxLength":40},"k":{"const":"xyz"},"more":{"type":"integer"}}}]})",
};

TEST_P(EveryTokenizer, OddRepliesFit) {
  const Vocabulary vocabulary(tokenizer::golden_tokenizer(GetParam()));
  for (const char* schema : kOddSchemas) {
    expect_fitting_replies(vocabulary, schema, JsonSchema::parse(schema), 150);
  }
}

// What a model would write by itself, in the tokens in which it would.
// Seconds if every blank of the literal were walked twice, years for forty.
TEST(JsonConstraint, ARunOfBlanksIsWalkedOnce) {
  const std::string blanks(40, ' ');
  const Vocabulary vocabulary = listed({blanks, "a" + blanks + "b"});
  const JsonSchema schema = JsonSchema::parse(R"({"const":"a)" + blanks + R"(b"})");
  JsonConstraint constraint(vocabulary.trie, schema);
  for (const char c : std::string("\"a")) {
    EXPECT_EQ(constraint.allowed(100)[static_cast<unsigned char>(c)], 1) << c;
    constraint.accept(static_cast<unsigned char>(c));
  }
  EXPECT_EQ(constraint.allowed(100)[256], 1);
}

TEST_P(EveryTokenizer, UsualSpellingsAreAllowed) {
  const Vocabulary vocabulary(tokenizer::golden_tokenizer(GetParam()));
  const JsonSchema schema = JsonSchema::parse(
      R"({"type":"object","additionalProperties":false,"required":["answer","answerable","pages"],
          "properties":{"answer":{"type":"string","maxLength":60},"answerable":{"type":"boolean"},
          "pages":{"type":"array","items":{"type":"integer","minimum":0}},
          "share":{"type":"number"}}})");
  for (const char* text :
       {R"({"answer": "It's 5 €, \"quoted\" (see p. 3).", "answerable": true, "pages": [1, 2]})",
        R"({"answer":"naïve\n二 𝄞\\","answerable":false,"pages":[10,0],"share":-0.25})",
        R"({"answer": "", "answerable": true, "pages": [], "share": 12.5})",
        R"({ "answer": "x/y", "answerable": true, "pages": []})"}) {
    JsonConstraint constraint(vocabulary.trie, schema);
    const auto ids = ids_of(vocabulary.tokenizer->encode(text, false));
    for (const std::int32_t id : ids) {
      ASSERT_FALSE(constraint.complete());
      ASSERT_EQ(constraint.allowed(500)[static_cast<std::size_t>(id)], 1)
          << text << ": " << vocabulary.tokenizer->token(id);
      constraint.accept(id);
    }
    EXPECT_TRUE(constraint.complete()) << text;
    EXPECT_GE(ids.size() + 60, constraint.shortest());
  }
}

// Follows random replies with positions alone and compares every flag at every step.
TEST_P(EveryTokenizer, FlagsEqualAPlainWalkOfEachToken) {
  const Vocabulary vocabulary(tokenizer::golden_tokenizer(GetParam()));
  const TokenTrie& trie = *vocabulary.trie;
  const auto after = [&](const Program& program, Positions positions, std::string_view bytes) {
    for (const char byte : bytes) {
      Positions next;
      for (const Position& position : positions) {
        advance(program, position, static_cast<std::uint8_t>(byte), &next);
      }
      positions.swap(next);
    }
    return positions;
  };
  for (const char* text : kOddSchemas) {
    const JsonSchema schema = JsonSchema::parse(text);
    const Program program(schema.root(), trie);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      std::mt19937_64 random(seed);
      JsonConstraint constraint(vocabulary.trie, schema);
      Positions positions;
      enter(program, program.start(), {}, &positions);
      for (std::size_t left = constraint.shortest() + random() % 20;
           left > 0 && !constraint.complete(); --left) {
        const auto allowed = constraint.allowed(left);
        std::vector<std::int64_t> ids;
        for (std::size_t index = 0; index < vocabulary.size; ++index) {
          const auto id = static_cast<std::int64_t>(index);
          if (trie.is_end(id)) continue;
          const std::string_view bytes = trie.bytes_of(id);
          const Positions next = bytes.empty() ? Positions() : after(program, positions, bytes);
          const bool expected = cost_to_end(program, trie, next) < left;
          ASSERT_EQ(allowed[index] != 0, expected) << text << ": token " << bytes;
          if (expected) ids.push_back(id);
        }
        if (ids.empty()) break;
        const std::int64_t id = ids[random() % ids.size()];
        constraint.accept(id);
        positions = after(program, positions, trie.bytes_of(id));
      }
    }
  }
}

TEST(JsonConstraint, TheShortestReplyIsThat) {
  const Vocabulary bytes = listed(), words = listed({"{\"a", "\":", "true"});
  const JsonSchema schema = object_with(R"({"type":"boolean"})");
  EXPECT_EQ(JsonConstraint(bytes.trie, schema).shortest(), 10U);  // {"a":true}
  EXPECT_EQ(JsonConstraint(words.trie, schema).shortest(), 4U);
  const JsonSchema list =
      object_with(R"({"type":"array","items":{"type":"integer","minimum":12},"minItems":2})");
  EXPECT_EQ(JsonConstraint(bytes.trie, list).shortest(), 13U);  // {"a":[12,12]}
}

TEST(JsonConstraint, AtTheLimitWhatIsOpenGetsClosed) {
  const Vocabulary vocabulary = listed({"abc", "abcdef", "\"}", "\xC3"});
  const JsonSchema schema = object_with(R"({"type":"string"})");
  JsonConstraint constraint(vocabulary.trie, schema);
  for (const char byte : std::string("{\"a\":\""))
    constraint.accept(static_cast<unsigned char>(byte));
  const auto flags_of = [&](std::size_t left) {
    const auto allowed = constraint.allowed(left);
    return std::vector<int>{allowed['x'],  allowed['"'], allowed[0xC3],
                            allowed['\\'], allowed[258], allowed[256]};
  };
  EXPECT_EQ(flags_of(5), (std::vector<int>{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(flags_of(4), (std::vector<int>{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(flags_of(3), (std::vector<int>{1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(flags_of(2), (std::vector<int>{0, 1, 0, 0, 1, 0}));
  EXPECT_THROW(flags_of(1), Error);
  constraint.accept(258);
  EXPECT_TRUE(constraint.complete());
}

TEST(JsonConstraint, CountsCharactersOfStrings) {
  const Vocabulary vocabulary = listed({"ab", "abc", "é€", "\\\"x", "\\", "a\"", "abc\""});
  JsonConstraint constraint(vocabulary.trie, object_with(R"({"type":"string","maxLength":2})"));
  for (const char byte : std::string("{\"a\":\""))
    constraint.accept(static_cast<unsigned char>(byte));
  const auto allowed = constraint.allowed(100);
  const auto flags = [&] { return std::vector<int>(allowed.begin() + 256, allowed.begin() + 263); };
  EXPECT_EQ(flags(), (std::vector<int>{1, 0, 1, 1, 1, 1, 0}));
  constraint.accept('x');
  constraint.allowed(100);
  EXPECT_EQ(flags(), (std::vector<int>{0, 0, 0, 0, 1, 1, 0}));
  constraint.accept(260);
  EXPECT_EQ(constraint.allowed(100)['n'], 1);
  EXPECT_EQ(constraint.allowed(100)['u'], 0);
  EXPECT_EQ(constraint.allowed(100)['f'], 0);
  constraint.accept('n');
  EXPECT_EQ(constraint.allowed(100)['n'], 0);
  EXPECT_EQ(constraint.allowed(100)['"'], 1);
}

TEST(JsonConstraint, EndTokensComeWhereTheValueIsComplete) {
  const Vocabulary vocabulary = listed({"<|end|>", "true"});
  const std::vector<std::int64_t> ends = {256, 257};  // one special, one with bytes
  const auto trie = make_token_trie(*vocabulary.tokenizer, 258, ends);
  JsonConstraint flag(trie, JsonSchema::parse(R"({"type":"boolean"})"));
  EXPECT_EQ(flag.shortest(), 4U);  // an end token writes nothing
  for (const char byte : std::string("true")) {
    EXPECT_EQ(flag.allowed(9)[256] + flag.allowed(9)[257], 0);
    flag.accept(byte);
  }
  EXPECT_TRUE(flag.complete());
  const auto allowed = flag.allowed(1);
  EXPECT_EQ(std::ranges::count(allowed, 1), 2);
  flag.accept(257);
  EXPECT_THROW(flag.allowed(1), Error);

  JsonConstraint number(trie, JsonSchema::parse(R"({"type":"integer","maximum":20})"));
  number.accept('2');
  EXPECT_FALSE(number.complete());
  EXPECT_EQ(number.allowed(1)[256], 1);
  EXPECT_EQ(number.allowed(2)['0'], 1);
  EXPECT_EQ(number.allowed(2)['1'], 0);
  number.accept('0');
  EXPECT_TRUE(number.complete());
}

TEST(JsonConstraint, ArraysWithoutAMostEnd) {
  const Vocabulary vocabulary = listed();
  JsonConstraint constraint(vocabulary.trie,
                            JsonSchema::parse(R"({"type":"array","items":{"const":0}})"));
  std::string text;
  while (!constraint.complete()) {
    const auto allowed = constraint.allowed(100'000);
    const char byte = allowed[','] ? ',' : allowed['['] ? '[' : allowed['0'] ? '0' : ']';
    constraint.accept(byte);
    text += byte;
  }
  EXPECT_EQ(std::ranges::count(text, '0'), 256);
}

TEST(JsonConstraint, ThreadsShareAVocabulary) {
  const Vocabulary vocabulary(tokenizer::golden_tokenizer("tok_gemma"));
  const JsonSchema schema = JsonSchema::parse(kOddSchemas[11]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { expect_fitting_replies(vocabulary, "shared", schema, 20); });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(JsonConstraint, SpecialTokensAreNeverAllowed) {
  const Vocabulary vocabulary(tokenizer::golden_tokenizer("tok_qwen"));
  JsonConstraint constraint(vocabulary.trie, JsonSchema::parse(R"({"type":"string"})"));
  constraint.accept(vocabulary.tokenizer->id_of("\""));
  const auto allowed = constraint.allowed(1000);
  for (std::size_t id = 0; id < allowed.size(); ++id) {
    if (vocabulary.tokenizer->is_special(static_cast<std::int32_t>(id)) ||
        id >= vocabulary.tokenizer->vocab_size()) {
      EXPECT_EQ(allowed[id], 0) << id;
    }
  }
  EXPECT_EQ(allowed.size(), vocabulary.size);
}

std::string model_refusal(std::vector<std::string> tokens, const JsonSchema& schema) {
  const ListedTokenizer tokenizer(std::move(tokens));
  try {
    JsonConstraint(make_token_trie(tokenizer, tokenizer.vocab_size(), {}), schema);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    return error.what();
  }
  return "none";
}

TEST(JsonConstraint, NamesWhatAVocabularyCannotWrite) {
  const JsonSchema flag = object_with(R"({"type":"boolean"})");
  const JsonSchema number = object_with(R"({"type":"integer","minimum":0})");
  const JsonSchema any_number = object_with(R"({"type":"number"})");
  const JsonSchema text = object_with(R"({"type":"string"})");
  const std::vector<std::string> some = {"{\"a\":", "}", "true", "false", "0", "1", "2"};
  EXPECT_EQ(model_refusal(some, flag), "none");
  EXPECT_NE(model_refusal({"{\"a\":", "}", "true"}, flag).find("false"), std::string::npos);
  EXPECT_NE(model_refusal({"}", "true", "false"}, flag).find("{\"a\":"), std::string::npos);
  EXPECT_NE(model_refusal(some, number).find("cannot write 3"), std::string::npos);
  EXPECT_NE(model_refusal(some, text).find("cannot write \""), std::string::npos);
  std::vector<std::string> digits = some;
  for (const char* digit : {"3", "4", "5", "6", "7", "8", "9"}) digits.push_back(digit);
  EXPECT_EQ(model_refusal(digits, number), "none");
  EXPECT_NE(model_refusal(digits, any_number).find("cannot write -"), std::string::npos);
}

// Tokens that begin what the vocabulary cannot end are out.
TEST(JsonConstraint, AnUnfinishedCharacterNeedsBytesToEndIt) {
  std::vector<std::string> tokens = {"{\"a\":", "}", "\"", "x", "\xE2", "\xE2\x82", "\xE2\x82\xAC"};
  const JsonSchema schema = object_with(R"({"type":"string"})");
  const auto allowed_of = [&](const std::vector<std::string>& list) {
    const ListedTokenizer tokenizer(list);
    JsonConstraint constraint(make_token_trie(tokenizer, list.size(), {}), schema);
    constraint.accept(0);
    constraint.accept(2);
    const auto allowed = constraint.allowed(50);
    return std::vector<int>(allowed.begin() + 3, allowed.begin() + 7);
  };
  EXPECT_EQ(allowed_of(tokens), (std::vector<int>{1, 0, 0, 1}));
  tokens.push_back("\xAC");
  EXPECT_EQ(allowed_of(tokens), (std::vector<int>{1, 1, 1, 1}));
}

TEST(JsonConstraint, RefusesAnArrayTooLongToWrite) {
  const Vocabulary vocabulary = listed();
  const std::string items = R"({"type":"array","minItems":9000,"items":)";
  EXPECT_NO_THROW(JsonConstraint(vocabulary.trie, JsonSchema::parse(items + R"({"const":0}})")));
  EXPECT_THROW(
      JsonConstraint(vocabulary.trie, JsonSchema::parse(items + items + R"({"const":0}}})")),
      Error);
}

TEST(JsonConstraint, RefusesATokenThatWasNotAllowed) {
  const Vocabulary vocabulary = listed();
  const auto refused = [&](std::int64_t id) {
    JsonConstraint constraint(vocabulary.trie, JsonSchema::parse(R"({"type":"null"})"));
    EXPECT_THROW(constraint.accept(id), Error) << id;
  };
  for (const std::int64_t id :
       {std::int64_t{'t'}, std::int64_t{-1}, std::int64_t{1} << 40, vocabulary.end_tokens[0]}) {
    refused(id);
  }
}

}  // namespace
}  // namespace fineprint::grammar
