// Reading order, tables and elements on pages built by hand.
#include "reading/layout.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/docs.h"
#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using fineprint::testing::docs;

using testing::elements_of;
using testing::lines_of;
using testing::RawPageBuilder;
using Lines = std::vector<std::string>;

// Every word in exactly one line, every line in exactly one element, boxes around what they hold.
void expect_whole(const pdf::RawPage& raw, const Page& page) {
  ASSERT_EQ(page.words.size(), raw.words.size());
  std::multimap<std::string, float> before, after;
  for (const Word& word : raw.words) before.emplace(word.text, word.box.x0);
  for (const Word& word : page.words) after.emplace(word.text, word.box.x0);
  ASSERT_EQ(before.size(), after.size());
  std::uint32_t word = 0, line = 0;
  for (const Line& each : page.lines) {
    ASSERT_EQ(each.first_word, word);
    ASSERT_GT(each.word_count, 0U);
    word += each.word_count;
  }
  EXPECT_EQ(word, page.words.size());
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    const Element& element = page.elements[i];
    ASSERT_EQ(element.first_line, line);
    line += element.line_count;
    EXPECT_LT(element.parent, static_cast<std::int32_t>(i));
    if (element.parent >= 0) {
      EXPECT_EQ(page.elements[static_cast<std::size_t>(element.parent)].kind, ElementKind::heading);
    }
  }
  EXPECT_EQ(line, page.lines.size());
}

Page lay_out_whole(const pdf::RawPage& raw) {
  Page page = lay_out(raw);
  expect_whole(raw, page);
  return page;
}

TEST(Layout, EmptyPage) {
  const Page page = lay_out_whole(RawPageBuilder().page());
  EXPECT_EQ(page.source, TextSource::none);
  EXPECT_TRUE(page.elements.empty());
}

// Both columns on common heights, the file going across: only geometry tells.
RawPageBuilder two_columns() {
  RawPageBuilder builder;
  builder.text(150, 80, "A Study of Reading Order in Papers", 18, true);
  for (int i = 0; i < 20; ++i) {
    builder.text(50, 140.0F + 12 * i, "left column line number " + std::to_string(i) + " goes on");
  }
  for (int i = 0; i < 20; ++i) {
    builder.text(318, 140.0F + 12 * i, "right column line number " + std::to_string(i) + " ends");
  }
  builder.text(50, 420,
               "This last line crosses the page from its left edge to the right one, as notes do");
  return builder;
}

TEST(Layout, TwoColumnsUnderATitleAndOverAFullLine) {
  const Page page = lay_out_whole(two_columns().page());
  const Lines lines = lines_of(page);
  ASSERT_EQ(lines.size(), 42U);
  EXPECT_EQ(lines[0], "A Study of Reading Order in Papers");
  EXPECT_EQ(page.elements[0].kind, ElementKind::heading);
  EXPECT_EQ(lines[1], "left column line number 0 goes on");
  EXPECT_EQ(lines[20], "left column line number 19 goes on");
  EXPECT_EQ(lines[21], "right column line number 0 ends");
  EXPECT_EQ(lines[40], "right column line number 19 ends");
  EXPECT_EQ(lines[41].substr(0, 14), "This last line");
}

TEST(Layout, LargeHeadingInAColumnStaysThere) {
  RawPageBuilder builder;
  builder.text(40, 100, "Background here yes", 24);
  for (int i = 0; i < 12; ++i) {
    builder.text(40, 130.0F + 14 * i,
                 "left words of a column that is full " + std::to_string(10 + i));
  }
  for (int i = 0; i < 12; ++i) {
    builder.text(272, 100.0F + 14 * i, "right words of a column number " + std::to_string(10 + i));
  }
  const Lines lines = lines_of(lay_out_whole(builder.page()));
  ASSERT_EQ(lines.size(), 25U);
  EXPECT_EQ(lines[0], "Background here yes");
  EXPECT_EQ(lines[1], "left words of a column that is full 10");
  EXPECT_EQ(lines[13], "right words of a column number 10");
}

