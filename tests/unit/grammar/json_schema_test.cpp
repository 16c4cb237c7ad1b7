// Tests of reading schemas, of checking values against them, and of finding JSON in replies.
#include "fineprint/grammar/json_schema.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "grammar/schema_node.h"

namespace fineprint::grammar {
namespace {

std::string refusal(const std::string& schema) {
  try {
    JsonSchema::parse(schema);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  return "none";
}

std::string object_of(const std::string& properties, const std::string& required = "") {
  return R"({"type":"object","additionalProperties":false,"properties":{)" + properties +
         R"(},"required":[)" + required + "]}";
}

std::string problem(const std::string& schema, const std::string& value) {
  return JsonSchema::parse(schema).problem(value).value_or("none");
}

TEST(JsonSchema, ReadsTheSchemasOfAllAgents) {
  const std::string path = FINEPRINT_TEST_DATA "/schemas.json";
  const Json schemas = parse_json(read_file(path), path);
  EXPECT_EQ(schemas.size(), 22U);  // one of them belongs to no agent: of two forms
  for (const auto& [agent, schema] : schemas.items()) {
    const std::string text = dump_json(schema);
    EXPECT_EQ(JsonSchema::parse(text).text(), text) << agent;
  }
}

TEST(JsonSchema, KeepsWhatItRead) {
  const JsonSchema schema = JsonSchema::parse(object_of(
      R"("b":{"type":"array","items":{"type":"string","maxLength":7},"minItems":2,"maxItems":3},
         "a":{"type":"integer","minimum":-3,"maximum":4.5,"title":"A","description":"an a"})",
      "\"a\""));
  const SchemaNode& root = schema.root();
  ASSERT_EQ(root.properties.size(), 2U);
  EXPECT_EQ(root.properties[0].name, "b");
  EXPECT_FALSE(root.properties[0].required);
  EXPECT_EQ(root.properties[0].node.min_items, 2U);
  EXPECT_EQ(root.properties[0].node.max_items, 3U);
  EXPECT_EQ(root.properties[0].node.items[0].max_length, 7U);
  EXPECT_TRUE(root.properties[1].required);
  EXPECT_EQ(writable_numbers(root.properties[1].node)->low, -3);
  EXPECT_EQ(writable_numbers(root.properties[1].node)->high, 4);
}

TEST(JsonSchema, NamesWhatLiesOutsideTheSubset) {
  const auto has = [](const std::string& schema, const std::string& part) {
    const std::string message = refusal(schema);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has(object_of(R"("a":{"type":"string","pattern":"x"})"), "at /properties/a: \"pattern\"");
  has(object_of(R"("a":{"type":"string","minLength":1})"), "\"minLength\"");
  has(object_of(R"("a":{"type":"string","maximum":1})"), "\"maximum\"");
  has(object_of(R"("a":{"$ref":"#"})"), "one of type, enum, const and oneOf is needed");
  has(object_of(R"("a":{"type":["string","null"]})"), "use oneOf");
  has(object_of(R"("a":{"type":"text"})"), "unknown type \"text\"");
  has(object_of(R"("a":{"type":"null"})", "\"b\""), "required names \"b\"");
  has(object_of(R"("a":true)"), "at /properties/a: a schema must be an object");
  has(R"({"type":"object","properties":{}})", "needs \"additionalProperties\": false");
  has(R"({"type":"object","additionalProperties":{},"properties":{}})", "additionalProperties");
  has(R"({"type":"array"})", "needs items");
  has(R"({"type":"array","items":{"type":"null"},"minItems":2,"maxItems":1})", "below minItems");
  has(R"({"type":"array","items":{"type":"null"},"maxItems":-1})", "maxItems must be");
  has(R"({"type":"string","maxLength":1.5})", "maxLength must be");
  has(R"({"type":"integer","minimum":2,"maximum":1})", "no number");
  has(R"({"type":"integer","minimum":0.2,"maximum":0.8})", "no number");
  has(R"({"type":"integer","minimum":1e15})", "no number");
  has(R"({"type":"number","minimum":1e-9,"maximum":2e-9})", "no number");
  has(R"({"type":"number","minimum":"1"})", "minimum must be a number");
  has(R"({"enum":[]})", "enum must list");
  has(R"({"enum":["a","a"]})", "repeats \"a\"");
  has(R"({"enum":[[1]]})", "must not contain objects or arrays");
  has(R"({"enum":["a"],"const":"a"})", "cannot be combined");
  has(R"({"type":"integer","enum":["a"]})", "\"a\" does not have the type \"integer\"");
  has(R"({"oneOf":[]})", "oneOf must list");
  has(R"({"oneOf":[{"type":"null"}],"type":"null"})", "\"type\"");
  has(R"([])", "must be an object");
  has(R"({"type":"null","type":"null"})", "repeats");
  has(R"({"type":"null")", "not valid JSON");
  has(std::string(70'000, ' '), "more than the limit");
}

TEST(JsonSchema, HasBounds) {
  std::string deep = R"({"type":"null"})", deepest;
  for (int depth = 1; depth <= 40; ++depth) {
    deep = R"({"type":"array","items":)" + deep + "}";
    if (depth == 15) deepest = deep;
  }
  EXPECT_EQ(refusal(deepest), "none");
  EXPECT_NE(refusal(deep).find("deep"), std::string::npos);
  std::string many;
  for (int i = 0; i < 129; ++i) {
    many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"type":"null"})";
  }
  EXPECT_NE(refusal(object_of(many)).find("at most 128"), std::string::npos);
}

TEST(JsonSchema, RefusesAlternativesThatShareAValue) {
  const auto accepts = [](const std::string& a, const std::string& b) {
    const std::string message = refusal(R"({"oneOf":[)" + a + "," + b + "]}");
    EXPECT_TRUE(message == "none" || message.find("/oneOf/1") != std::string::npos) << message;
    EXPECT_EQ(message, refusal(R"({"oneOf":[)" + b + "," + a + "]}"));
    return message == "none";
  };
  EXPECT_TRUE(accepts(R"({"type":"string"})", R"({"type":"null"})"));
  EXPECT_FALSE(accepts(R"({"type":"string"})", R"({"type":"string","maxLength":2})"));
  EXPECT_FALSE(accepts(R"({"type":"integer"})", R"({"type":"number"})"));
  EXPECT_TRUE(accepts(R"({"type":"integer","maximum":4})", R"({"type":"number","minimum":4.5})"));
  EXPECT_FALSE(accepts(R"({"type":"string"})", R"({"const":"a"})"));
  EXPECT_FALSE(accepts(R"({"type":"number"})", R"({"enum":["a",2]})"));
  EXPECT_TRUE(accepts(R"({"type":"string","maxLength":2})", R"({"const":"abc"})"));
  EXPECT_TRUE(accepts(R"({"enum":["a","b"]})", R"({"enum":["c"]})"));
  EXPECT_FALSE(accepts(R"({"enum":["a","b"]})", R"({"enum":["b"]})"));
  const std::string yes = R"("v":{"const":"yes"},"n":{"type":"null"})";
  const std::string no = R"("v":{"const":"no"},"n":{"type":"null"})";
  EXPECT_TRUE(accepts(object_of(yes, "\"v\""), object_of(no, "\"v\"")));
  EXPECT_FALSE(accepts(object_of(yes, "\"n\""), object_of(no, "\"n\"")));
  EXPECT_TRUE(accepts(object_of(yes, "\"v\",\"n\""), object_of(R"("n":{"type":"null"})")));
  EXPECT_FALSE(accepts(object_of(yes), object_of(R"("n":{"type":"null"})")));
  const std::string nulls = R"({"type":"array","items":{"type":"null"})";
  const std::string texts = R"({"type":"array","items":{"type":"string"})";
  EXPECT_FALSE(accepts(nulls + "}", texts + "}"));  // both take []
  EXPECT_TRUE(accepts(nulls + R"(,"minItems":1})", texts + R"(,"minItems":1})"));
  EXPECT_TRUE(accepts(nulls + R"(,"maxItems":1})", nulls + R"(,"minItems":2})"));
}

TEST(JsonSchemaProblem, SaysWhatAndWhere) {
  const std::string schema = object_of(
      R"("facts":{"type":"array","maxItems":2,"items":)" +
          object_of(
              R"("kind":{"enum":["salient","fine_print"]},"text":{"type":"string","maxLength":3})",
              "\"kind\"") +
          R"(},"n":{"type":"integer","minimum":1,"maximum":5})",
      "\"facts\"");
  EXPECT_EQ(problem(schema, R"({"facts":[{"kind":"salient"}]})"), "none");
  EXPECT_EQ(problem(schema, R"( {"n":5, "facts":[{"text":"€€é","kind":"fine_print"}]} )"), "none");
  EXPECT_EQ(problem(schema, R"({"facts":[{"kind":"salient"},{"kind":"x"}]})"),
            R"(/facts/1/kind: expected one of "salient", "fine_print")");
  EXPECT_EQ(problem(schema, R"({"facts":[{"kind":"salient","text":"abcd"}]})"),
            "/facts/0/text: 4 characters, but at most 3 are allowed");
  EXPECT_EQ(problem(schema, R"({"facts":[{}]})"), R"(/facts/0: "kind" is missing)");
  EXPECT_EQ(problem(schema, R"({"facts":[],"m":1})"), R"(/: "m" is not a property of the schema)");
  EXPECT_EQ(problem(schema, R"({"facts":[],"n":0})"), "/n: 0 is below the minimum of 1");
  EXPECT_EQ(problem(schema, R"({"facts":[],"n":6})"), "/n: 6 is above the maximum of 5");
  EXPECT_EQ(problem(schema, R"({"facts":[],"n":2.0})"), "none");
  EXPECT_EQ(problem(schema, R"({"facts":[],"n":2.5})"), "/n: expected an integer, found number");
  EXPECT_EQ(problem(schema, R"({"facts":[],"n":true})"), "/n: expected an integer, found boolean");
  EXPECT_EQ(problem(schema, R"({"facts":[{"kind":"salient"},{"kind":"salient"},{}]})"),
            "/facts: 3 items, but at most 2 are allowed");
  EXPECT_EQ(problem(schema, "[]"), "/: expected an object, found array");
}

TEST(JsonSchemaProblem, RefusesWhatIsNoJson) {
  const std::string schema = object_of(R"("a":{"type":"string"})");
  for (const char* text : {"", "{", R"({"a":"x"} x)", R"({"a":"x","a":"y"})", "{\"a\":\"\xFF\"}",
                           "{\"a\":\"\n\"}", "nan"}) {
    EXPECT_NE(problem(schema, text), "none") << text;
  }
  EXPECT_NE(problem(schema, std::string(100'000, '[')), "none");
}

TEST(JsonSchemaProblem, OfAlternativesNamesAll) {
  const std::string schema = R"({"oneOf":[{"type":"null"},{"type":"integer"}]})";
  EXPECT_EQ(problem(schema, "null"), "none");
  EXPECT_EQ(problem(schema, "7"), "none");
  EXPECT_EQ(problem(schema, "\"x\""),
            "/: expected null, found string; or /: expected an integer, found string");
}

// Verdicts of the Python package jsonschema; see scripts/golden/make_json_schema.py.
TEST(JsonSchemaProblem, AgreesWithAnotherValidator) {
  const std::string path = FINEPRINT_TEST_GOLDEN "/json_schema.json";
  const Json golden = parse_json(read_file(path), path);
  std::size_t valid = 0, invalid = 0;
  for (const Json& entry : golden["cases"]) {
    const JsonSchema schema = JsonSchema::parse(dump_json(entry["schema"]));
    for (const char* verdict : {"valid", "invalid"}) {
      for (const Json& value : entry[verdict]) {
        const std::string text = dump_json(value);
        const auto found = schema.problem(text);
        EXPECT_EQ(found.has_value(), verdict == std::string("invalid")) << text << "\n"
                                                                        << schema.text() << "\n"
                                                                        << found.value_or("");
        ++(found ? invalid : valid);
      }
    }
  }
  EXPECT_GT(valid, 400U);
  EXPECT_GT(invalid, 400U);
}

TEST(JsonInReply, TakesTheFirstObject) {
  EXPECT_EQ(json_in_reply(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(json_in_reply("Sure!\n```json\n{\"a\": {\"b\": 2}}\n```\nDone {x}"),
            R"({"a": {"b": 2}})");
  EXPECT_EQ(json_in_reply("```{\"a\":1}```"), R"({"a":1})");
  const JsonSchema list =
      JsonSchema::parse(R"({"type":"array","items":{"type":"object","additionalProperties":false,
                            "properties":{"a":{"type":"integer"}}}})");
  EXPECT_EQ(json_of_reply(R"([{"a":1}])", list), R"([{"a":1}])");
  EXPECT_EQ(json_of_reply(R"(see {"a":1}.)", list), R"({"a":1})");
  EXPECT_EQ(json_of_reply("none", list), "none");
  EXPECT_EQ(json_in_reply(R"({"a":"}{\"}"} rest)"), R"({"a":"}{\"}"})");
  EXPECT_EQ(json_in_reply(R"({"a":"\\"}})"), R"({"a":"\\"})");
  EXPECT_EQ(json_in_reply(R"("{" {"a":1})"), std::nullopt);  // the first brace never ends
  EXPECT_EQ(json_in_reply(R"({"a":"x)"), std::nullopt);
  EXPECT_EQ(json_in_reply(R"({"a":"\)"), std::nullopt);
  EXPECT_EQ(json_in_reply("nothing"), std::nullopt);
  EXPECT_EQ(json_in_reply(""), std::nullopt);
}

}  // namespace
}  // namespace fineprint::grammar
