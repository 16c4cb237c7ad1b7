// Tests of answers from cells that a question names by row and column.
#include "pipelines/extractive/cell_value.h"

#include <gtest/gtest.h>

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines {
namespace {

using text::AnswerKind;
using Grid = std::vector<std::vector<std::string>>;

// A page with a caption and a table of which the first rows are heads.
Page table_page(const std::string& caption, const Grid& rows, std::size_t heads) {
  Page page;
  page.language = "en";
  Element table;
  table.kind = ElementKind::table;
  table.caption = caption;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto y = 20 * static_cast<float>(row);
    Line line{static_cast<std::uint32_t>(page.words.size()), 0, {0, y, 500, y + 10}};
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      StatedCell cell;
      cell.row = static_cast<std::uint16_t>(row);
      cell.column = static_cast<std::uint16_t>(column);
      cell.rows = cell.columns = 1;
      cell.is_head = row < heads;
      cell.first_word = static_cast<std::uint32_t>(page.words.size());
      std::istringstream words(rows[row][column]);
      Word word;
      word.size_pt = 10;
      const auto x = 100 * static_cast<float>(column);
      word.box = {x, y, x + 20, y + 10};
      while (words >> word.text) page.words.push_back(word);
      cell.word_count = static_cast<std::uint32_t>(page.words.size()) - cell.first_word;
      table.cells.push_back(cell);
    }
    line.word_count = static_cast<std::uint32_t>(page.words.size()) - line.first_word;
    page.lines.push_back(line);
  }
  table.line_count = static_cast<std::uint32_t>(page.lines.size());
  page.elements.push_back(table);
  return page;
}

std::optional<std::string> value_for(const std::string& question, const Page& page,
                                     const std::string& start, AnswerKind kind) {
  for (const Snippet& snippet : snippets_of(page)) {
    if (!snippet.text.starts_with(start)) continue;
    return extractive::cell_value(page, snippet, kind, retrieve::prepare_query(question, {}));
  }
  return "no such snippet";
}

const Grid kRooms = {{"Room", "Summer weekday", "Summer weekend", "Winter weekday"},
                     {"Loft", "74", "92", "58"},
                     {"Loft suite", "120", "140", "95"},
                     {"Cellar", "40 ¹", "48", ""}};

TEST(CellValue, IsNamedByRowAndColumn) {
  const Page page = table_page("Rooms of the inn", kRooms, 1);
  using enum AnswerKind;
  EXPECT_EQ(value_for("What does the loft cost on a weekday in winter?", page, "Loft 74", money),
            "58");
  EXPECT_EQ(value_for("What is the price of the cellar on a summer weekday?", page, "Cellar", text),
            "40");
  EXPECT_EQ(
      value_for("What does the loft suite cost on a summer weekend?", page, "Loft suite", money),
      "140");
}

// The first column of an order counts its lines, so the second names them.
TEST(CellValue, IsNamedByTheColumnAfterRunningNumbers) {
  const Page order = table_page(
      "Order", {{"Pos", "Article", "Quantity"}, {"1", "Pine board", "120"}, {"2", "Birch", "35"}},
      1);
  const std::string question = "How many birch boards were ordered?";
  EXPECT_EQ(value_for(question, order, "2 Birch", AnswerKind::count), "35");
  const Page weeks =
      table_page("Weeks", {{"Week", "Runner", "Laps"}, {"1", "Ann", "12"}, {"2", "Bo", "9"}}, 1);
  EXPECT_EQ(value_for("How many laps in week 2?", weeks, "2 Bo", AnswerKind::count), "9");
}

TEST(CellValue, AStatementNamesWhatWasPaidAfterTheDate) {
  const Page page = table_page("Account statement",
                               {{"Date", "Text", "Amount"},
                                {"03 Jan", "Rent", "-2,900.00"},
                                {"17 Jan", "Groceries", "-190.30"},
                                {"18 Jan", "Books", "-20.00"},
                                {"19 Jan", "Books", "-30.00"}},
                               1);
  for (const AnswerKind kind : {AnswerKind::money, AnswerKind::number}) {
    EXPECT_EQ(value_for("How much was the rent?", page, "03 Jan", kind), "-2,900.00");
  }
  EXPECT_EQ(value_for("How much were the books?", page, "18 Jan", AnswerKind::money), std::nullopt);
}

