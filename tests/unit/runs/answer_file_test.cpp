// Files of answers, of hits and of both, and lines that are refused by name.
#include "fineprint/runs/answer_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint::runs {
namespace {

TEST(ReadAnswers, ReadsAnswersAndHitsOfSearch) {
  const testing::TempDir folder;
  const std::string path = folder.write(
      "mixed.jsonl",
      R"({"id":"h1","rank":1,"doc":"a.pdf","page":3,"score":2.5,"scores":{},"snippet":"","boxes":[]})"
      "\n"
      R"({"id":"x","answer":"yes","answerable":true,"confidence":0.5})"
      "\n\n"
      R"({"id":"h2","rank":1,"doc":"b.pdf","page":1,"score":1})"
      "\n"
      R"({"id":"h1","rank":2,"doc":"a.pdf","page":9,"score":1.5})"
      "\n");
  const AnswerFile given = read_answers(path);
  EXPECT_FALSE(given.pages_only);
  const std::vector<Answer>& answers = given.answers;
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0].id, "h1");
  ASSERT_EQ(answers[0].retrieved.size(), 2u);
  EXPECT_EQ(answers[0].retrieved[0].page, (PageRef{"a.pdf", 3}));
  EXPECT_EQ(answers[0].retrieved[0].score, 2.5);
  EXPECT_EQ(answers[0].retrieved[1].page, (PageRef{"a.pdf", 9}));
  EXPECT_EQ(answers[1].answer, "yes");
  EXPECT_EQ(answers[2].id, "h2");
}

TEST(ReadAnswers, NamesTheLineThatIsWrong) {
  const testing::TempDir folder;
  for (const std::string line : {"{", "7", "{\"answer\":\"x\"}", "{\"id\":\"a\"}",
                                 "{\"id\":\"a\",\"rank\":1,\"doc\":\"d\",\"score\":1}"}) {
    const std::string path = folder.write("a", "{\"id\":\"b\",\"answer\":\"\"}\n" + line + "\n");
    try {
      read_answers(path);
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      EXPECT_NE(std::string(error.what()).find(path + ":2"), std::string::npos) << error.what();
    }
  }
}

TEST(ReadAnswers, HitsNamePagesThatCanBe) {
  const testing::TempDir folder;
  const auto hit = [&](const std::string& page) {
    return folder.write("hits.jsonl",
                        R"({"id":"q","rank":1,"doc":"d","score":1,"page":)" + page + "}");
  };
  EXPECT_TRUE(read_answers(hit("1")).pages_only);
  EXPECT_EQ(read_answers(hit("2147483647")).answers[0].retrieved[0].page.page, 2147483647);
  for (const char* page : {"0", "-1", "2147483648", "18446744073709551615", "1.5", "1e300"}) {
    EXPECT_THROW(read_answers(hit(page)), Error) << page;
  }
}

}  // namespace
}  // namespace fineprint::runs
