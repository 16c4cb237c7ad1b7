// Values next to and below their labels.
#include "fineprint/pipelines/named_value.h"

#include <sstream>

#include <gtest/gtest.h>

#include "pipelines/extractive/printed_pieces.h"

namespace fineprint::pipelines {
namespace {

constexpr float kLetter = 5, kHeight = 10;

// Adds words from (x, y) on, with blanks of a quarter of the font size between them.
void print_at(float x, float y, const std::string& text, Page* page, bool bold = false) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const float width = kLetter * static_cast<float>(word.size());
    page->words.push_back(
        {.text = word, .box = {x, y, x + width, y + kHeight}, .size_pt = kHeight, .bold = bold});
    x += width + kHeight / 4;
  }
}

struct Printed {
  float x, y;
  std::string text;
  bool bold = false;
};

Page page_of(const std::vector<Printed>& all, int number = 1) {
  Page page;
  page.number = number;
  for (const Printed& one : all) print_at(one.x, one.y, one.text, &page, one.bold);
  return page;
}

// Amounts: digits with a point; clear with a currency.
NamedDemand amounts(std::vector<std::string> labels) {
  return {.labels = std::move(labels),
          .form =
              [](std::string_view text, std::string_view) {
                const std::size_t blank = text.find(' ');
                const bool has_code = text.substr(std::min(blank, text.size())) == " EUR";
                if (blank != std::string_view::npos && !has_code) return ValueForm::none;
                const std::string_view number = text.substr(0, blank);
                const bool digits = !number.empty() && number.find_first_not_of("0123456789.") ==
                                                           std::string_view::npos;
                if (!digits) return ValueForm::none;
                const bool is_clear = has_code || number.find('.') != std::string_view::npos;
                return is_clear ? ValueForm::clear : ValueForm::plain;
              },
          .same = [](std::string_view text, std::string_view) { return std::string(text); }};
}

NamedDemand texts(std::vector<std::string> labels) {
  return {.labels = std::move(labels),
          .is_text = true,
          .form = [](std::string_view, std::string_view) { return ValueForm::plain; },
          .same = [](std::string_view text, std::string_view) { return std::string(text); }};
}

std::string value_of(const std::vector<Page>& pages, const NamedDemand& demand) {
  const auto value = named_value(pages, "a.pdf", demand);
  return value ? value->printed : "";
}

TEST(PrintedRows, PiecesEndAtGapsAndColons) {
  const Page page = page_of({{200, 0, "second piece"}, {0, 1, "first piece"}, {0, 30, "No: 7"}});
  const auto rows = extractive::printed_rows(page);
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(rows[0].pieces.size(), 2U);
  EXPECT_EQ(extractive::text_of_words(page, rows[0].pieces[0].words), "first piece");
  ASSERT_EQ(rows[1].pieces.size(), 2U);
}

TEST(PrintedRows, SignsPartALine) {
  const Page page = page_of({{0, 0, "| Sheet no. 7 \u00b7 Issued today |"}, {0, 30, "|"}});
  const auto rows = extractive::printed_rows(page);
  ASSERT_EQ(rows.size(), 1U);
  ASSERT_EQ(rows[0].pieces.size(), 2U);
  EXPECT_EQ(extractive::text_of_words(page, rows[0].pieces[1].words), "Issued today");
  EXPECT_EQ(value_of({page}, texts({"Sheet no"})), "7");
}

TEST(NamedValue, IsAfterAColonBesideOrBelow) {
  EXPECT_EQ(value_of({page_of({{0, 0, "Total: 5.00 EUR"}})}, amounts({"Total"})), "5.00 EUR");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total"}, {300, 0, "5.00"}})}, amounts({"total"})), "5.00");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total"}, {0, 15, "5.00"}})}, amounts({"TOTAL"})), "5.00");
  EXPECT_EQ(value_of({page_of({{0, 0, "Invoice no. 4711"}})}, texts({"Invoice no"})), "4711");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total"}, {0, 80, "5.00"}})}, amounts({"Total"})), "");
}

TEST(NamedValue, TheLabelIsAWholeOne) {
  EXPECT_EQ(value_of({page_of({{0, 0, "Subtotal"}, {300, 0, "5.00"}})}, amounts({"Total"})), "");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total weight"}, {300, 0, "5.00"}})}, amounts({"Total"})),
            "");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total (EUR):"}, {300, 0, "5.00"}})}, amounts({"Total"})),
            "5.00 EUR");
}

TEST(NamedValue, ACurrencyAfterTheLabelIsThatOfTheValue) {
  NamedDemand total = amounts({"Total"});
  total.is_amount = true;
  const Page page = page_of({{10, 10, "Total EUR"}, {200, 10, "904.80"}});
  ASSERT_TRUE(named_value({page}, "a.pdf", total));
  EXPECT_EQ(named_value({page}, "a.pdf", total)->printed, "904.80 EUR");
  const Page other = page_of({{10, 10, "Total weight"}, {200, 10, "904.80"}});
  EXPECT_FALSE(named_value({other}, "a.pdf", total));
}

TEST(NamedValue, LabelsOneBelowTheOtherHaveTheirValuesBeside) {
  NamedDemand client = texts({"Client"});
  const std::vector<Printed> pair = {{10, 10, "Client"}, {200, 10, "Orchard School"}};
  EXPECT_FALSE(named_value({page_of(pair)}, "a.pdf", client));  // may be heads of columns
  std::vector<Printed> sheet = pair;
  sheet.push_back({10, 25, "Due"});
  sheet.push_back({200, 25, "soon"});
  EXPECT_FALSE(named_value({page_of(sheet)}, "a.pdf", client));  // "Due" may be a name
  client.other_labels = {"Due"};
  ASSERT_TRUE(named_value({page_of(sheet)}, "a.pdf", client));
  EXPECT_EQ(named_value({page_of(sheet)}, "a.pdf", client)->printed, "Orchard School");
  sheet[3].x = 300;
  EXPECT_FALSE(named_value({page_of(sheet)}, "a.pdf", client));
}