TEST(CellValue, ADollarSignIsSetToItsFigureAndTheScaleStaysOn) {
  const Page page =
      table_page("Balance in millions", {{"", "Cash", "Debt"}, {"Inn", "$ 1,874", "9"}}, 1);
  EXPECT_EQ(value_for("How much cash has the Inn?", page, "Inn", AnswerKind::money),
            "$1,874 million");
}

// What a column is about counts more than the period that its head names, too.
TEST(CellValue, APeriodInAHeadIsNoNameOfItsColumn) {
  const auto of = [](const std::string& year) {
    return table_page("Segments",
                      {{"", "Sales", "January\u2013June " + year + " Depreciation"},
                       {"Zone North", "12,553", "(337)"},
                       {"Zone South", "9,467", "(414)"}},
                      1);
  };
  const std::string question = "What were the sales of Zone North in January-June 2023?";
  const auto asked = [&](const std::string& year) {
    return value_for(question, of(year), "Zone North", AnswerKind::money);
  };
  EXPECT_EQ(asked("2023"), "12,553");
  EXPECT_EQ(asked("2022"), std::nullopt);
}

TEST(CellValue, AWordThatTellsNothingNeedNotBeOnThePage) {
  const Page page = table_page("", {{"Region", "Jan", "May"}, {"Coast", "14", "31"}}, 1);
  EXPECT_EQ(value_for("What is the value for Coast in May?", page, "Coast", AnswerKind::number),
            "31");
}

TEST(CellValue, AnotherRowOrColumnIsNotMeant) {
  const Page page = table_page("Rooms of the inn", kRooms, 1);
  using enum AnswerKind;
  const std::string suite = "What does the loft suite cost on a summer weekend?";
  EXPECT_EQ(value_for(suite, page, "Loft 92", money), "no such snippet");
  EXPECT_EQ(value_for(suite, page, "Loft 74", money), std::nullopt);
  EXPECT_EQ(value_for(suite, page, "Cellar", money), std::nullopt);
  EXPECT_EQ(value_for("What does the loft cost on a weekday?", page, "Loft 74", money),
            std::nullopt);
  EXPECT_EQ(value_for("What does the loft cost?", page, "Loft 74", money), std::nullopt);
  EXPECT_EQ(value_for("What does the cellar cost on a winter weekday?", page, "Cellar", money),
            std::nullopt);
}

TEST(CellValue, LooksLikeTheKindAndIsOneValue) {
  const Page page = table_page("Rooms of the inn", kRooms, 1);
  using enum AnswerKind;
  EXPECT_EQ(value_for("Who is in the loft on a winter weekday?", page, "Loft 74", name),
            std::nullopt);
  EXPECT_EQ(value_for("Is the loft free on a winter weekday?", page, "Loft 74", yes_no),
            std::nullopt);
  EXPECT_EQ(value_for("What is the difference of the loft's winter weekday and summer weekday?",
                      page, "Loft 74", number),
            std::nullopt);
}

TEST(CellValue, WhichNamesTheColumnOfTheAnswer) {
  using enum AnswerKind;
  const Page loans = table_page(
      "Loans", {{"Instrument", "Borrower", "Due back"}, {"Cello", "Nadia Brook", "30 June"}}, 1);
  EXPECT_EQ(value_for("Which instrument is borrowed?", loans, "Cello", text), "Cello");
  EXPECT_EQ(value_for("Which instrument is insured?", loans, "Cello", text), std::nullopt);
  const Page rooms = table_page(
      "Rooms",
      {{"Room", "Guest", "Floor"}, {"Loft", "Nadia Brook", "2"}, {"Cellar", "Omar Reed", "0"}}, 1);
  EXPECT_EQ(value_for("Which room has Omar Reed as its guest?", rooms, "Cellar", text), "Cellar");
  EXPECT_EQ(value_for("Which room has Omar Reed as its guest?", rooms, "Loft", text), std::nullopt);
  EXPECT_EQ(value_for("Which room has a guest?", rooms, "Loft", text), std::nullopt);
}

