// Tests of what questions demand.
#include "pipelines/extractive/demands.h"

#include <gtest/gtest.h>

namespace fineprint::pipelines::extractive {
namespace {

TEST(Demands, ALookUpDemandsNothing) {
  for (const char* question : {"Who audited the accounts?", "How many employees does Acme have?",
                               "When was the bridge opened?", "What did the lease cost?"}) {
    const Demands found = demands(question);
    EXPECT_FALSE(found.arithmetic || found.comparison || found.looking || found.several)
        << question;
  }
}

TEST(Demands, Arithmetic) {
  EXPECT_TRUE(demands("What is the quick ratio?").arithmetic);
  EXPECT_TRUE(demands("How much did sales grow from 2020 to 2021?").arithmetic);
  EXPECT_TRUE(demands("What was the percentage change in revenue?").arithmetic);
  EXPECT_TRUE(demands("Calculate the average wage.").arithmetic);
}

TEST(Demands, Comparison) {
  EXPECT_TRUE(demands("Which region sold the most?").comparison);
  EXPECT_TRUE(demands("Is the ferry faster or longer than the barge?").comparison);
}

TEST(Demands, Looking) {
  EXPECT_TRUE(demands("What colour is the roof?").looking);
  EXPECT_TRUE(demands("How many charts are on page 3?").looking);
  EXPECT_TRUE(demands("What stands in the legend of Figure 4?").looking);
}

TEST(Demands, SeveralThings) {
  EXPECT_TRUE(demands("List all the ports.").several);
  EXPECT_TRUE(demands("Who wrote it, and when was it printed?").several);
}

TEST(Demands, PlotsOfLandAndBarsToDrinkAtNeedNoLook) {
  for (const char* question : {"Which plot goes to the Okoro family?", "When does the bar open?",
                               "Who rents the plot no. 14?", "What is the plot of land worth?"}) {
    EXPECT_FALSE(demands(question).looking) << question;
  }
  for (const char* question :
       {"What is shown by the scatter plot?", "What does the plot show?",
        "What is the value in the plot for 2019?", "What do the dark bars represent?"}) {
    EXPECT_TRUE(demands(question).looking) << question;
  }
}

TEST(Demands, OrdinalsAndOrdersMayCompareNothing) {
  for (const char* question : {"What were the sales in Q2 second quarter?",
                               "What is the order number?", "Who lives on the third floor?"}) {
    EXPECT_FALSE(demands(question).comparison) << question;
  }
  for (const char* question : {"Which ship came in second?", "Who took third place?",
                               "Which name comes first in alphabetical order?"}) {
    EXPECT_TRUE(demands(question).comparison) << question;
  }
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
