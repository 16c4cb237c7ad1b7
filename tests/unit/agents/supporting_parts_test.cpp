// Which sentences and rows an answer was taken from.
#include "agents/supporting_parts.h"

#include <gtest/gtest.h>

namespace fineprint::agents {
namespace {

using Parts = std::vector<std::string>;

const Parts kPage = {"The board met in May.", "The auditor is Brandt & Co of Oslo.",
                     "Brandt & Co was appointed in 2019.", "Fees 120 95"};

TEST(SupportingParts, ThatSharesMostOfTheAnswer) {
  EXPECT_EQ(supporting_parts(kPage, "When did the board meet?", "in May"), Parts{kPage[0]});
  EXPECT_EQ(supporting_parts(kPage, "What were the fees?", "120"), Parts{kPage[3]});
}

TEST(SupportingParts, OfEqualsTheOneThatSharesMostOfTheQuestion) {
  EXPECT_EQ(supporting_parts(kPage, "Who is the auditor?", "Brandt & Co"), Parts{kPage[1]});
  EXPECT_EQ(supporting_parts(kPage, "Who was appointed?", "Brandt & Co"), Parts{kPage[2]});
}

TEST(SupportingParts, AsManyAsTheAnswerNeeds) {
  EXPECT_EQ(
      supporting_parts(kPage, "Who audits, and since when?", "Brandt & Co of Oslo, since 2019"),
      (Parts{kPage[1], kPage[2]}));
}

TEST(SupportingParts, AnAnswerWithoutWordsOfThePageIsSupportedByWhatWasAsked) {
  EXPECT_EQ(supporting_parts(kPage, "Did the board meet?", "Yes"), Parts{kPage[0]});
  EXPECT_TRUE(supporting_parts(kPage, "Is it raining?", "Yes").empty());
  EXPECT_TRUE(supporting_parts({}, "Did the board meet?", "May").empty());
}

TEST(SharesTerms, InWhateverForm) {
  EXPECT_TRUE(shares_terms("The auditors were paid.", "an auditor"));
  EXPECT_FALSE(shares_terms("The auditors were paid.", "the board"));
  EXPECT_FALSE(shares_terms("The auditors were paid.", ""));
}

}  // namespace
}  // namespace fineprint::agents
