// What a model says of a page, and what of it cannot be.
#include "docmap/page_reply.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/core/json.h"

#include "unit/text/page_maker.h"

namespace fineprint::docmap {
namespace {

using Numbers = std::vector<std::string>;
using fineprint::text::testing::add_element;

Json new_section(const std::string& number, const std::string& title, bool inferred = false) {
  return {{"number", number}, {"title", title}, {"inferred", inferred}};
}

std::string reply_of(const Json& new_sections, const Numbers& page_sections,
                     const std::string& summary = "A page.", const Json& elements = Json::array()) {
  return dump_json({{"new_sections", new_sections},
                    {"page_sections", page_sections},
                    {"summary", summary},
                    {"elements", elements}});
}

class PageReply : public ::testing::Test {
 protected:
  PageReply() {
    page_.width_pt = 600;
    page_.height_pt = 800;
    add_element(&page_, ElementKind::heading, {"2 The Old", "Harbour"}, 20, 1);
    add_element(&page_, ElementKind::paragraph, {"It was built. It is old."});
    outline_.open("1", 1, "Start", false, 1);
    outline_.open("1.1", 2, "Terms", false, 1);
  }

  void take(int number, const std::string& reply, const Numbers& before = {},
            bool names_none = false) {
    page_.number = number;
    digest_ = digest_of(page_);
    take_reply(reply, page_, before, names_none, &digest_, &outline_);
  }

  Page page_;
  Outline outline_;
  PageDigest digest_;
};

TEST_F(PageReply, OpensSectionsAndAssignsThePage) {
  take(2, reply_of(Json::array({new_section("2", "2 The old harbour")}), {"1.1", "2"}));
  ASSERT_EQ(outline_.sections().size(), 3U);
  EXPECT_EQ(outline_.sections()[2], (Section{"2", "The old harbour", 1, {2}, "", false}));
  EXPECT_EQ(outline_.deepest_on(2), (Numbers{"1.1", "2"}));
  EXPECT_EQ(digest_.page.summary, "A page.");
}

TEST_F(PageReply, NumbersThatCannotBeAreMadeAnewEverywhere) {
  take(2,
       reply_of(Json::array({new_section("7.3", "The Old Harbour"), new_section("x", "It is old")}),
                {"7.3", "x"}));
  ASSERT_EQ(outline_.sections().size(), 4U);
  EXPECT_EQ(outline_.sections()[2].number, "1.2");
  EXPECT_EQ(outline_.sections()[3].number, "2");
  EXPECT_EQ(outline_.deepest_on(2), (Numbers{"1.2", "2"}));
}

TEST_F(PageReply, ATitleThatThePageDoesNotHaveIsInferred) {
  take(2, reply_of(Json::array({new_section("2", "The harbour of old"), new_section("3", " ")}),
                   {"2"}));
  ASSERT_EQ(outline_.sections().size(), 3U);
  EXPECT_TRUE(outline_.sections()[2].inferred);
  page_ = {};  // a page without words cannot contradict
  take(3, reply_of(Json::array({new_section("3", "Anything")}), {"3"}));
  EXPECT_FALSE(outline_.sections()[3].inferred);
}

TEST_F(PageReply, ClosedAndUnknownSectionsAreRefused) {
  take(2, reply_of(Json::array({new_section("2", "The Old Harbour")}), {"2"}));
  take(3, reply_of(Json::array(), {"1.1", "9", "0"}), {"2"});
  EXPECT_EQ(outline_.deepest_on(3), Numbers{"2"});  // as the page before
  take(4, reply_of(Json::array(), {"1.1"}), {"1.1"});
  EXPECT_EQ(outline_.deepest_on(4), Numbers{"2"});  // the one that is open
}

TEST_F(PageReply, BookmarksLeaveNoSectionsToName) {
  take(2, reply_of(Json::array({new_section("2", "The Old Harbour")}), {"2"}), {"1.1"}, true);
  EXPECT_EQ(outline_.sections().size(), 2U);
  EXPECT_EQ(outline_.deepest_on(2), Numbers{"1.1"});
}

TEST_F(PageReply, AnEmptySummaryIsTheFirstSentence) {
  take(2, reply_of(Json::array(), {"1.1"}, " \n"));
  EXPECT_EQ(digest_.page.summary, "It was built.");
}

TEST_F(PageReply, ElementsAreFoundByNameThenByKind) {
  for (const char* caption : {"Figure 2: The quay", "", ""}) {
    Element figure;
    figure.kind = ElementKind::figure;
    figure.box = {0, 100, 300, 400};
    figure.caption = caption;
    page_.elements.push_back(figure);
  }
  const auto said = [](const char* kind, const char* name, const char* description) {
    return Json{{"kind", kind}, {"name", name}, {"description", description}};
  };
  take(2, reply_of(
              Json::array(), {"1.1"}, "A page.",
              Json::array({said("chart", "", "Catches rise."), said("chart", "FIG. II", "A quay."),
                           said("figure", "Map", "A map."), said("table", "Table 9", "Fees.")})));
  ASSERT_EQ(digest_.elements.size(), 4U);
  EXPECT_EQ(digest_.elements[0].name, "Figure 2");
  EXPECT_EQ(digest_.elements[0].kind, MappedKind::chart);
  EXPECT_EQ(digest_.elements[0].summary, "A quay.");
  EXPECT_EQ(digest_.elements[1].summary, "Catches rise.");
  EXPECT_EQ(digest_.elements[1].name, "");
  EXPECT_EQ(digest_.elements[2].name, "Map");
  EXPECT_EQ(digest_.elements[3].id, "p2-e4");
  EXPECT_EQ(digest_.elements[3].name, "Table 9");
  EXPECT_EQ(digest_.elements[3].box, (Box{0, 0, 600, 800}));
}

TEST(OutlineText, ShowsTheTopAndTheEndOfLongOnes) {
  Outline outline;
  for (int chapter = 1; chapter <= 30; ++chapter) {
    outline.open("", 1, "Chapter", false, chapter);
    for (int part = 0; part < 9; ++part) outline.open("", 2, "Part", false, chapter);
  }
  const std::string text = outline_text(outline.sections());
  EXPECT_EQ(std::ranges::count(text, '\n'), 20 + 100);
  EXPECT_TRUE(text.starts_with("1 Chapter (pages 1 to 1)\n2 Chapter"));
  EXPECT_TRUE(text.ends_with("30.9 Part (pages 30 to 30)\n"));
}

}  // namespace
}  // namespace fineprint::docmap