TEST(Layout, ThreeColumnsOfUnequalLength) {
  RawPageBuilder builder;
  for (int column = 0; column < 3; ++column) {
    for (int i = 0; i < 8 + 4 * column; ++i) {
      builder.text(40.0F + 190 * column, 100.0F + 12 * i,
                   "column " + std::to_string(column) + " some words here " + std::to_string(i));
    }
  }
  const Lines lines = lines_of(lay_out_whole(builder.page()));
  ASSERT_EQ(lines.size(), 36U);
  EXPECT_EQ(lines[0], "column 0 some words here 0");
  EXPECT_EQ(lines[8], "column 1 some words here 0");
  EXPECT_EQ(lines[20], "column 2 some words here 0");
}

// As 10-K filings have it: no lines, signs as words of their own, labels of several lines.
RawPageBuilder statement() {
  RawPageBuilder builder;
  builder.text(50, 72, "Consolidated Statement of Income", 10, true);
  builder.text(50, 90, "(In millions)").right(400, 90, "2022").right(480, 90, "2021");
  const auto row = [&](float y, const std::string& label, const std::string& a,
                       const std::string& b, bool dollar) {
    builder.text(50, y, label);
    if (dollar) builder.text(340, y, "$");
    builder.right(400, y, a);
    if (dollar) builder.text(430, y, "$");
    builder.right(480, y, b);
  };
  row(104, "Net sales", "34,229", "35,355", true);
  builder.text(50, 118, "Operating expenses");
  row(132, "Cost of sales", "19,232", "18,795", false);
  row(146, "Goodwill impairment expense", "271", "—", false);
  builder.text(50, 160, "Income (loss) from unconsolidated subsidiaries,");
  row(171, "net of taxes", "(11)", "(10", false);
  builder.text(481, 171, ")");
  row(185, "Net income", "5,791", "5,929", true);
  return builder;
}

TEST(Layout, RowsOfAnUnruledTableKeepTheirNumbers) {
  const Page page = lay_out_whole(statement().page());
  const auto tables = elements_of(page, ElementKind::table);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(lines_of(page, *tables[0]),
            (Lines{"(In millions) 2022 2021", "Net sales $ 34,229 $ 35,355", "Operating expenses",
                   "Cost of sales 19,232 18,795", "Goodwill impairment expense 271 —",
                   "Income (loss) from unconsolidated subsidiaries, net of taxes (11) (10 )",
                   "Net income $ 5,791 $ 5,929"}));
  ASSERT_EQ(page.elements[0].kind, ElementKind::heading);
  EXPECT_EQ(tables[0]->parent, 0);
}

TEST(Layout, HeaderAboveALabelBelongsToTheTable) {
  RawPageBuilder builder;
  builder.right(480, 80, "12 Weeks Ended").right(400, 92, "3/25/2023").right(480, 92, "3/19/2022");
  builder.text(50, 106, "Operating Activities", 10, true);
  const Lines labels = {"Net income", "Depreciation", "Impairment", "Other financing"};
  for (int i = 0; i < 4; ++i) {
    builder.text(50, 120.0F + 14 * i, labels[static_cast<std::size_t>(i)]);
    builder.right(400, 120.0F + 14 * i, "(" + std::to_string(i) + ")");
    builder.right(480, 120.0F + 14 * i, "(1)");
  }
  const Page page = lay_out_whole(builder.page());
  ASSERT_EQ(page.elements.size(), 1U);
  EXPECT_EQ(lines_of(page), (Lines{"12 Weeks Ended", "3/25/2023 3/19/2022", "Operating Activities",
                                   "Net income (0) (1)", "Depreciation (1) (1)",
                                   "Impairment (2) (1)", "Other financing (3) (1)"}));
}

