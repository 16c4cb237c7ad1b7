// Tests of the examples of QA models: what lines say, and what is wrong with them.
#include "train/qa_examples.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint::train {
namespace {

class QaExamplesTest : public ::testing::Test {
 protected:
  QaExamples read(const std::string& text) const {
    const std::string path = folder_.path() + "/examples.jsonl";
    write_file_atomic(path, text);
    return QaExamples(path);
  }
  std::string problem(const std::string& line) const {
    try {
      read("{\"question\": \"q\", \"passages\": [{\"text\": \"t\"}], \"answers\": []}\n" + line);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      return error.what();
    }
    return "";
  }

 private:
  testing::TempDir folder_;
};

constexpr const char* kLine = R"({"question": "How many?", "passages": [
  {"context": "c", "text": "Ann has 3."}, {"rows": [["a", "b"], ["1", "2"]], "header_rows": 1}],
  "answers": [{"passage": 0, "operator": "span", "spans": [[8, 9]]},
              {"passage": 1, "operator": "difference", "cells": [[1, 1], [1, 0]]},
              {"passage": 1, "operator": "count", "count": 3}], "scale": "million", "gold": ["3"]})";

std::string in_one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

TEST_F(QaExamplesTest, LinesAreRead) {
  const QaExamples examples = read("\n" + in_one_line(kLine) + "\n");
  ASSERT_EQ(examples.size(), 1U);
  const QaExample example = examples.at(0);
  EXPECT_EQ(example.question, "How many?");
  EXPECT_EQ(example.passages.at(0).context, "c");
  EXPECT_EQ(example.passages.at(1).rows.at(1).at(1), "2");
  ASSERT_EQ(example.answers.size(), 3U);
  EXPECT_EQ(example.answers[0].spans.at(0), (std::pair<std::uint32_t, std::uint32_t>(8, 9)));
  EXPECT_EQ(example.answers[1].by, models::QaOperator::difference);
  EXPECT_EQ(example.answers[1].cells.at(0), (std::pair<int, int>(1, 1)));
  EXPECT_EQ(example.answers[2].count, 3);
  EXPECT_EQ(example.scale, models::QaScale::million);
}

TEST_F(QaExamplesTest, WhatIsWrongIsToldByLine) {
  const auto line = [](const std::string& answer) {
    return R"({"question": "q", "passages": [{"text": "two words"}, {"rows": [["a"]]}],)"
           R"( "answers": [)" +
           answer + "]}";
  };
  EXPECT_EQ(problem(line(R"({"passage": 0, "operator": "span", "spans": [[0, 3]]})")), "");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[]", "line 2: the line is not a JSON object"},
      {R"({"passages": [], "answers": []})", "\"question\" is missing"},
      {R"({"question": "q", "passages": [], "answers": []})", "\"passages\" is empty"},
      {R"({"question": "q", "passages": [{"text": "t", "rows": []}], "answers": []})", "either"},
      {R"({"question": "q", "passages": [{"rows": [[1]]}], "answers": []})",
       "a row is not a list of texts"},
      {line(R"({"passage": 2, "operator": "yes"})"),
       "\"passage\" is not a whole number from 0 to 1"},
      {line(R"({"passage": 0, "operator": "guess"})"), "unknown value \"guess\""},
      {line(R"({"passage": 0, "operator": "span", "spans": [[3, 30]]})"), "a span's end"},
      {line(R"({"passage": 0, "operator": "span", "spans": [[3, 3]]})"), "is empty"},
      {line(R"({"passage": 1, "operator": "span", "cells": [[0, 1]]})"), "a cell's column"},
      {line(R"({"passage": 0, "operator": "difference", "spans": [[0, 3]]})"), "needs a pair"},
      {line(R"({"passage": 0, "operator": "yes", "spans": [[0, 3]]})"), "needs none"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(problem(text).find(expected), std::string::npos) << text << ": " << problem(text);
  }
}

TEST_F(QaExamplesTest, AFileWithoutAnyIsRefused) { EXPECT_THROW(read("\n \n"), Error); }

}  // namespace
}  // namespace fineprint::train
