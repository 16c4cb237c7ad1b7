// Files of columns.
#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/sheet/column.h"

namespace fineprint::sheet {
namespace {

std::string problem_of(std::string_view text, const std::string& name = "c.toml") {
  try {
    parse_columns(text, name);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "none";
}

TEST(Columns, LinesAreQuestionsWhoseWordsSayTheType) {
  const auto columns =
      parse_columns("# what we need\nWhen was it signed?\n\nSupplier\r\n", "c.txt");
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].name, "When was it signed");
  EXPECT_EQ(columns[0].question, "When was it signed?");
  EXPECT_EQ(columns[0].type, ColumnType::date);
  EXPECT_EQ(columns[1].type, ColumnType::text);
  EXPECT_EQ(columns[0].labels, std::vector<std::string>{"When was it signed"});
}

TEST(Columns, CommonFieldsHaveKnownLabels) {
  const auto columns = parse_columns(
      "What is the invoice total?\nTotal\nDue date\nType\nRechnungsnummer\n", "c.txt");
  const auto has = [&](std::size_t column, const std::string& label) {
    return std::ranges::find(columns[column].labels, label) != columns[column].labels.end();
  };
  // A name of its own comes first; the field's own name has the order of the table.
  EXPECT_EQ(columns[0].labels.front(), "What is the invoice total");
  EXPECT_TRUE(has(0, "Gesamtbetrag"));
  EXPECT_EQ(columns[1].labels.front(), "Grand total");
  EXPECT_EQ(columns[1].type, ColumnType::money);
  EXPECT_TRUE(has(2, "Fällig am"));
  EXPECT_EQ(columns[2].type, ColumnType::date);
  EXPECT_EQ(columns[3].labels, std::vector<std::string>{"Type"});  // of what?
  EXPECT_TRUE(has(4, "Invoice number"));
  EXPECT_TRUE(std::ranges::find(known_labels(), "Fällig am") != known_labels().end());
  // What the file says, counts.
  const auto given = parse_columns(
      "[[column]]\nname = \"Total\"\nlabels = [\"Sum\"]\n[[column]]\nname = \"VAT\"\ntype = "
      "\"text\"\n",
      "c.toml");
  EXPECT_EQ(given[0].labels, std::vector<std::string>{"Sum"});
  EXPECT_EQ(given[1].type, ColumnType::text);
}

TEST(Columns, TomlHasEveryKey) {
  const auto columns = parse_columns(
      "[[column]]\nname = \"Total\"\nquestion = \"What is the total?\"\ntype = \"money\"\n"
      "unit = \"eur\"\nlabels = [\"Grand total\", \"Gesamtbetrag\"]\n"
      "[[ column ]] # the state\nname = \"State\"\ntype = \"one of\"\nchoices = [\"open\", "
      "\"paid\"]\n[[column]]\nname = \"Due\"\ntype = \"date\"\nday_first = false\n",
      "c.toml");
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].unit, "EUR");
  EXPECT_EQ(columns[0].labels.back(), "Gesamtbetrag");
  EXPECT_EQ(columns[1].question, "State");
  EXPECT_EQ(columns[1].choices.size(), 2U);
  EXPECT_EQ(columns[2].day_first, false);
}

TEST(Columns, ErrorsNameTheLineAndWhatIsPossible) {
  EXPECT_NE(problem_of("[[column]]\nname = \"A\"\n\n[[column]]\nname = \"B\"\ntype = \"sum\"\n")
                .find("c.toml:4: unknown type \"sum\"; choose one of: text, number, money, date, "
                      "yes/no, one of"),
            std::string::npos);
  EXPECT_NE(problem_of("[[column]]\nname = \"A\"\nname\n").find("c.toml:3:"), std::string::npos);
  EXPECT_NE(problem_of("[[column]]\nnme = \"A\"\n").find("c.toml:1: unknown key nme"),
            std::string::npos);
  EXPECT_NE(problem_of("[[column]]\ntype = \"date\"\n").find("no name"), std::string::npos);
  EXPECT_NE(problem_of("[table]\nname = \"A\"\n").find("unknown key table"), std::string::npos);
  EXPECT_NE(problem_of("").find("no column"), std::string::npos);
  EXPECT_NE(problem_of("# nothing\n", "c.txt").find("a question a line"), std::string::npos);
}

TEST(Columns, NamesAreUniqueAndTheFirstColumnIsTaken) {
  EXPECT_NE(problem_of("Total\nTOTAL\n", "c.txt").find("c.txt:2: there is already a column"),
            std::string::npos);
  EXPECT_NE(problem_of("Document\n", "c.txt").find("c.txt:1:"), std::string::npos);
}

TEST(Columns, KeysWithoutEffectAreRefused) {
  const std::string head = "[[column]]\nname = \"A\"\n";
  EXPECT_NE(problem_of(head + "unit = \"kg\"\n").find("only numbers and money"), std::string::npos);
  EXPECT_NE(problem_of(head + "choices = [\"a\", \"b\"]\n").find("choices are only for"),
            std::string::npos);
  EXPECT_NE(problem_of(head + "day_first = true\n").find("day_first is only for dates"),
            std::string::npos);
  EXPECT_NE(problem_of(head + "type = \"one of\"\n").find("give what it can be"),
            std::string::npos);
  EXPECT_NE(problem_of(head + "type = \"money\"\nunit = \"shells\"\n").find("unknown currency"),
            std::string::npos);
}

}  // namespace
}  // namespace fineprint::sheet