TEST(NamedValue, ANumberSignIsPartOfTheLabel) {
  const Page title = page_of({{10, 10, "INVOICE"}, {10, 25, "14.06.2022"}});
  EXPECT_FALSE(named_value({title}, "a.pdf", texts({"Invoice #"})));
  const Page signed_one = page_of({{10, 10, "Invoice # 90014"}});
  ASSERT_TRUE(named_value({signed_one}, "a.pdf", texts({"Invoice #"})));
  EXPECT_EQ(named_value({signed_one}, "a.pdf", texts({"Invoice #"}))->printed, "90014");
}

TEST(NamedValue, TheHeadOfAColumnHasNoValue) {
  const Page table = page_of(
      {{300, 0, "Total"}, {300, 15, "1.00"}, {300, 30, "2.00"}, {0, 60, "Sum"}, {300, 60, "3.00"}});
  EXPECT_EQ(value_of({table}, amounts({"Total"})), "");
  EXPECT_EQ(value_of({table}, amounts({"Total", "Sum"})), "3.00");
  // A total beside its label counts more than the first of a column with one row.
  const Page one_row =
      page_of({{300, 0, "Total"}, {300, 15, "1.00"}, {0, 60, "Total"}, {300, 60, "3.00"}});
  EXPECT_EQ(value_of({one_row}, amounts({"Total"})), "3.00");
}

TEST(NamedValue, TheOnlyRowOfATableIsNoTotal) {
  const Page items = page_of({{0, 0, "Item"},
                              {200, 0, "Count"},
                              {300, 0, "Total"},
                              {0, 15, "Rope"},
                              {200, 15, "2"},
                              {300, 15, "5.00"}});
  NamedDemand demand = amounts({"Total"});
  demand.is_amount = true;
  EXPECT_EQ(value_of({items}, demand), "");
  const Page band = page_of({{0, 0, "Net"},
                             {200, 0, "Tax"},
                             {300, 0, "Total"},
                             {0, 15, "4.00"},
                             {200, 15, "1.00"},
                             {300, 15, "5.00"}});
  EXPECT_EQ(value_of({band}, demand), "5.00");
}

TEST(NamedValue, DifferentValuesOfOneLabelAreNone) {
  const Page first = page_of({{0, 0, "Total: 5.00"}}), second = page_of({{0, 0, "Total: 6.00"}}, 2);
  EXPECT_EQ(value_of({first, second}, amounts({"Total"})), "");
  EXPECT_EQ(value_of({first, first}, amounts({"Total"})), "5.00");
  // The first label that is there decides, even if a later one has a value.
  EXPECT_EQ(
      value_of({page_of({{0, 0, "Total: 5.00"}, {0, 30, "Due: 7.00"}})}, amounts({"Due", "Total"})),
      "7.00");
}

TEST(NamedValue, OfSeveralNumbersInARowTheClearOne) {
  const Page page = page_of({{0, 0, "Total"}, {200, 0, "3"}, {300, 0, "5.00"}});
  EXPECT_EQ(value_of({page}, amounts({"Total"})), "5.00");
  const Page two = page_of({{0, 0, "Total"}, {200, 0, "3.00"}, {300, 0, "5.00"}});
  EXPECT_EQ(value_of({two}, amounts({"Total"})), "");
}

TEST(NamedValue, WordsAfterAValueAreLeftOutButNotRanges) {
  EXPECT_EQ(value_of({page_of({{0, 0, "Total: 5.00 without tax"}})}, amounts({"Total"})), "5.00");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total: 5.00 - 6.00"}})}, amounts({"Total"})), "");
  EXPECT_EQ(value_of({page_of({{0, 0, "Total: 5.00 to 6.00"}})}, amounts({"Total"})), "");
}

TEST(NamedValue, AnotherLabelIsNoText) {
  const Page heads = page_of(
      {{0, 0, "Number", true}, {100, 0, "Customer", true}, {0, 15, "R-17"}, {100, 15, "K-3"}});
  NamedDemand demand = texts({"Number"});
  demand.other_labels = {"Customer"};
  EXPECT_EQ(value_of({heads}, demand), "R-17");
  EXPECT_EQ(value_of({heads}, texts({"Customer"})), "K-3");
  // Two heads of nothing.
  EXPECT_EQ(value_of({page_of({{0, 0, "Number"}, {100, 0, "Reference"}})}, texts({"Number"})), "");
  EXPECT_EQ(value_of({page_of({{0, 0, "Number:"}, {100, 0, "Reference:"}})}, texts({"Number"})),
            "");
}

TEST(NamedValue, TheProofIsLabelAndValue) {
  const auto value =
      named_value({page_of({{0, 0, "Total"}, {300, 0, "5.00"}}, 3)}, "a.pdf", amounts({"Total"}));
  ASSERT_TRUE(value);
  EXPECT_EQ(value->proof.page, (PageRef{"a.pdf", 3}));
  EXPECT_EQ(value->proof.quote, "Total 5.00");
  ASSERT_EQ(value->proof.boxes.size(), 2U);
  EXPECT_EQ(value->proof.boxes[1].x0, 300);
}

TEST(NamedValue, PagesWithoutWordsHaveNone) {
  EXPECT_EQ(value_of({Page{}}, amounts({"Total", "", "..."})), "");
  EXPECT_EQ(value_of({}, amounts({"Total"})), "");
}

}  // namespace
}  // namespace fineprint::pipelines
