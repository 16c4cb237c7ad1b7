// Values of each type.
#include "fineprint/sheet/value.h"

#include <gtest/gtest.h>

namespace fineprint::sheet {
namespace {

// Returns "VALUE|UNIT", or "" if the text is no value.
std::string value_of(const Column& column, std::string_view printed,
                     std::string_view language = "en") {
  const auto value = typed_value(column, printed, language);
  return value ? value->text + (value->unit.empty() ? "" : "|" + value->unit) : "";
}

Column of_type(ColumnType type, const std::string& unit = "") {
  return {.name = "A", .question = "A", .type = type, .unit = unit};
}

TEST(TypedValue, ReadsAmountsOfSeveralLanguages) {
  const Column money = of_type(ColumnType::money);
  EXPECT_EQ(value_of(money, "$1,234.50"), "1234.50|$");
  EXPECT_EQ(value_of(money, "1.234,50 €", "de"), "1234.50|EUR");
  EXPECT_EQ(value_of(money, "EUR 1 234,50"), "1234.50|EUR");
  EXPECT_EQ(value_of(money, "CHF 1’234.50"), "1234.50|CHF");
  EXPECT_EQ(value_of(money, "1.234 EUR", "en"), "1234|EUR");
  EXPECT_EQ(value_of(money, "1.234.567,00"), "1234567.00");
  EXPECT_EQ(value_of(money, "(12.00)"), "-12.00");
  EXPECT_EQ(value_of(money, "-12.00 USD"), "-12.00|USD");
  EXPECT_EQ(value_of(money, "12,50-", "de"), "-12.50");
  EXPECT_EQ(value_of(money, "50,- €", "de"), "50|EUR");
  EXPECT_EQ(value_of(money, "USD12.00"), "12.00|USD");
}

TEST(TypedValue, AnAmountIsOneNumberAndAtMostACurrency) {
  const Column money = of_type(ColumnType::money);
  for (const char* text : {"", "EUR", "19 %", "12 pieces", "5 x 12.00", "12.00 13.00", "1.2.3",
                           "12,34,56", "INV-1234", "2024-03-12", "on request", "about 12.00"}) {
    EXPECT_EQ(value_of(money, text), "") << text;
  }
  const Column euros = of_type(ColumnType::money, "EUR");
  EXPECT_EQ(value_of(euros, "12.00"), "12.00");
  EXPECT_EQ(value_of(euros, "12.00 €"), "12.00|EUR");
  EXPECT_EQ(value_of(euros, "12.00 USD"), "");
}

TEST(TypedValue, ANumberWithOneSeparatorIsReadAsTheLanguageDoes) {
  const Column number = of_type(ColumnType::number);
  EXPECT_EQ(value_of(number, "1.234", "de"), "1234");
  EXPECT_EQ(value_of(number, "1.234", "en"), "1.234");
  EXPECT_EQ(value_of(number, "1,234", "en"), "1234");
  EXPECT_EQ(value_of(number, "1,234", ""), "");
  EXPECT_EQ(value_of(number, "0,125", ""), "0.125");
  EXPECT_EQ(value_of(number, "12,5", ""), "12.5");
}

TEST(TypedValue, UnitsMustBeTheColumns) {
  const Column weight = of_type(ColumnType::number, "kg");
  EXPECT_EQ(value_of(weight, "12.5 kg"), "12.5|kg");
  EXPECT_EQ(value_of(weight, "12.5kg"), "12.5|kg");
  EXPECT_EQ(value_of(weight, "12.5"), "12.5");
  EXPECT_EQ(value_of(weight, "12.5 lb"), "");
  EXPECT_EQ(value_of(of_type(ColumnType::number), "24 V"), "24|V");
  EXPECT_EQ(value_of(of_type(ColumnType::number), "10 to 20"), "");
  EXPECT_EQ(value_of(of_type(ColumnType::number), "max. 20"), "");
}

TEST(TypedValue, ReadsDates) {
  const Column date = of_type(ColumnType::date);
  for (const char* text :
       {"2024-03-12", "12.03.2024", "12. 3. 2024", "12.3.24", "12 March 2024", "12th March 2024",
        "March 12, 2024", "12. März 2024", "12-Mar-2024", "Tuesday, 12 March 2024",
        "Dienstag, 12.03.2024", "2024/03/12", "12 mars 2024"}) {
    EXPECT_EQ(value_of(date, text), "2024-03-12") << text;
  }
  EXPECT_EQ(value_of(date, "25/03/2024"), "2024-03-25");
  EXPECT_EQ(value_of(date, "03/25/2024"), "2024-03-25");
  EXPECT_EQ(value_of(date, "03/03/2024"), "2024-03-03");
  for (const char* text :
       {"", "30.02.2024", "2024", "March 2024", "12.03.", "12.03.2024 - 15.03.2024",
        "0049 421 12345", "12.03.20245", "14 days", "31-04-2024", "12:03:2024"}) {
    EXPECT_EQ(value_of(date, text), "") << text;
  }
}

TEST(TypedValue, TheOrderOfADateIsNotGuessed) {
  Column date = of_type(ColumnType::date);
  EXPECT_EQ(value_of(date, "03/04/2024"), "");
  date.day_first = true;
  EXPECT_EQ(value_of(date, "03/04/2024"), "2024-04-03");
  date.day_first = false;
  EXPECT_EQ(value_of(date, "03/04/2024"), "2024-03-04");
}

TEST(TypedValue, ChoicesAndYesAndNo) {
  Column state = of_type(ColumnType::one_of);
  state.choices = {"Open", "Paid in full", "Paid"};
  EXPECT_EQ(value_of(state, "OPEN"), "Open");
  EXPECT_EQ(value_of(state, "It is open."), "Open");
  EXPECT_EQ(value_of(state, "paid in full"), "Paid in full");
  EXPECT_EQ(value_of(state, "open or paid"), "");
  EXPECT_EQ(value_of(state, "reopened"), "");
  EXPECT_EQ(value_of(of_type(ColumnType::yes_no), "Ja."), "yes");
  EXPECT_EQ(value_of(of_type(ColumnType::yes_no), "NO"), "no");
  EXPECT_EQ(value_of(of_type(ColumnType::yes_no), "Yes and no"), "");
}

TEST(TypedValue, TextsAreOneLineAndNotPassages) {
  EXPECT_EQ(value_of(of_type(ColumnType::text), " Tern &\n Pollock "), "Tern & Pollock");
  EXPECT_EQ(value_of(of_type(ColumnType::text), "- . -"), "");
  EXPECT_EQ(value_of(of_type(ColumnType::text), std::string(2000, 'a')), "");
}

TEST(FormOf, ABareNumberIsAPlainAmount) {
  EXPECT_EQ(form_of(of_type(ColumnType::money), "5"), Form::plain);
  EXPECT_EQ(form_of(of_type(ColumnType::money), "5.00"), Form::clear);
  EXPECT_EQ(form_of(of_type(ColumnType::money), "five"), Form::none);
  EXPECT_EQ(form_of(of_type(ColumnType::number, "kg"), "5"), Form::plain);
  EXPECT_EQ(form_of(of_type(ColumnType::number, "kg"), "5 kg"), Form::clear);
}

}  // namespace
}  // namespace fineprint::sheet
