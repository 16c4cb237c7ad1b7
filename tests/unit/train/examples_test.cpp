// Tests of what retrievers are trained on.
#include "fineprint/train/examples.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::train {
namespace {

std::vector<Example> read(const std::string& text) {
  const testing::TempDir dir;
  write_file_atomic(dir.path() + "/pairs.jsonl", text);
  return read_examples(dir.path() + "/pairs.jsonl");
}

std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    return error.what();
  }
  return "";
}

TEST(Examples, AreReadWithTextsAndPictures) {
  const auto examples = read(
      "{\"query\": \"q1\", \"positive\": \"p1\"}\n"
      "\n"
      "{\"query\": \"q2\", \"positive\": {\"image\": \"a.pdf#2\"}, "
      "\"negatives\": [\"n\", {\"image\": \"b.png\"}], \"id\": 7}");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].query, "q1");
  EXPECT_FALSE(examples[0].positives.front().is_image);
  EXPECT_TRUE(examples[1].positives.front().is_image);
  EXPECT_EQ(examples[1].positives.front().text, "a.pdf#2");
  ASSERT_EQ(examples[1].negatives.size(), 2U);
  EXPECT_EQ(examples[1].negatives[0].text, "n");
  EXPECT_TRUE(examples[1].negatives[1].is_image);
}

TEST(Examples, SeveralPositivesAreTaughtInTurn) {
  const auto examples = read(
      R"({"query": "q", "positive": [{"image": "a.png"}, {"image": "b.png"}, {"image": "c.png"}]})"
      "\n"
      R"({"query": "q", "positive": "p"})");
  ASSERT_EQ(examples[0].positives.size(), 3U);
  std::vector<std::string> taught;
  for (long epoch = 0; epoch < 4; ++epoch) {
    taught.push_back(positive_in_epoch(examples[0], epoch).text);
    EXPECT_EQ(positive_in_epoch(examples[1], epoch).text, "p");
  }
  EXPECT_EQ(taught, (std::vector<std::string>{"a.png", "b.png", "c.png", "a.png"}));
}

TEST(Examples, WhatIsNoneIsNamedWithItsLine) {
  const std::string good = "{\"query\": \"q\", \"positive\": \"p\"}\n";
  for (const std::string bad :
       {"[]", "{\"query\": \"q\"}", "{\"positive\": \"p\"}",
        "{\"query\": \"\", \"positive\": \"p\"}", "{\"query\": 3, \"positive\": \"p\"}",
        "{\"query\": \"q\", \"positive\": {\"file\": \"x\"}}",
        "{\"query\": \"q\", \"positive\": []}",
        "{\"query\": \"q\", \"positive\": [\"p\", {\"image\": \"x.png\"}]}",
        "{\"query\": \"q\", \"positive\": \"p\", \"negatives\": \"n\"}",
        "{\"query\": \"q\", \"positive\": \"p\", \"negatives\": [1]}", "{\"query\": "}) {
    testing::expect_mentions(message_of(good + bad), {"pairs.jsonl, line 2"});
  }
  testing::expect_mentions(message_of("\n"), {"contains no examples"});
}

}  // namespace
}  // namespace fineprint::train
