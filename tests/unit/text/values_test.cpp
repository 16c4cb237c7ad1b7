// Values of each kind in passages.
#include <random>

#include <gtest/gtest.h>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {
namespace {

using Texts = std::vector<std::string>;

struct Case {
  AnswerKind kind;
  std::string passage;
  Texts texts;
  std::vector<double> numbers;  // empty: not looked at
};

void expect_cases(const std::vector<Case>& cases) {
  for (const Case& item : cases) {
    Texts texts;
    std::vector<double> numbers;
    for (const Value& value : find_values(item.passage, item.kind)) {
      texts.push_back(value.text);
      numbers.push_back(value.number);
      EXPECT_EQ(item.passage.substr(value.span.begin, value.span.end - value.span.begin),
                value.text);
    }
    EXPECT_EQ(texts, item.texts) << item.passage;
    if (item.numbers.empty() || numbers.size() != item.numbers.size()) continue;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_NEAR(numbers[i], item.numbers[i], 1e-6 * std::abs(item.numbers[i]) + 1e-9)
          << item.passage;
    }
  }
}

TEST(ValuesTest, ExponentsBelongToNumbers) {
  expect_cases({
      {AnswerKind::count, "It holds 10⁶ bolts and 438 ¹ nuts.", {"10⁶", "438"}, {}},
      {AnswerKind::number, "It has 438¹ rooms.", {"438"}, {}},
  });
}

TEST(ValuesTest, BlanksMaySeparateThousands) {
  constexpr AnswerKind kNumber = AnswerKind::number;
  expect_cases({
      {kNumber, "Cargo throughput was 12 700 tonnes.", {"12 700"}, {12700}},
      {kNumber, "It holds 1 250 000 litres", {"1 250 000"}, {1250000}},
      {kNumber, "with 48\u00a0250 litres", {"48\u00a0250"}, {48250}},
      {kNumber, "Sker Point 45 700", {"45", "700"}, {45, 700}},
      {kNumber, "Table 12 700 copies", {"12", "700"}, {12, 700}},
      {kNumber, "In 1998 700 copies", {"700"}, {700}},
      {kNumber, "from 10 700 to 800", {"10", "700", "800"}, {10, 700, 800}},
  });
}

TEST(ValuesTest, NumbersThatAreDialled) {
  constexpr AnswerKind kPhone = AnswerKind::phone;
  expect_cases({
      {kPhone, "Telephone number: 01632 960655", {"01632 960655"}, {}},
      {kPhone,
       "Call +1-202-555-0155, or +44 (0)20 7946 0018.",
       {"+1-202-555-0155", "+44 (0)20 7946 0018"},
       {}},
      {kPhone, "Tel. 514 555-0189 Fax (514) 555-0192", {"514 555-0189", "(514) 555-0192"}, {}},
      {kPhone, "800 555 0199 or 800.555.0188", {"800 555 0199", "800.555.0188"}, {}},
      {kPhone, "Net sales 1,234 1,100 990 in 2022 2021 2020", {}, {}},
      {kPhone, "Signed on 2021-03-09 and 12/31/2022, for 2019-2020", {}, {}},
      {kPhone, "34567 45678 56789 was 12.5% of $ 1234567", {}, {}},
      {kPhone, "Room 12-34", {}, {}},
  });
}

TEST(ValuesTest, AddressesOfMailAndWeb) {
  expect_cases({
      {AnswerKind::email,
       "Write to a.lee@port.example.org, not to @lee.",
       {"a.lee@port.example.org"},
       {}},
      {AnswerKind::email, "no address", {}, {}},
      {AnswerKind::website,
       "See www.ferries.example/times. Or https://example.org/a?b=1, e.g. ferries.co.uk",
       {"www.ferries.example/times", "https://example.org/a?b=1", "ferries.co.uk"},
       {}},
      {AnswerKind::website, "a.lee@example.com at 5 p.m., i.e. never", {}, {}},
  });
}

