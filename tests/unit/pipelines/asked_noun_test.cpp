// Tests of the noun that a question asks for.
#include "pipelines/extractive/asked_noun.h"

#include <gtest/gtest.h>

namespace fineprint::pipelines::extractive {
namespace {

using Nouns = std::vector<std::string>;

TEST(AskedNoun, IsBetweenTheArticleAndAPreposition) {
  EXPECT_EQ(asked_noun("What is the fare for a caravan?", ""), Nouns{"fare"});
  EXPECT_EQ(asked_noun("What was the annual rent of the lodge?", ""), (Nouns{"annual", "rent"}));
  EXPECT_EQ(asked_noun("Who is the director of the museum?", ""), Nouns{"director"});
  EXPECT_EQ(asked_noun("How much is the deposit for the mill?", ""), Nouns{"deposit"});
  EXPECT_EQ(asked_noun("What is the applicant's locker number?", ""), Nouns{"locker"});
}

TEST(AskedNoun, FollowsWhich) {
  EXPECT_EQ(asked_noun("Which boat class does Ada prefer?", ""), (Nouns{"boat", "class"}));
  EXPECT_EQ(asked_noun("In which department does Jonas work?", ""), Nouns{"depart"});
  EXPECT_EQ(asked_noun("Which warehouse holds the pump?", ""), Nouns{"warehous"});
  EXPECT_EQ(asked_noun("How many crates of apples are there?", ""), Nouns{"crate"});
}

TEST(AskedNoun, IsNotTheKindOfTheAnswer) {
  EXPECT_EQ(asked_noun("In which city was it built?", ""), Nouns());
  EXPECT_EQ(asked_noun("When was it built?", ""), Nouns());
  EXPECT_EQ(asked_noun("Was ist die Gebuehr?", "de"), Nouns());
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
