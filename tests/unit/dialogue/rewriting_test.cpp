// What a question that a generator wrote may contain.
#include "fineprint/dialogue/rewriting.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::dialogue {
namespace {

const std::vector<Turn> kTurns = {
    {.question = "What was the revenue of Harbor & Skerry in 2022?", .answer = "£86,455 thousand"}};

std::string invented(const std::string& question,
                     const std::string& asked = "And the year before?") {
  return invented_word(question, asked, kTurns);
}

TEST(InventedWord, AcceptsWhatTheConversationHas) {
  EXPECT_EQ(invented("What was the revenue of Harbor & Skerry in 2022?"), "");
  EXPECT_EQ(invented("Why was Skerry's revenue 86,455 thousand?"), "");
  EXPECT_EQ(invented("Who are the Terns?", "And the Terns?"), "");
}

TEST(InventedWord, AcceptsAYearThatTheRulesCount) {
  EXPECT_EQ(invented("What was the revenue of Harbor & Skerry in 2021?"), "");
  EXPECT_EQ(invented("What was the revenue in 2021?", "And before?"), "2021");
}

TEST(InventedWord, NamesNumbersAndNamesThatAreNot) {
  EXPECT_EQ(invented("What was the revenue of Redcliffe in 2022?"), "Redcliffe");
  EXPECT_EQ(invented("Was the revenue 86,456 thousand?"), "86,456");
  EXPECT_EQ(invented("What did Harbor & Skerry report in Q3?"), "Q3");
}

}  // namespace
}  // namespace fineprint::dialogue
