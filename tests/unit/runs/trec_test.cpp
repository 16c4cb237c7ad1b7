// TREC files: names, ties, and what they are read back as.
#include "fineprint/runs/trec.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint::runs {
namespace {

bool is_trec_file(const std::string& path) { return is_trec(read_file(path), path); }

std::vector<Answer> read_trec_run(const std::string& path) {
  return parse_trec_run(read_file(path), path);
}

class TrecTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    return dir_.write(name, text);
  }

  std::string problem_of(const std::string& text) {
    try {
      read_trec_run(write("broken.run", text));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      return error.what();
    }
    return "";
  }

  testing::TempDir dir_;
};

TEST_F(TrecTest, ARunHasSixFields) {
  const std::vector<RetrievedPage> ranking = {{{"a/b.pdf", 3}, 0.75}, {{"c.pdf", 12}, -2}};
  EXPECT_EQ(to_trec_run("q1", ranking, "mine"),
            "q1 Q0 a/b.pdf#3 1 0.75 mine\nq1 Q0 c.pdf#12 2 -2 mine\n");
  EXPECT_EQ(to_trec_run("q1", {}, "mine"), "");
}

TEST_F(TrecTest, WhiteSpaceAndPercentAreEscapedAndComeBack) {
  const std::string odd = "my report\t100%#2 \xC2\xA0\xE3\x80\x80\xC3\xA9.pdf";
  const std::string run = to_trec_run("a question", std::vector<RetrievedPage>{{{odd, 7}, 1}}, "t");
  EXPECT_EQ(run, "a%20question Q0 my%20report%09100%25#2%20%C2%A0%E3%80%80\xC3\xA9.pdf#7 1 1 t\n");
  const std::vector<Answer> answers = read_trec_run(write("x.run", run));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].id, "a question");
  EXPECT_EQ(answers[0].retrieved[0].page, (PageRef{odd, 7}));
}

TEST_F(TrecTest, APercentOfAnotherProgramStays) {
  const auto answers = read_trec_run(write("x.run", "q% Q0 5%of%2x.pdf%#1 1 1 t\n"));
  EXPECT_EQ(answers[0].id, "q%");
  EXPECT_EQ(answers[0].retrieved[0].page.doc, "5%of%2x.pdf%");
}

TEST_F(TrecTest, ScoresFallStrictlySoThatSortingKeepsTheRanking) {
  const std::vector<RetrievedPage> ranking = {
      {{"a", 1}, 0.5}, {{"b", 1}, 0.5}, {{"c", 1}, 0.5 - 1e-12}, {{"d", 1}, 0.9}, {{"e", 1}, 0.25}};
  const auto answers = read_trec_run(write("x.run", to_trec_run("q", ranking, "t")));
  ASSERT_EQ(answers[0].retrieved.size(), ranking.size());
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    EXPECT_EQ(answers[0].retrieved[i].page, ranking[i].page);
    if (i == 0) continue;
    EXPECT_LT(static_cast<float>(answers[0].retrieved[i].score),
              static_cast<float>(answers[0].retrieved[i - 1].score));
  }
}

TEST_F(TrecTest, RunsAreReadByScoreThenRank) {
  const auto answers = read_trec_run(
      write("x.run", "b Q0 d#1 1 0.5 t\na Q0 d#9 1 3 t\n\nb Q0 d#2 3 0.9 t\nb Q0 d#3 2 0.9 t\n"));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].id, "b");
  EXPECT_EQ(answers[0].retrieved[0].page.page, 3);
  EXPECT_EQ(answers[0].retrieved[1].page.page, 2);
  EXPECT_EQ(answers[0].retrieved[2].page.page, 1);
}

TEST_F(TrecTest, WhatIsWrongIsNamed) {
  EXPECT_NE(problem_of("a Q0 d#1 1 1 t\na Q0 d#1 1 1\n").find("broken.run:2: found 5 fields"),
            std::string::npos);
  EXPECT_NE(problem_of("a Q0 d 1 1 t\n").find("\"d\" is not DOC#PAGE"), std::string::npos);
  EXPECT_NE(problem_of("a Q0 d#x 1 1 t\n").find("DOC#PAGE"), std::string::npos);
  EXPECT_NE(problem_of("a Q0 d#1 1 high t\n").find("score \"high\""), std::string::npos);
  EXPECT_NE(problem_of("a Q0 d#1 1 nan t\n").find("score"), std::string::npos);
}

TEST_F(TrecTest, FilesAreToldApartByTheirFirstLine) {
  EXPECT_TRUE(is_trec_file(write("a.txt", "\n a Q0 d#1 1 1 t\n")));
  EXPECT_TRUE(is_trec_file(write("b.txt", "a 0 d#1 1\n")));
  EXPECT_TRUE(is_trec_file(write("c.run", "what is this\n")));
  EXPECT_FALSE(is_trec_file(write("d.jsonl", "what is this\n")));
  EXPECT_FALSE(is_trec_file(write("e.run", "{\"id\":\"a\"}\n")));
  EXPECT_FALSE(is_trec_file(write("f.run", "")));
  EXPECT_FALSE(is_trec_file(write("g", "\v")));
  EXPECT_TRUE(is_trec_file(write("h", "\f\n\v\nq 0 d#1 1\n")));
}

TEST_F(TrecTest, QrelsAreMadeOfQuestions) {
  Question one;
  one.id = "one";
  one.docs = {"d.pdf"};
  one.evidence = {{"", 2}, {"e f.pdf", 1}};
  Question none;
  none.id = "none";
  EXPECT_EQ(to_trec_qrels(one), "one 0 d.pdf#2 1\none 0 e%20f.pdf#1 1\n");
  EXPECT_EQ(to_trec_qrels(none), "");
  one.docs.clear();
  EXPECT_THROW(to_trec_qrels(one), Error);
}

}  // namespace
}  // namespace fineprint::runs