// As LaTeX sets a label of several rows.
TEST(Layout, ALabelCentredOverTwoRowsBelongsToTheFirst) {
  RawPageBuilder builder;
  builder.text(50, 80, "Layers")
      .text(150, 80, "Form")
      .right(280, 80, "Simple")
      .right(380, 80, "All");
  for (int i = 0; i < 3; ++i) {
    const float y = 100.0F + 30.0F * i;
    const std::string scores = "0.9" + std::to_string(i);
    builder.text(150, y, "OTSL").right(280, y, scores).right(380, y, scores);
    builder.text(50, y + 6, std::to_string(6 - i));
    builder.text(150, y + 12, "HTML").right(280, y + 12, scores).right(380, y + 12, scores);
  }
  EXPECT_EQ(lines_of(lay_out_whole(builder.page())),
            (Lines{"Layers Form Simple All", "6 OTSL 0.90 0.90", "HTML 0.90 0.90",
                   "5 OTSL 0.91 0.91", "HTML 0.91 0.91", "4 OTSL 0.92 0.92", "HTML 0.92 0.92"}));
}

TEST(Layout, CodeInCapitalsIsNoHeading) {
  RawPageBuilder builder;
  for (const float y : {80.0F, 94.0F, 108.0F}) {
    builder.text(50, y,
                 "A rule names the people who may read a row, and what they may read of it.");
  }
  builder.text(50, 140, "ROLES OF USERS").text(50, 170, "VERIFY_GROUP (CURRENT_USER, 'MGR')");
  builder.text(50, 200,
               "Each role is given by the owner of the table, who may take it back again.");
  const Page page = lay_out_whole(builder.page());
  const auto headings = elements_of(page, ElementKind::heading);
  ASSERT_EQ(headings.size(), 1U);
  EXPECT_EQ(lines_of(page, *headings[0]), Lines{"ROLES OF USERS"});
}

// Two tables, one below the other, with the same columns and a heading between them.
Page two_tables(float heading_size, const std::string& second_head) {
  RawPageBuilder builder;
  const auto table = [&](float y, const std::string& head) {
    for (int i = 0; i < 4; ++i, y += 16) {
      builder.text(50, y, i == 0 ? head : "Plant " + std::to_string(i));
      builder.right(300, y, i == 0 ? "2020" : std::to_string(100 + i));
      builder.right(400, y, i == 0 ? "2021" : std::to_string(200 + i));
    }
  };
  table(100, "Plant");
  builder.text(50, 176, "Employees at year end", heading_size);
  table(196, second_head);
  return lay_out_whole(builder.page());
}

TEST(Layout, AHeadingBetweenTablesPartsThem) {
  const Page larger = two_tables(12, "Site"), same = two_tables(10, "Plant");
  EXPECT_EQ(elements_of(larger, ElementKind::table).size(), 2U);
  ASSERT_EQ(elements_of(same, ElementKind::table).size(), 2U);
  EXPECT_EQ(lines_of(same, *elements_of(same, ElementKind::table)[1]).front(), "Plant 2020 2021");
  // A line of the same size before other rows is a label in the table.
  EXPECT_EQ(elements_of(two_tables(10, "Site"), ElementKind::table).size(), 1U);
}

TEST(Layout, TableWrittenColumnByColumnIsReadByRows) {
  RawPageBuilder builder;
  const Lines labels = {"Revenue", "Cost", "Margin", "Taxes", "Profit"};
  for (int i = 0; i < 5; ++i)
    builder.text(50, 100.0F + 14 * i, labels[static_cast<std::size_t>(i)]);
  for (int i = 0; i < 5; ++i) builder.right(300, 100.0F + 14 * i, std::to_string(100 + i));
  for (int i = 0; i < 5; ++i) builder.right(400, 100.0F + 14 * i, std::to_string(200 + i) + "%");
  const Page page = lay_out_whole(builder.page());
  ASSERT_EQ(page.elements.size(), 1U);
  EXPECT_EQ(page.elements[0].kind, ElementKind::table);
  EXPECT_EQ(lines_of(page), (Lines{"Revenue 100 200%", "Cost 101 201%", "Margin 102 202%",
                                   "Taxes 103 203%", "Profit 104 204%"}));
}

