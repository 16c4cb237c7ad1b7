// Tests of the units that a line states, and of figures with a dimension.
#include "fineprint/text/units.h"

#include <gtest/gtest.h>

#include "fineprint/text/measure.h"

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

bool measures(const std::string& question, const std::string& passage) {
  const std::vector<Value> values = find_values(passage, AnswerKind::number);
  return measures_what_is_asked(question, passage, values.at(0));
}

TEST(Measure, WantsTheDimensionThatIsAskedFor) {
  EXPECT_TRUE(measures("How long is it?", "It is 320 metres long."));
  EXPECT_TRUE(measures("How long did it take?", "It took 3 years."));
  EXPECT_FALSE(measures("How long is it?", "It is the 320 of them."));
  EXPECT_FALSE(measures("How tall is it?", "It weighs 320 tonnes."));
  EXPECT_TRUE(measures("How heavy is it?", "It weighs 320 tonnes."));
  EXPECT_TRUE(measures("How old is it?", "It is 40 years old."));
  EXPECT_TRUE(measures("How large is it?", "It covers 40 square miles."));
  EXPECT_FALSE(measures("How large is it?", "It is large 18."));
  EXPECT_TRUE(measures("What is the score?", "It scored 18."));
}

}  // namespace
}  // namespace fineprint::text
