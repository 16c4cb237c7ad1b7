// Tests of questions with passages in JSON Lines.
#include "fineprint/evidence/examples.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/has.h"
#include "support/temp_dir.h"

namespace fineprint::evidence {
namespace {

class ExamplesTest : public ::testing::Test {
 protected:
  std::vector<Example> read(const std::string& text) {
    const std::string path = dir_.path() + "/examples.jsonl";
    write_file_atomic(path, text);
    return read_examples(path);
  }
  std::string problem(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      return error.what();
    }
    return "";
  }

  testing::TempDir dir_;
};

TEST_F(ExamplesTest, TextsAndTables) {
  const auto examples = read(
      R"({"id":"q7","question":"How much?","answers":[],"passages":[)"
      R"({"context":"Sales","rows":[["","2019"],["Net","5"]],"header_rows":0},{"text":"It is."}]})"
      "\n\n"
      R"({"question":"Who?","passages":[{"rows":[["a"]]}]})");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].id, "q7");
  EXPECT_EQ(examples[0].question, "How much?");
  ASSERT_EQ(examples[0].passages.size(), 2U);
  EXPECT_EQ(examples[0].passages[0].context, "Sales");
  EXPECT_EQ(examples[0].passages[0].rows[1][1], "5");
  EXPECT_EQ(examples[0].passages[0].header_rows, 0);
  EXPECT_EQ(examples[0].passages[1].text, "It is.");
  EXPECT_EQ(examples[1].id, "3");  // the line's number
  EXPECT_EQ(examples[1].passages[0].header_rows, 1);
}

TEST_F(ExamplesTest, WhatIsNoExampleIsNamed) {
  using fineprint::testing::has;
  const std::string good = R"({"question":"Who?","passages":[{"text":"x"}]})";
  for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "not a JSON object"},
           {R"({"passages":[]})", "\"question\" is missing"},
           {R"({"question":5,"passages":[]})", "\"question\" is not a text"},
           {R"({"question":"Who?"})", "\"passages\""},
           {R"({"question":"Who?","passages":[{}]})", "either"},
           {R"({"question":"Who?","passages":[{"text":"x","rows":[["a"]]}]})", "either"},
           {R"({"question":"Who?","passages":[{"rows":[]}]})", "list of rows"},
           {R"({"question":"Who?","passages":[{"rows":[[5]]}]})", "list of texts"},
           {R"({"question":"Who?","passages":[{"rows":[["a"]],"header_rows":2}]})", "header_rows"},
           {R"({"question":"Who?","passages":[{"text":"x","context":5}]})", "\"context\""},
           {"{", "line 2"}}) {
    const std::string said = problem(good + "\n" + line);
    EXPECT_TRUE(has(said, "line 2")) << said;
    EXPECT_TRUE(has(said, why)) << said;
  }
  EXPECT_TRUE(has(problem("\n"), "contains no questions"));
}

TEST_F(ExamplesTest, WritesWhatWasRead) {
  Execution said;
  said.nothing = 0.25;
  EXPECT_EQ(to_json_line("a", said),
            R"({"id":"a","answer":null,"scale":"","operator":"span","derivation":"","passage":0,)"
            R"("probability":0.0,"null":0.25})");
  said.texts = {"25"};
  said.probability = 0.5;
  said.passage = 1;
  said.operation = models::QaOperator::change;
  said.scale = models::QaScale::percent;
  said.derivation = "(5 - 4) / 4";
  said.evidence = {{1, 1}, {1, 2}};
  EXPECT_EQ(to_json_line("a", said),
            R"({"id":"a","answer":"25","scale":"percent","operator":"change",)"
            R"("derivation":"(5 - 4) / 4","passage":1,"cells":[[1,1],[1,2]],)"
            R"("probability":0.5,"null":0.25})");
  said.texts = {"Ann", "Bo"};
  said.operation = models::QaOperator::spans;
  said.evidence = {{-1, -1, 0, 3}, {-1, -1, 8, 10}};
  const std::string line = to_json_line("a", said);
  EXPECT_TRUE(fineprint::testing::has(line, R"("answer":["Ann","Bo"])")) << line;
  EXPECT_TRUE(fineprint::testing::has(line, R"("spans":[[0,3],[8,10]])")) << line;
}

}  // namespace
}  // namespace fineprint::evidence
