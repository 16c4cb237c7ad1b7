// What words look like and what questions want.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/qa/words.h"

namespace fineprint::models {
namespace {

TEST(QaWords, ShapesTellNamesYearsAndMoney) {
  using enum WordShape;
  const std::vector<std::pair<std::string, WordShape>> cases = {
      {"ferry", lower},
      {"Tern", capitalised},
      {"(Tern),", capitalised},
      {"USA", capitals},
      {"iPhone", mixed},
      {"A4", mixed},
      {"12,500", number},
      {"(1.5)", number},
      {"1999", year},
      {"1999.", year},
      {"3999", number},
      {"12%", percent},
      {"$4.2", money},
      {"$4m", money},
      {"€", none},
      {"--", none},
      {"New York", capitalised},
      {"état", lower},
      {"", none},
  };
  for (const auto& [word, shape] : cases) EXPECT_EQ(shape_of(word), shape) << word;
}

TEST(QaWords, QuestionsTellWhatTheyWant) {
  using enum Sought;
  const std::vector<std::pair<std::string, Sought>> cases = {
      {"Who audits the company?", person},
      {"Whose boats are these?", person},
      {"When was it founded?", time},
      {"In what year did sales fall?", time},
      {"Where is the harbour?", place},
      {"How many boats are there?", number},
      {"What is the number of boats?", number},
      {"How much was spent?", amount},
      {"What percentage of boats leak?", percentage},
      {"By how much % did sales rise?", amount},
      {"How old is the captain?", extent},
      {"Which boat is larger?", which},
      {"What is the boat's name?", what},
      {"Why did it sink?", reason},
      {"Is the harbour deep?", verdict},
      {"the harbour's depth", something},
      {"Show Whatcom's boats", something},
  };
  for (const auto& [question, sought] : cases) EXPECT_EQ(sought_by(question), sought) << question;
}

}  // namespace
}  // namespace fineprint::models