TEST(CellValue, OfAChartIsThatOfCategoryAndSeries) {
  const Page page = table_page(
      "Passengers by line (thousands)",
      {{"", "Coast line", "Valley line"}, {"2021", "412", "233"}, {"2022", "455", "251"}}, 1);
  EXPECT_EQ(value_for("In the chart, how many passengers used the Valley line in 2022?", page,
                      "2022", AnswerKind::count),
            "251 thousand");
}

TEST(CellValue, IsOneThatAQuestionInThePluralNames) {
  const Page page = table_page("Accounts of Linwood in thousands of euros",
                               {{"Item", "2022", "2023"}, {"Wages", "7210", "7655"}}, 1);
  EXPECT_EQ(value_for("What were the wages of Linwood in 2022?", page, "Wages", AnswerKind::list),
            "€7210 thousand");
}

TEST(CellValue, UnitsAreNoPartOfTheNameOfARow) {
  const Page page = table_page(
      "All amounts in million CHF",
      {{"Segment", "2023", "2024"}, {"Paper", "412", "398"}, {"Plants (number)", "14", "13"}}, 1);
  EXPECT_EQ(value_for("How many plants were there in 2023?", page, "Plants", AnswerKind::count),
            "14");
}

TEST(CellValue, IsOfTheColumnThatTheQuestionNamesFirst) {
  const Page page =
      table_page("Churches", {{"Church", "Bells", "Weight in kg"}, {"Tilney", "6", "985"}}, 1);
  EXPECT_EQ(
      value_for("What is the weight of the bells of Tilney?", page, "Tilney", AnswerKind::text),
      "985");
}

TEST(CellValue, HasTheScaleOfItsColumn) {
  const Page page = table_page("Water works",
                               {{"Site", "Capacity (Ml)", "Cost ($000)", "Staff"},
                                {"Brae", "240", "1,870", "12"},
                                {"Tarn", "95", "640", "7"}},
                               1);
  EXPECT_EQ(value_for("What did Brae cost?", page, "Brae", AnswerKind::money), "$1,870 thousand");
  EXPECT_EQ(value_for("What is the capacity of Tarn?", page, "Tarn", AnswerKind::text), "95");
  EXPECT_EQ(value_for("How many staff does Tarn have?", page, "Tarn", AnswerKind::count), "7");
}

TEST(CellValue, CountsByTheColumnOfQuantities) {
  const Page page = table_page("Invoice of May",
                               {{"Description", "Qty", "Unit price"},
                                {"Autoclave service", "1", "340.00"},
                                {"Seal kit", "4", "12.50"}},
                               1);
  EXPECT_EQ(
      value_for("How many seal kits are on the invoice?", page, "Seal kit", AnswerKind::count),
      "4");
  EXPECT_EQ(value_for("What is a seal kit on the invoice?", page, "Seal kit", AnswerKind::text),
            std::nullopt);
}

TEST(CellValue, AScaleOfOtherThingsIsNotGiven) {
  const Page page = table_page(
      "Volumes in million cubic metres",
      {{"Basin", "2023", "2024"}, {"Lower Tarn", "7.9", "8.3"}, {"Customers", "40,112", "41,007"}},
      1);
  EXPECT_EQ(
      value_for("How many customers were there in 2023?", page, "Customers", AnswerKind::count),
      "40,112");
  EXPECT_EQ(value_for("What volume did the Lower Tarn have in 2024?", page, "Lower Tarn",
                      AnswerKind::number),
            "8.3 million");
}

TEST(CellValue, OfMayIsThatOfTheMonth) {
  const Page page = table_page(
      "Visitors", {{"Region", "Feb", "May"}, {"Coast", "19", "31"}, {"Hills", "11", "27"}}, 1);
  EXPECT_EQ(
      value_for("How many visitors did the coast have in May?", page, "Coast", AnswerKind::count),
      "31");
  EXPECT_EQ(
      value_for("How many visitors did the coast have in Feb?", page, "Coast", AnswerKind::count),
      "19");
}

TEST(CellValue, WhoIsTheNameInTheRow) {
  const Page page = table_page(
      "Crew of the ship",
      {{"Name", "Role", "Since"}, {"Ada Obi", "Mate", "2018"}, {"Lev Roth", "Cook", "2021"}}, 1);
  EXPECT_EQ(value_for("Who is the cook?", page, "Lev", AnswerKind::name), "Lev Roth");
  EXPECT_EQ(value_for("Who is the cook?", page, "Ada", AnswerKind::name), std::nullopt);
  EXPECT_EQ(value_for("Who is the captain?", page, "Lev", AnswerKind::name), std::nullopt);
}

