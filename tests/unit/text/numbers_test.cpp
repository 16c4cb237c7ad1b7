// Tests of numbers as documents print them.
#include "fineprint/text/numbers.h"

#include <string>

#include <gtest/gtest.h>

namespace fineprint::text {
namespace {

// The values of all numbers of a text.
std::vector<double> printed_values(const std::string& text) {
  std::vector<double> values;
  for (const PrintedNumber& number : numbers_in(text)) values.push_back(number.value);
  return values;
}

using Values = std::vector<double>;

TEST(PrintedNumbers, HaveGroupsAndFractions) {
  EXPECT_EQ(printed_values("1,234.5 and 2,000"), (Values{1234.5, 2000}));
  EXPECT_EQ(printed_values("1,2345"), (Values{1, 2345}));
  EXPECT_EQ(printed_values("2019,123"), (Values{2019, 123}));
  EXPECT_EQ(printed_values("It sold 31."), (Values{31}));
}

TEST(PrintedNumbers, HaveSigns) {
  EXPECT_EQ(printed_values("(1,234) -12 $(4.2) -$3"), (Values{-1234, -12, -4.2, -3}));
  EXPECT_EQ(printed_values("10-12"), (Values{10, 12}));
  EXPECT_EQ(printed_values("(2019)"), (Values{2019}));
  EXPECT_EQ(printed_values("(20.5) (19.9) (2100)"), (Values{-20.5, -19.9, -2100}));
}

TEST(PrintedNumbers, MayBeginBeforeABlank) {
  const std::string text = "was 1 012 700 tonnes";
  EXPECT_EQ(start_of_number(text, 10), 4U);
  EXPECT_EQ(start_of_number(text, 6), 6U);  // no word follows
  EXPECT_EQ(start_of_number("In 1998 700 copies", 8), 8U);
  EXPECT_EQ(start_of_number("1,200 700 copies", 6), 6U);
  EXPECT_EQ(start_of_number("Sker 45 700", 8), 8U);
  EXPECT_EQ(start_of_number("45 70 copies", 3), 3U);
}

TEST(PrintedNumbers, MayBeShares) {
  for (const char* share : {"12.5%", "12.5 %", "(12.5%)", "(12.5)%"}) {
    EXPECT_TRUE(numbers_in(share).at(0).percent) << share;
  }
  EXPECT_FALSE(numbers_in("12.5 of 100%").at(0).percent);
}

TEST(PrintedNumbers, AreNotWithinWords) {
  EXPECT_EQ(printed_values("Q3 B2B 1st 5G"), Values{});
  EXPECT_EQ(printed_values("4.2bn, 12x"), (Values{4.2, 12}));
}

TEST(PrintedNumbers, SayWhereTheirDigitsAre) {
  const PrintedNumber number = numbers_in("cost $(1,234) in all").at(0);
  EXPECT_EQ(number.begin, 7U);
  EXPECT_EQ(number.end, 12U);
}

TEST(NumberOfCell, IsTheOnlyOne) {
  EXPECT_EQ(number_of_cell("US$ 1,234"), 1234);
  EXPECT_EQ(number_of_cell("1,234[1]"), 1234);
  EXPECT_EQ(number_of_cell("12 km"), 12);
  EXPECT_EQ(number_of_cell("(98)"), -98);
}

TEST(NumberOfCell, MayHaveADecimalComma) {
  EXPECT_EQ(number_of_cell("41,31"), 41.31);
  EXPECT_EQ(number_of_cell("0,75 \u20ac"), 0.75);
  EXPECT_EQ(number_of_cell("EUR 12.321,5"), 12321.5);
  EXPECT_EQ(number_of_cell("-2.321,00"), -2321);
  EXPECT_EQ(number_of_cell("1,234"), 1234);
  for (const char* cell : {"41, 31", "1.2,5", "1234.567,8", "1,2,3"}) {
    EXPECT_EQ(number_of_cell(cell), std::nullopt) << cell;
  }
}

TEST(NumberOfCell, IsNotTheScaleOfAHead) {
  for (const char* cell : {"Seats (000's)", "(000)", "in 000s"}) {
    EXPECT_EQ(number_of_cell(cell), std::nullopt) << cell;
  }
  EXPECT_EQ(number_of_cell("0.000"), 0);
  EXPECT_EQ(number_of_cell("000"), 0);
}

TEST(NumberOfCell, IsNotInWords) {
  for (const char* cell :
       {"", "-", "Net sales", "10 of 12", "Note 12", "12 months ended December"}) {
    EXPECT_EQ(number_of_cell(cell), std::nullopt) << cell;
  }
}

}  // namespace
}  // namespace fineprint::text
