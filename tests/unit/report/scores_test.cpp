// What scorers write, read back.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/report/report.h"

#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::report {
namespace {

std::vector<Score> scores_of(const std::string& text) {
  const testing::TempDir dir;
  write_file_atomic(dir.file("scores.jsonl"), text);
  return read_scores(dir.file("scores.jsonl"));
}

TEST(Scores, AreReadWithTheirOwnFields) {
  const std::vector<Score> scores = scores_of(
      "{\"id\": \"a\", \"score\": 0.5, \"correct\": null, \"anls\": 0.5, \"quirks\": [\"lower\"]}\n"
      "\n{\"id\": 7, \"correct\": true, \"error\": \"TypeError\"}\n");
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].score, 0.5);
  EXPECT_EQ(scores[0].correct, std::nullopt);
  EXPECT_EQ(scores[0].quirks, std::vector<std::string>{"lower"});
  EXPECT_EQ(scores[0].fields_json, R"({"anls":0.5})");
  EXPECT_EQ(scores[1].id, "7");
  EXPECT_EQ(scores[1].correct, true);
  EXPECT_EQ(scores[1].error, "TypeError");
}

TEST(Scores, AProblemNamesFileLineAndField) {
  const std::pair<std::string, std::string> cases[] = {
      {"{\"score\": 1}", "'id' is missing"},
      {"{\"id\": \"a\", \"score\": \"1\"}", "'score'"},
      {"{\"id\": \"a\", \"correct\": 1}", "'correct'"},
      {"{\"id\": \"a\", \"quirks\": \"x\"}", "'quirks'"},
      {"[]", "not a JSON object"},
      {"{", "not valid JSON"}};
  for (const auto& [line, part] : cases) {
    try {
      scores_of("{\"id\": \"fine\"}\n" + line + "\n");
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      testing::expect_mentions(error.what(), {"scores.jsonl:2: ", part});
    }
  }
}

}  // namespace
}  // namespace fineprint::report
