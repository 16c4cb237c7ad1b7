// Numbers that fit, numbers that are given, and pages that belong.
#include "docmap/outline.h"

#include <gtest/gtest.h>

namespace fineprint::docmap {
namespace {

using Numbers = std::vector<std::string>;
using PageNumbers = std::vector<int>;

PageNumbers pages_of(const Outline& outline, const std::string& number) {
  for (const Section& section : outline.sections()) {
    if (section.number == number) return section.pages;
  }
  return {};
}

// 1 on page 1, 1.1 on 2, 2 on 4.
Outline small_outline() {
  Outline outline;
  outline.open("1", 1, "First", false, 1);
  outline.open("1.1", 2, "Part", false, 2);
  outline.open("2", 1, "Second", false, 4);
  return outline;
}

TEST(Headings, AreTakenApart) {
  EXPECT_EQ(heading_of("3.1 Scope  of\nwork").number, "3.1");
  EXPECT_EQ(heading_of("3.1 Scope  of\nwork").title, "Scope of work");
  EXPECT_EQ(heading_of("2. Methods").number, "2");
  EXPECT_EQ(heading_of("4) Costs").number, "4");
  for (const char* text : {"Scope", "1,200 people", "3..1 Odd", "0 Zero", "-1 Below", "1.2.",
                           "A.1 B", "99999999999 Far"}) {
    EXPECT_EQ(heading_of(text).number, "") << text;
    EXPECT_EQ(heading_of(text).title, text);
  }
}

TEST(Outline, TakesNumbersThatCanComeNext) {
  const Outline outline = small_outline();
  for (const char* number : {"2.1", "2.4", "3", "6"}) EXPECT_TRUE(outline.fits(number)) << number;
  for (const char* number : {"2", "1", "7", "2.5", "1.2", "2.1.1", "4.1", "", "x", "2024"}) {
    EXPECT_FALSE(outline.fits(number)) << number;
  }
  EXPECT_TRUE(Outline().fits("1"));
  EXPECT_FALSE(Outline().fits("1.1"));
}

TEST(Outline, RenumbersWhatDoesNotFit) {
  Outline outline = small_outline();
  EXPECT_EQ(outline.open("9.9", 3, "Deep", true, 5), "2.1");
  EXPECT_EQ(outline.open("", 2, "Next to it", false, 5), "2.2");
  EXPECT_EQ(outline.open("2.2", 1, "Taken", false, 5), "3");
  EXPECT_EQ(outline.open("3.3", 1, "After two that were overlooked", false, 6), "3.3");
  EXPECT_EQ(outline.last(), "3.3");
  const Section& deep = outline.sections()[3];
  EXPECT_EQ(deep, (Section{"2.1", "Deep", 2, {5}, "2", true}));
}

TEST(Outline, PutsPagesIntoAllSectionsAbove) {
  Outline outline = small_outline();
  EXPECT_TRUE(outline.assign("1.1", 3));
  EXPECT_TRUE(outline.assign("1.1", 3));
  EXPECT_EQ(pages_of(outline, "1.1"), (PageNumbers{2, 3}));
  EXPECT_EQ(pages_of(outline, "1"), (PageNumbers{1, 2, 3}));
  EXPECT_EQ(pages_of(outline, "2"), (PageNumbers{4}));
}

TEST(Outline, RefusesPagesOutsideASection) {
  Outline outline = small_outline();
  EXPECT_TRUE(outline.assign("1.1", 4));   // where the next begins, this one may end
  EXPECT_FALSE(outline.assign("1.1", 5));  // closed
  EXPECT_FALSE(outline.assign("1", 5));
  EXPECT_FALSE(outline.assign("2", 3));  // not yet begun
  EXPECT_FALSE(outline.assign("7", 4));  // not there
  EXPECT_TRUE(outline.assign("2", 9));
  EXPECT_EQ(pages_of(outline, "1.1"), (PageNumbers{2, 4}));
}

TEST(Outline, NamesTheDeepestSectionsOfAPage) {
  Outline outline = small_outline();
  outline.assign("1.1", 4);
  EXPECT_EQ(outline.deepest_on(1), Numbers{"1"});
  EXPECT_EQ(outline.deepest_on(2), Numbers{"1.1"});
  EXPECT_EQ(outline.deepest_on(4), (Numbers{"1.1", "2"}));
  EXPECT_EQ(outline.deepest_on(8), Numbers());
}

TEST(Outline, GoesOnFromItsSections) {
  Outline outline = small_outline();
  outline.assign("1.1", 4);
  Outline again(outline.sections());
  EXPECT_EQ(again.sections(), outline.sections());
  EXPECT_EQ(again.deepest_on(4), (Numbers{"1.1", "2"}));
  EXPECT_FALSE(again.assign("1.1", 5));
  EXPECT_EQ(again.open("2.1", 2, "More", false, 5), "2.1");
  EXPECT_EQ(pages_of(again, "2"), (PageNumbers{4, 5}));
}

}  // namespace
}  // namespace fineprint::docmap
