// Tests of the units that a line states.
#include "fineprint/text/units.h"

#include <gtest/gtest.h>

#include "fineprint/text/question.h"

namespace fineprint::text {
namespace {

struct Stated {
  const char* line;
  const char* scale;
  const char* currency;
};

TEST(StatedUnits, AreReadAsAccountsWriteThem) {
  const Stated cases[] = {
      {"(In millions, except per share amounts)", "million", ""},
      {"Dollars in millions", "million", "$"},
      {"Millions of dollars", "million", "$"},
      {"Thousands of U.S. dollars", "thousand", "$"},
      {"(US$ in thousands)", "thousand", "$"},
      {"In thousands of euros 2022 2021", "thousand", "€"},
      {"$'000", "thousand", "$"},
      {"€m", "million", "€"},
      {"(£ million)", "million", "£"},
      {"(CHF in millions)", "million", "CHF"},
      {"Amounts expressed in billions", "billion", ""},
  };
  for (const Stated& one : cases) {
    const std::optional<Units> units = stated_units(one.line);
    ASSERT_TRUE(units) << one.line;
    EXPECT_EQ(units->scale, one.scale) << one.line;
    EXPECT_EQ(units->currency, one.currency) << one.line;
  }
}

TEST(StatedUnits, AreNotInProse) {
  for (const char* line :
       {"Revenue rose to 5 million.", "Millions watched.", "It sells thousands of anvils.", "",
        "It cost $5.2 million in 2020", "Net sales 1,000 2,000"}) {
    EXPECT_FALSE(stated_units(line)) << line;
  }
}

TEST(Units, OfOtherThingsThanMoney) {
  EXPECT_TRUE(states_other_unit("Employees (number)"));
  EXPECT_TRUE(states_other_unit("Length in km"));
  EXPECT_TRUE(states_other_unit("Capacity (Ml)"));
  EXPECT_FALSE(states_other_unit("Cost ($000)"));
  EXPECT_FALSE(states_other_unit("Sales (unaudited)"));
  EXPECT_FALSE(states_other_unit("number"));
  EXPECT_FALSE(states_other_unit(""));
}

TEST(Heads, AYearOrAQuarterIsNoName) {
  for (const char* head : {"Boats", "Fees ($000)", "kWh"}) EXPECT_TRUE(is_named_head(head)) << head;
  for (const char* head : {"", "2023", "Q4 2023", "FY23", "(%)"})
    EXPECT_FALSE(is_named_head(head)) << head;
}

TEST(Units, AreOfWhatTheyMeasure) {
  const Units water = *stated_units("Volumes in million cubic metres");
  EXPECT_EQ(water.things, "cubic metres");
  EXPECT_TRUE(are_of_other_things(water, counted_terms("How many customers were there in 2023?")));
  EXPECT_FALSE(are_of_other_things(water, counted_terms("How many cubic metres were used?")));
  EXPECT_FALSE(are_of_other_things(water, counted_terms("What was the volume?")));
  const Units money = *stated_units("Segment results (EUR thousand)");
  EXPECT_EQ(money.things, "");
  EXPECT_TRUE(are_of_other_things(money, counted_terms("How many employees were there?")));
  EXPECT_FALSE(are_of_other_things(money, counted_terms("How many euros were spent?")));
  const Units shares = *stated_units("(In millions, except per share amounts)");
  EXPECT_EQ(shares.things, "");
  EXPECT_FALSE(are_of_other_things(shares, counted_terms("How many shares were issued?")));
}

}  // namespace
}  // namespace fineprint::text