TEST(Layout, CellsOfSeveralLinesInARuledTableFormOneRow) {
  RawPageBuilder builder;
  for (int row = 0; row < 4; ++row) {
    const float y = 100 + 40.0F * row;
    builder.rule(50, y, 500);
    builder.text(55, y + 6, "Risk").text(55, y + 18, "number " + std::to_string(row));
    builder.text(150, y + 6, "a measure against it that is")
        .text(150, y + 18, "long enough to wrap");
    builder.text(400, y + 12, "done");
  }
  builder.rule(50, 260, 500);
  const Page page = lay_out_whole(builder.page());
  ASSERT_EQ(page.elements.size(), 1U);
  EXPECT_EQ(page.elements[0].kind, ElementKind::table);
  EXPECT_EQ(lines_of(page)[2],
            "Risk number 2 a measure against it that is long enough to wrap done");
}

// The rule under the page's header is as wide as the table's: what is between them is no row.
TEST(Layout, ProseBetweenAHeaderRuleAndATableStaysProse) {
  const std::string full =
      "words of a paragraph that goes from the left edge to the right edge of it";
  RawPageBuilder builder;
  builder.rule(50, 49, 430);
  Lines expected;
  const auto line = [&](float y, const std::string& text) {
    builder.text(50, y, text);
    expected.push_back(text);
  };
  for (int i = 0; i < 4; ++i) line(100 + 14.0F * i, std::to_string(i) + " " + full);
  line(156, "season.");
  for (int i = 5; i < 7; ++i) line(180 + 14.0F * (i - 5), std::to_string(i) + " " + full);
  line(208, "service for her refit.");
  for (int i = 0; i < 5; ++i) {
    const float y = 235 + 16.0F * i;
    builder.rule(50, y, 430);
    const std::string label = "Segment " + std::to_string(i), a = std::to_string(100 + i);
    builder.text(55, y + 3, label).right(300, y + 3, a).right(420, y + 3, "8.1%");
    expected.push_back(label + " " + a + " 8.1%");
  }
  builder.rule(50, 315, 430);
  const Page page = lay_out_whole(builder.page());
  EXPECT_EQ(lines_of(page), expected);
  const auto tables = elements_of(page, ElementKind::table);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0]->line_count, 5U);
  for (const Line& each : page.lines) EXPECT_LT(each.box.height(), 15);
}

TEST(Layout, NumbersAndLabelsInTheMarginDoNotMakeProseATable) {
  RawPageBuilder builder;
  Lines expected;
  for (int part = 0; part < 3; ++part) {
    const float y = 100 + 100.0F * part;
    builder.rule(50, y, 500);
    const std::string label = part == 2 ? "Scope" : "1." + std::to_string(part);
    builder.text(55, y + 6, label);
    for (int i = 0; i < 6; ++i) {
      std::string text =
          i == 5 ? "the end."
                 : "one line of the paragraph and its number " + std::to_string(10 * part + i);
      builder.text(130, y + 6 + 12.0F * i, text);
      expected.push_back(i == 0 ? label + " " + text : text);
    }
  }
  builder.rule(50, 400, 500);
  const Page page = lay_out_whole(builder.page());
  EXPECT_EQ(lines_of(page), expected);
  EXPECT_TRUE(elements_of(page, ElementKind::table).empty());
}

// Read cell by cell, in lines of their own: one line must not go down half a page.
TEST(Layout, WordsOfATurnedTableTurnThePage) {
  RawPageBuilder page;
  page.upwards(100, 700, "Yearly catch").upwards(100, 500, "1995").upwards(100, 400, "2005");
  page.upwards(120, 700, "Northern").upwards(120, 500, "5738").upwards(120, 400, "6633");
  page.upwards(140, 700, "Southern").upwards(140, 500, "7387").upwards(140, 400, "5813");
  page.upwards(160, 700, "Western").upwards(160, 500, "6453").upwards(160, 400, "8138");
  EXPECT_EQ(lines_of(lay_out_whole(page.page())),
            (Lines{"Yearly catch 1995 2005", "Northern 5738 6633", "Southern 7387 5813",
                   "Western 6453 8138"}));
}