TEST(CellValue, OfAPropertyIsItsValue) {
  const Page page = table_page("Vital signs of the patient",
                               {{"Measurement", "Value", "Normal range", "Status"},
                                {"Heart rate", "78 bpm", "60-100 bpm", "NORMAL"},
                                {"Temperature", "98.6 F", "97-99 F", "NORMAL"}},
                               1);
  EXPECT_EQ(value_for("What was the patient's heart rate?", page, "Heart", AnswerKind::text),
            "78 bpm");
  EXPECT_EQ(value_for("What is the status of the heart rate?", page, "Heart", AnswerKind::text),
            "NORMAL");
}

TEST(CellValue, ALabelIsNoName) {
  const Page page = table_page("",
                               {{"Parts", "Order", "Staff", "Who"},
                                {"Repair order", "RO-2022", "Estimator", "Ellis Turner"},
                                {"Claim", "999", "Painter", "Mo Reed"}},
                               1);
  EXPECT_EQ(
      value_for("Who is the estimator of repair order RO-2022?", page, "Repair", AnswerKind::name),
      std::nullopt);
}

TEST(CellValue, ASecondRowOfHeadsIsNoAnswer) {
  const Page page = table_page("Routes",
                               {{"", "December", "Share"},
                                {"Routes", "Seats", "in percent"},
                                {"Europe", "618", "1.5"},
                                {"Asia", "122", "2.5"}},
                               1);
  EXPECT_EQ(value_for("What was the share of the routes?", page, "Routes", AnswerKind::text),
            std::nullopt);
  EXPECT_EQ(value_for("What was the share of Europe?", page, "Europe", AnswerKind::text), "1.5");
}

TEST(CellValue, IsOfTheTableThatFollowsInTheSameColumns) {
  const Grid board = {{"", "Morning", "Afternoon"},
                      {"Monday", "closed", "closed"},
                      {"Friday", "6.30 - 11.00", "14.00 - 22.00"},
                      {"Prices", "Single", "Ten visits"},
                      {"Adult", "£4.80", "£40.00"},
                      {"Child", "£2.40", "£20.00"}};
  const Page page = table_page("Opening hours", board, 1);
  using enum AnswerKind;
  EXPECT_EQ(value_for("What does a single visit cost for a child?", page, "Child", money), "£2.40");
  EXPECT_EQ(value_for("What do ten visits cost for an adult?", page, "Adult", money), "£40.00");
  EXPECT_EQ(value_for("What is open on Friday afternoon?", page, "Friday", text), "14.00 - 22.00");
  EXPECT_EQ(value_for("What do prices cost for a single?", page, "Prices", money), std::nullopt);
}

const Grid kOrder = {{"Artikel", "Aantal", "Prijs per stuk", "BTW %", "BTW"},
                     {"Decoded Leather Sleeve Bruin", "2", "99,99", "21%", "17,35"},
                     {"Leather Case", "1", "20,00", "21%", "3,47"},
                     {"Total", "", "", "", "20,82"}};

TEST(CellValue, IsOfTheRowWithMostWordsOfTheQuestion) {
  const Page order = table_page("Order", kOrder, 1);
  using enum AnswerKind;
  EXPECT_EQ(value_for("How many Decoded Sleeves were ordered?", order, "Decoded", count), "2");
  EXPECT_EQ(value_for("How many Sleeves were ordered?", order, "Decoded", count), std::nullopt);
}

TEST(CellValue, OfAPriceIsThatOfOnePiece) {
  const Page order = table_page("Order", kOrder, 1);
  using enum AnswerKind;
  EXPECT_EQ(value_for("What does the leather case cost?", order, "Leather Case", money), "20,00");
  EXPECT_EQ(value_for("How much BTW is on the leather case?", order, "Leather Case", money),
            "3,47");
}

TEST(CellValue, OfASumIsItsOnlyFigure) {
  const Page order = table_page("Order", kOrder, 1);
  using enum AnswerKind;
  EXPECT_EQ(value_for("What is the total of the order?", order, "Total", number), "20,82");
}

}  // namespace
}  // namespace fineprint::pipelines
