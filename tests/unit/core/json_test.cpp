// JSON with its limits, its errors and its surprises.
#include "fineprint/core/json.h"

#include <chrono>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

std::string refusal(std::string_view text, const JsonLimits& limits = {}) {
  try {
    parse_json(text, "a.json", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    return error.what();
  }
  return "accepted";
}

TEST(Json, RoundTripKeepsOrderAndNumbers) {
  const std::string text =
      R"({"z":[1,-2,0.1,1e+300,18446744073709551615,true,null],"a":{"é":"\n\"\\"},"":{}})";
  EXPECT_EQ(dump_json(parse_json(text, "a.json")), text);
  EXPECT_EQ(parse_json("\xEF\xBB\xBF 7 ", "a.json"), Json(7));
}

TEST(Json, ErrorsNameTheFileTheByteAndTheReason) {
  EXPECT_TRUE(refusal("{\"a\": 1,, }").starts_with("a.json: not valid JSON at byte 9: syntax"))
      << refusal("{\"a\": 1,, }");
  EXPECT_TRUE(refusal("").starts_with("a.json: not valid JSON at byte 1: syntax")) << refusal("");
  EXPECT_TRUE(refusal("[1] 2").starts_with("a.json: not valid JSON at byte 5"));
  EXPECT_NE(refusal("1e999").find("number overflow"), std::string::npos) << refusal("1e999");
  for (const char* bad : {"[1", "\"\xFF\"", "'a'", "{1:2}", "[1,]", "nul", "\"\\ud800\"", "NaN"}) {
    EXPECT_NE(refusal(bad), "accepted") << bad;
  }
}

TEST(Json, DepthIsLimited) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(refusal(nested(64)), "accepted");
  EXPECT_EQ(refusal(nested(65)), "a.json: JSON is nested deeper than the limit of 64");
  EXPECT_EQ(refusal(std::string(10'000'000, '[')),
            "a.json: JSON is nested deeper than the limit of 64");
  EXPECT_EQ(refusal(R"({"a":{"b":1}})", {100, 1}),
            "a.json: JSON is nested deeper than the limit of 1");
}

TEST(Json, SizeIsLimited) {
  EXPECT_EQ(refusal("[1,2]", {4, 9}), "a.json: 5 bytes of JSON are more than the limit of 4");
  EXPECT_EQ(refusal("[1,2]", {5, 9}), "accepted");
}

TEST(Json, TheLastOfRepeatedKeysWins) {
  EXPECT_EQ(dump_json(parse_json(R"({"a":1,"b":{"c":1,"c":2},"a":[3]})", "a.json")),
            R"({"b":{"c":2},"a":[3]})");
}

TEST(Json, RepeatedKeysAreRefusedWhenAsked) {
  JsonLimits strict;
  strict.unique_keys = true;
  EXPECT_EQ(refusal(R"({"a":1,"b":{"c":1,"c":2}})", strict), "a.json: JSON repeats the key 'c'");
  EXPECT_EQ(refusal(R"({"a":{"c":1},"b":{"c":2}})", strict), "accepted");
}

TEST(Json, ObjectsWithManyKeysParseInLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"key" + std::to_string(i) + "\":1,";
  text.back() = '}';
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_json(text, "a.json").size(), 200'000u);
  // Looking each key up among the earlier ones would take minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Json, DumpNeverWritesInvalidUtf8) {
  EXPECT_EQ(dump_json(Json("a\xFF"
                           "b")),
            "\"a\xEF\xBF\xBD"
            "b\"");
  EXPECT_EQ(dump_json(Json(std::numeric_limits<double>::quiet_NaN())), "null");
}

}  // namespace
}  // namespace fineprint