TEST(ValuesTest, Money) {
  constexpr AnswerKind kind = AnswerKind::money;
  expect_cases({
      {kind, "It cost $1,577 million in 2018.", {"$1,577 million"}, {1577e6}},
      {kind, "Capital expenditures (1,577) (1,373)", {"(1,577)", "(1,373)"}, {-1577, -1373}},
      {kind, "Net loss of $(12.5) million", {"$(12.5) million"}, {-12.5e6}},
      {kind, "Loss ($3.2 billion)", {"($3.2 billion)"}, {-3.2e9}},
      {kind, "a fee of €250 and £1.5bn", {"€250", "£1.5bn"}, {250, 1.5e9}},
      {kind, "They paid 40 million dollars", {"40 million dollars"}, {40e6}},
      {kind, "US$5.4M and USD 20", {"US$5.4M", "USD 20"}, {5.4e6, 20}},
      {kind,
       "Net sales $ 34,229 $ 35,355 32,184",
       {"$ 34,229", "$ 35,355", "32,184"},
       {34229, 35355, 32184}},
      {kind, "a change of -$45 thousand", {"-$45 thousand"}, {-45e3}},
      {kind, "Total assets 17 in 2022", {"17"}, {17}},
      {kind, "margin of 12% on $100 sales", {"$100"}, {100}},
      {kind, "no money here", {}, {}},
  });
}

TEST(ValuesTest, Numbers) {
  constexpr AnswerKind kind = AnswerKind::number;
  expect_cases({
      {kind, "The ratio was 1.24 in 2022", {"1.24"}, {1.24}},
      {kind, "from (1,234) to 1,234,567.89", {"(1,234)", "1,234,567.89"}, {-1234, 1234567.89}},
      {kind, "fell to -5 or \u22127.5 degrees", {"-5", "\u22127.5"}, {-5, -7.5}},
      {kind, "on December 31, 2022 we had 17 shops", {"17"}, {17}},
      {kind, "founded in 1998", {"1998"}, {1998}},
      {kind, "see note (1) and 3M's 10-K", {}, {}},
      {kind, "a 5kg box, 30 km away", {"5kg", "30"}, {5, 30}},
      {kind, "about 2.5 million users", {"2.5 million"}, {2.5e6}},
      {kind, "(about 12 items)", {"12"}, {12}},
      {kind, "values .5 and 0.75.", {".5", "0.75"}, {0.5, 0.75}},
      {kind, "version 1.2.3", {}, {}},
      {kind, "a scale of 1-5", {"1", "5"}, {1, 5}},
  });
}

TEST(ValuesTest, Percentages) {
  constexpr AnswerKind kind = AnswerKind::percent;
  expect_cases({
      {kind, "grew 12.5% to 40", {"12.5%"}, {12.5}},
      {kind, "fell by (3.2)% and (4%)", {"(3.2)%", "(4%)"}, {-3.2, -4}},
      {kind, "up 5 percent, or 2 percentage points", {"5 percent", "2 percentage points"}, {5, 2}},
      {kind, "-0.4 % vs 7 per cent", {"-0.4 %", "7 per cent"}, {-0.4, 7}},
      {kind, "1,200%", {"1,200%"}, {1200}},
      {kind, "nothing, 25", {}, {}},
  });
}