TEST(Layout, AHeadOverColumnsBetweenLinesIsARowOfItsOwn) {
  RawPageBuilder page;
  page.text(50, 102, "Port").text(180, 102, "Ships and boats");
  page.text(160, 116, "Large").text(240, 116, "Small");
  page.text(50, 137, "Oslo").text(160, 137, "135").text(240, 137, "100");
  page.text(50, 157, "Moss").text(160, 157, "72").text(240, 157, "53");
  page.text(50, 177, "Bergen").text(160, 177, "63").text(240, 177, "47");
  for (const float y : {98.0F, 132.0F, 152.0F, 172.0F, 192.0F}) page.rule(50, y, 280);
  const Page read = lay_out_whole(page.page());
  const auto tables = elements_of(read, ElementKind::table);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(lines_of(read, *tables[0]), (Lines{"Port Ships and boats", "Large Small",
                                               "Oslo 135 100", "Moss 72 53", "Bergen 63 47"}));
}

TEST(Layout, BulletsInARuledTableAreNoColumn) {
  RawPageBuilder page;
  page.text(50, 102, "Property").text(180, 102, "Reason for a change");
  page.text(50, 122, "Range").text(180, 122, "•").text(200, 122, "Many answers are at one end");
  page.text(180, 136, "•").text(200, 136, "Few answers are used");
  page.text(50, 157, "Recall").text(180, 157, "•").text(200, 157, "The time asked is long");
  for (const float y : {98.0F, 118.0F, 152.0F, 172.0F}) page.rule(50, y, 360);
  const Page read = lay_out_whole(page.page());
  const auto tables = elements_of(read, ElementKind::table);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(lines_of(read, *tables[0]),
            (Lines{"Property Reason for a change",
                   "Range • Many answers are at one end • Few answers are used",
                   "Recall • The time asked is long"}));
}

TEST(Layout, TextsSideBySideInARuledTableAreReadOneAfterTheOther) {
  RawPageBuilder builder;
  Lines expected;
  for (int row = 0; row < 3; ++row) {
    const float y = 100 + 80.0F * row;
    builder.rule(50, y, 500);
    for (int column = 0; column < 3; ++column) {
      for (int i = 0; i < 5 - column; ++i) {
        const std::string text = "row " + std::to_string(row) + " cell " + std::to_string(column) +
                                 " line " + std::to_string(i);
        builder.text(55 + 150.0F * column, y + 6 + 12.0F * i, text);
        expected.push_back(text);
      }
    }
  }
  builder.rule(50, 340, 500);
  const Page page = lay_out_whole(builder.page());
  EXPECT_EQ(lines_of(page), expected);
  ASSERT_EQ(page.elements.size(), 1U);
  EXPECT_EQ(page.elements[0].kind, ElementKind::table);
}

TEST(Layout, ReportPageWithProseAboveARuledTable) {
  pdf::Document document(docs("harbor-annual-report.pdf"), "");
  const Page page = lay_out_whole(document.page(4));
  std::string text;
  for (const std::string& line : lines_of(page)) text += line + ' ';
  std::size_t at = 0;
  for (const char* part : {"Business review", "We report four segments.",
                           "the hire of vessels out of season. The "
                           "Estuary Shuttle grew fastest",
                           "the Sula was out of service for her refit. Revenue by "
                           "segment",
                           "Table 1: Revenue by segment",
                           "Northern Isles 38,120 35,210 +8.3% 40.8%", "Group 93,500 86,455"}) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " is missing or too early in: " << text;
    at = found;
  }
  for (const Line& line : page.lines) {
    float highest = 0;
    for (std::uint32_t i = 0; i < line.word_count; ++i) {
      highest = std::max(highest, page.words[line.first_word + i].box.height());
    }
    EXPECT_LE(line.box.height(), 2.5F * highest) << line_text(page, line);
  }
}

TEST(Layout, RulesBetweenGroupsOfRowsDoNotJoinThem) {
  RawPageBuilder builder;
  for (int i = 0; i < 9; ++i) {
    const float y = 100 + 14.0F * i;
    if (i % 3 == 0) builder.rule(50, y - 2, 400);
    builder.text(50, y, "Item " + std::to_string(i)).right(390, y, std::to_string(1000 + i));
  }
  builder.rule(50, 224, 400);
  const Lines lines = lines_of(lay_out_whole(builder.page()));
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_EQ(lines[4], "Item 4 1004");
}

