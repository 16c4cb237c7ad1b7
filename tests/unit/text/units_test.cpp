// Tests of the units that a line states.
#include "fineprint/text/units.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fineprint::text
