// Tests of what answering models are trained on.
#include "fineprint/train/answer_examples.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::train {
namespace {

std::vector<AnswerExample> read_answers(const std::string& text) {
  const testing::TempDir dir;
  write_file_atomic(dir.path() + "/answers.jsonl", text);
  return read_answer_examples(dir.path() + "/answers.jsonl");
}

std::string refusal_of_answers(const std::string& text) {
  try {
    read_answers(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    return error.what();
  }
  return "";
}

TEST(AnswerExamples, HavePagesOfStoresAndPictures) {
  const auto examples = read_answers(
      "{\"question\": \"q1\", \"pages\": [{\"doc\": \"a.pdf\", \"page\": 3}, {\"image\": "
      "\"b.pdf#2\"}], \"answer\": \"a1\", \"id\": 7}\n"
      "\n"
      "{\"question\": \"q2\", \"pages\": [{\"image\": \"c.png\"}], \"answers\": [\"first\", "
      "\"second\"]}\n");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].question, "q1");
  EXPECT_EQ(examples[0].answer, "a1");
  ASSERT_EQ(examples[0].pages.size(), 2U);
  EXPECT_EQ(name_of(examples[0].pages[0]), "a.pdf:3");
  EXPECT_EQ(examples[0].pages[0].image, "");
  EXPECT_EQ(name_of(examples[0].pages[1]), "b.pdf#2");
  EXPECT_EQ(examples[1].answer, "first");
}

TEST(AnswerExamples, HavePassagesOrNothingToRead) {
  const auto examples = read_answers(
      "{\"question\": \"q1\", \"texts\": [\"t1\", {\"heading\": \"h2\", \"text\": \"t2\"}, "
      "{\"text\": \"t3\"}], \"answer\": \"a1\"}\n"
      "{\"question\": \"q2\", \"texts\": [], \"answer\": \"a2\"}\n");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_TRUE(examples[0].pages.empty());
  ASSERT_EQ(examples[0].texts.size(), 3U);
  EXPECT_EQ(examples[0].texts[0].heading, "");
  EXPECT_EQ(examples[0].texts[0].text, "t1");
  EXPECT_EQ(examples[0].texts[1].heading, "h2");
  EXPECT_EQ(examples[0].texts[1].text, "t2");
  EXPECT_EQ(examples[0].texts[2].text, "t3");
  EXPECT_TRUE(examples[1].texts.empty());
  EXPECT_TRUE(examples[1].pages.empty());
  EXPECT_EQ(examples[1].answer, "a2");
}

TEST(AnswerExamples, OtherLinesAreNamed) {
  const std::string good =
      "{\"question\": \"q\", \"pages\": [{\"image\": \"a.png\"}], \"answer\": \"a\"}\n";
  const std::string pages = "\"pages\": [{\"image\": \"a.png\"}]";
  for (const std::string& bad : std::vector<std::string>{
           "[]", "{\"question\": ", "{\"question\": \"q\", " + pages + "}",
           "{\"question\": \"\", " + pages + ", \"answer\": \"a\"}",
           "{\"question\": \"q\", " + pages + ", \"answer\": 3}",
           "{\"question\": \"q\", " + pages + ", \"answers\": []}",
           "{\"question\": \"q\", " + pages + ", \"answers\": [1]}",
           "{\"question\": \"q\", \"answer\": \"a\"}",
           "{\"question\": \"q\", \"pages\": [], \"answer\": \"a\"}",
           "{\"question\": \"q\", \"texts\": \"t\", \"answer\": \"a\"}",
           "{\"question\": \"q\", \"texts\": [\"\"], \"answer\": \"a\"}",
           "{\"question\": \"q\", \"texts\": [{\"heading\": \"h\"}], \"answer\": \"a\"}",
           "{\"question\": \"q\", \"texts\": [{\"heading\": 1, \"text\": \"t\"}], \"answer\": "
           "\"a\"}",
           "{\"question\": \"q\", \"texts\": [\"t\"], " + pages + ", \"answer\": \"a\"}",
           "{\"question\": \"q\", \"pages\": [\"a.png\"], \"answer\": \"a\"}",
           "{\"question\": \"q\", \"pages\": [{\"doc\": \"a\"}], \"answer\": \"a\"}",
           "{\"question\": \"q\", \"pages\": [{\"doc\": \"a\", \"page\": 0}], \"answer\": "
           "\"a\"}"}) {
    testing::expect_mentions(refusal_of_answers(good + bad), {"answers.jsonl, line 2"});
  }
  testing::expect_mentions(refusal_of_answers("\n"), {"contains no examples"});
}

}  // namespace
}  // namespace fineprint::train