TEST(Layout, CaptionGoesToItsTable) {
  RawPageBuilder builder;
  builder.text(50, 80, "Table 2: Sales by region");
  const Lines regions = {"Americas", "Asia", "Europe", "Other"};
  for (int i = 0; i < 4; ++i) {
    builder.text(50, 100.0F + 14 * i, regions[static_cast<std::size_t>(i)]);
    builder.right(300, 100.0F + 14 * i, std::to_string(10 * i + 5) + ".0");
  }
  const Page page = lay_out_whole(builder.page());
  ASSERT_EQ(page.elements.size(), 1U);
  EXPECT_EQ(page.elements[0].kind, ElementKind::table);
  EXPECT_EQ(page.elements[0].caption, "Table 2: Sales by region");
}

TEST(Layout, FigureTakesItsLabelsAndCaption) {
  RawPageBuilder builder;
  for (int i = 0; i < 6; ++i) {
    builder.text(50, 80.0F + 12 * i,
                 "Some words of running text that fill the width of a page well");
  }
  for (int i = 0; i < 8; ++i) {
    builder.drawing({100.0F + 40 * i, 300.0F - 15 * i, 130.0F + 40 * i, 340});
    builder.text(105.0F + 40 * i, 325, "Q" + std::to_string(i), 8);
  }
  builder.text(100, 350, "Figure 1: Revenue by quarter");
  const Page page = lay_out_whole(builder.page());
  const auto figures = elements_of(page, ElementKind::figure);
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0]->caption, "Figure 1: Revenue by quarter");
  EXPECT_EQ(lines_of(page, *figures[0])[0], "Q0 Q1 Q2 Q3 Q4 Q5 Q6 Q7");
}

TEST(Layout, PictureWithoutWordsIsAFigure) {
  RawPageBuilder builder;
  builder.text(50, 100, "A text above the picture that is a normal line")
      .image({50, 150, 400, 400});
  const Page page = lay_out_whole(builder.page());
  const auto figures = elements_of(page, ElementKind::figure);
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0]->line_count, 0U);
  EXPECT_EQ(figures[0]->box, (Box{50, 150, 400, 400}));
}

TEST(Layout, SlideWithTitleAndBullets) {
  RawPageBuilder builder(960, 540);
  builder.text(60, 60, "Strategy for the coming year", 36);
  builder.text(60, 160, "•", 20).text(90, 160, "Grow the business in new markets", 20);
  builder.text(90, 184, "with the partners we have", 20);
  builder.text(60, 220, "•", 20).text(90, 220, "Keep costs low", 20);
  builder.text(60, 260, "•", 20).text(90, 260, "Hire two hundred people", 20);
  builder.text(900, 515, "7", 10);
  const Page page = lay_out_whole(builder.page());
  EXPECT_EQ(page.elements[0].kind, ElementKind::heading);
  const auto items = elements_of(page, ElementKind::list_item);
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(lines_of(page, *items[0]),
            (Lines{"• Grow the business in new markets", "with the partners we have"}));
  EXPECT_EQ(items[2]->parent, 0);
  ASSERT_EQ(elements_of(page, ElementKind::furniture).size(), 1U);
}

TEST(Layout, BoxesSideBySideAreReadOneAfterTheOther) {
  RawPageBuilder builder(960, 540);
  for (int box = 0; box < 3; ++box) {
    const float x = 60 + 300.0F * box;
    builder.text(x, 200, "Goal " + std::to_string(box), 20, true);
    builder.text(x, 230, "first line", 16).text(x, 250, "second line", 16);
    builder.text(x, 270, "third line", 16);
  }
  const Lines lines = lines_of(lay_out_whole(builder.page()));
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_EQ(lines[0], "Goal 0");
  EXPECT_EQ(lines[4], "Goal 1");
  EXPECT_EQ(lines[8], "Goal 2");
}