TEST(ValuesTest, Dates) {
  constexpr AnswerKind kind = AnswerKind::date;
  expect_cases({
      {kind, "on December 31, 2022.", {"December 31, 2022"}, {}},
      {kind, "Dec. 31, 2022 and 31 Dec 2021", {"Dec. 31, 2022", "31 Dec 2021"}, {}},
      {kind, "the 31st of March, 2019", {"31st of March, 2019"}, {}},
      {kind, "in March 2019 or mar 2020", {"March 2019", "mar 2020"}, {}},
      {kind, "2022-12-31, 12/31/2022, 31.12.2022", {"2022-12-31", "12/31/2022", "31.12.2022"}, {}},
      {kind, "in Q4 2022 and Q1 FY23", {"Q4 2022", "Q1 FY23"}, {}},
      {kind, "second quarter of fiscal 2023", {"second quarter of fiscal 2023"}, {}},
      {kind, "fiscal year 2021, FY2022, FY22", {"fiscal year 2021", "FY2022", "FY22"}, {}},
      {kind, "from 2019-2020 and the 1990s", {"2019-2020", "1990s"}, {}},
      {kind, "It may rain on May 5", {"May 5"}, {}},
      {kind, "founded in 1998, sold 2000 units for $2005", {"1998", "2000"}, {}},
      {kind, "at 10:30 a.m. sharp", {"10:30 a.m."}, {}},
      {kind, "1950 million people, 20221 and 1999.5", {}, {}},
  });
}

TEST(ValuesTest, Names) {
  constexpr AnswerKind kind = AnswerKind::name;
  expect_cases({
      {kind, "The chief executive is Jane K. Miller.", {"Jane K. Miller"}, {}},
      {kind, "In March Acme Corp. bought Bank of the West", {"Acme Corp.", "Bank of the West"}, {}},
      {kind, "Dr. Ludwig van Beethoven and IBM", {"Dr. Ludwig van Beethoven", "IBM"}, {}},
      {kind, "Johnson & Johnson's plant in Österreich", {"Johnson & Johnson", "Österreich"}, {}},
      {kind, "Widgets, Inc. sued 3M", {"Widgets, Inc.", "3M"}, {}},
      {kind, "Paris, London and Rome", {"Paris", "London", "Rome"}, {}},
      {kind, "nobody was there", {}, {}},
  });
}

TEST(ValuesTest, CountsListsAndAffirmations) {
  expect_cases({
      {AnswerKind::count, "We have three plants and 12 shops", {"three", "12"}, {3, 12}},
      {AnswerKind::count, "Twenty-five of 30 members", {"Twenty-five", "30"}, {25, 30}},
      {AnswerKind::count, "1,250 employees in 2020", {"1,250"}, {1250}},
      {AnswerKind::yes_no, "No, it does not.", {"No", "not"}, {}},
      {AnswerKind::list,
       "The colours are red, dark green and blue.",
       {"red", "dark green", "blue"},
       {}},
      {AnswerKind::list, "- first thing\n- second thing", {"first thing", "second thing"}, {}},
      {AnswerKind::list, "1. Alpha\n2. Beta two", {"Alpha", "Beta two"}, {}},
      {AnswerKind::list, "\u2022 Alpha\n\u2022 Beta", {"Alpha", "Beta"}, {}},
      {AnswerKind::list,
       "It includes apples, pears, and old plums",
       {"apples", "pears", "old plums"},
       {}},
      {AnswerKind::text, "whatever 5", {}, {}},
  });
}

TEST(ValuesTest, AnyBytesAreRead) {
  std::mt19937 random(11);
  const std::string alphabet = "12,.()$%- \nAb\xc3\xa9\xff\xe2\x88\x92kmQ:/and";
  for (int i = 0; i < 1500; ++i) {
    std::string text;
    for (std::size_t n = random() % 80; n > 0; --n) text += alphabet[random() % alphabet.size()];
    for (int kind = 0; kind <= static_cast<int>(AnswerKind::count); ++kind) {
      for (const Value& value : find_values(text, static_cast<AnswerKind>(kind))) {
        ASSERT_LT(value.span.begin, value.span.end);
        ASSERT_LE(value.span.end, text.size());
      }
    }
  }
}

TEST(ValuesTest, ACodeIsNoDate) {
  expect_cases({
      {AnswerKind::date, "Invoice no. 2025-0417", {}, {}},
      {AnswerKind::date, "valid 2024-25", {"2024-25"}, {}},
      {AnswerKind::date, "sent on 2025-04-17", {"2025-04-17"}, {}},
  });
}

}  // namespace
}  // namespace fineprint::text