TEST(Layout, MarginsAreFurnitureOnlyWhenApart) {
  RawPageBuilder builder;
  builder.text(50, 30, "ACME Annual Report 2022", 8).text(300, 760, "17", 8);
  for (int i = 0; i < 30; ++i) {
    builder.text(50, 100.0F + 14 * i, "A line of the report that says one thing or another");
  }
  builder.text(50, 535, "1 A note at the foot of the text, which is not furniture at all", 8);
  const Page page = lay_out_whole(builder.page());
  const auto furniture = elements_of(page, ElementKind::furniture);
  ASSERT_EQ(furniture.size(), 2U);
  EXPECT_EQ(lines_of(page).front(), "ACME Annual Report 2022");
  EXPECT_EQ(lines_of(page).back(), "17");
}

TEST(Layout, TheOnlyPageHasNoFurnitureButItsNumber) {
  RawPageBuilder builder;
  builder.text(50, 30, "Precinct of Acton", 8).text(300, 760, "1", 8);
  builder.text(50, 740, "Account 4711 at the Harbour Bank", 8);
  for (int i = 0; i < 30; ++i) {
    builder.text(50, 100.0F + 14 * i, "A line of the letter that says one thing or another");
  }
  pdf::RawPage raw = builder.page();
  raw.is_only = true;
  const auto furniture = elements_of(lay_out_whole(raw), ElementKind::furniture);
  ASSERT_EQ(furniture.size(), 1U);
  raw.is_only = false;
  EXPECT_EQ(elements_of(lay_out_whole(raw), ElementKind::furniture).size(), 2U);
}

TEST(Layout, HeadingsFormATree) {
  RawPageBuilder builder;
  builder.text(50, 80, "Business", 20);
  builder.text(50, 120, "Overview", 14);
  builder.text(50, 150, "We sell things to people in many places of the world every day.");
  builder.text(50, 162, "They pay for them and are mostly content with what they get.");
  builder.text(50, 200, "Risks", 14);
  builder.text(50, 230, "There are many risks in selling things to people, as we know.");
  builder.text(50, 242, "Some of them are listed here, others are not, to save room.");
  const Page page = lay_out_whole(builder.page());
  ASSERT_EQ(page.elements.size(), 5U);
  EXPECT_EQ(page.elements[0].level, 1);
  EXPECT_EQ(page.elements[1].level, 2);
  EXPECT_EQ(page.elements[1].parent, 0);
  EXPECT_EQ(page.elements[2].parent, 1);
  EXPECT_EQ(page.elements[3].parent, 0);
  EXPECT_EQ(page.elements[4].parent, 3);
}

TEST(Layout, PageTurnedByNinetyDegreesIsReadUpright) {
  RawPageBuilder builder;
  for (int i = 0; i < 6; ++i) {
    builder.upwards(100.0F + 14 * i, 700,
                    "sideways line number " + std::to_string(i) + " reads upwards");
  }
  const Page page = lay_out_whole(builder.page());
  const Lines lines = lines_of(page);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0], "sideways line number 0 reads upwards");
  EXPECT_EQ(lines[5], "sideways line number 5 reads upwards");
  EXPECT_NEAR(page.words[0].box.x0, 100, 0.01);
  EXPECT_NEAR(page.words[0].box.y1, 700, 0.01);
}

TEST(Layout, RandomPagesLoseNothing) {
  std::mt19937 random(7);
  const auto between = [&](float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
  };
  for (int round = 0; round < 200; ++round) {
    RawPageBuilder builder;
    const int lines = static_cast<int>(between(0, 80));
    for (int i = 0; i < lines; ++i) {
      const float size = between(2, 30);
      if (between(0, 1) < 0.1F) {
        builder.upwards(between(-50, 600), between(0, 800), "turned words here", size);
      } else {
        builder.text(between(-50, 600), between(-20, 800),
                     between(0, 1) < 0.5F ? "a 12 $" : "word and more words", size);
      }
      if (between(0, 1) < 0.3F) builder.rule(between(0, 300), between(0, 800), between(300, 600));
      if (between(0, 1) < 0.3F) {
        const float x = between(0, 500), y = between(0, 700);
        builder.drawing({x, y, x + between(1, 200), y + between(1, 200)});
      }
    }
    expect_whole(builder.page(), lay_out(builder.page()));
  }
}

TEST(Layout, CrowdedPagesTakeBoundedTime) {
  RawPageBuilder rows, heap;
  for (int i = 0; i < 2000; ++i) {
    rows.text(10, 0.4F * static_cast<float>(i), "a b c d e f g h i j k l m n o p q r s t u v w x y",
              0.3F);
    heap.text(50 + 0.01F * static_cast<float>(i), 400,
              "one two three four five six seven eight nine ten x y z", 10);
  }
  for (int i = 0; i < 20000; ++i) {
    const float x = static_cast<float>(i % 200), y = static_cast<float>(i / 200);
    rows.drawing({x, y, x + 1, y + 1}).rule(x, y, x + 300);
  }
  const auto start = std::chrono::steady_clock::now();
  expect_whole(rows.page(), lay_out(rows.page()));
  expect_whole(heap.page(), lay_out(heap.page()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 20);  // far above what it takes, far below what a square would take
}

// An address on the left is half a line lower than the list on the right.
TEST(Layout, HalfALineApartAreTwoRows) {
  RawPageBuilder page;
  page.text(72, 104, "Bill to").text(72, 120, "Larkspur Dental");
  page.text(300, 96, "Customer").text(400, 96, "K-9921");
  page.text(300, 112, "Due").text(400, 112, "01.06.2025");
  const Page read = lay_out_whole(page.page());
  for (const std::string& line : lines_of(read)) {
    EXPECT_EQ(line.find("Larkspur") != std::string::npos && line.find("Due") != std::string::npos,
              false)
        << line;
  }
}

// A table of drawn cells is one block here. It may touch the lines above and below it.
TEST(Layout, ATableBetweenCloseLinesKeepsItsWords) {
  RawPageBuilder builder;
  builder.text(50, 100, "Ways to pay");
  for (const float x : {50.0F, 150.0F, 400.0F}) builder.rule_down(x, 109, 151);
  for (const float y : {109.0F, 130.0F, 151.0F}) builder.rule(50, y, 400);
  builder.text(55, 109.5F, "Card").text(155, 109.5F, "online");
  builder.text(55, 140, "Transfer").text(155, 140, "IBAN FR76");
  builder.text(50, 149, "Late payment costs three times the legal rate of interest.");
  EXPECT_EQ(lines_of(lay_out_whole(builder.page())),
            (Lines{"Ways to pay", "Card online", "Transfer IBAN FR76",
                   "Late payment costs three times the legal rate of interest."}));
}

TEST(Layout, LabelledRowsBetweenTwoRulesStayRows) {
  RawPageBuilder builder;
  builder.rule(50, 96, 500);
  builder.text(55, 100, "Invoice Number:").right(495, 100, "42183017");
  builder.text(55, 114, "Invoice Date:").right(495, 114, "August 3, 2014");
  builder.rule(50, 128, 500);
  builder.text(55, 132, "Total amount due").right(495, 132, "$4.11");
  builder.rule(50, 146, 500);
  EXPECT_EQ(lines_of(lay_out_whole(builder.page())),
            (Lines{"Invoice Number: 42183017", "Invoice Date: August 3, 2014",
                   "Total amount due $4.11"}));
}

TEST(Layout, ABoldSumIsNoHeading) {
  RawPageBuilder builder;
  for (int i = 0; i < 3; ++i) {
    builder.text(50, 100.0F + 14 * i, "A line of plain text about what was bought, in full width.");
  }
  builder.text(50, 170, "Total due", 10, true).text(400, 170, "300.00", 10, true);
  const Page page = lay_out_whole(builder.page());
  EXPECT_TRUE(elements_of(page, ElementKind::heading).empty());
}

}  // namespace
}  // namespace fineprint::reading
