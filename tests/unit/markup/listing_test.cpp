// Lists of files that servers send.
#include "fineprint/markup/listing.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::markup {
namespace {

TEST(Listing, ElementsWithoutPrefixes) {
  const XmlElement list = parse_xml_list(
      "<d:list xmlns:d='DAV:'> <d:one>a &amp; b</d:one><d:one><![CDATA[<c>]]></d:one></d:list>",
      "x");
  EXPECT_EQ(list.name, "list");
  EXPECT_EQ(list.text, "");
  ASSERT_EQ(list.children.size(), 2u);
  EXPECT_EQ(list.text_of("one"), "a & b");
  EXPECT_EQ(list.children[1].text, "<c>");
  EXPECT_EQ(list.child("two"), nullptr);
  EXPECT_EQ(list.text_of("two"), "");
}

TEST(Listing, HostileXml) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (const std::string& text : {std::string(), std::string("no XML"), std::string("<a>"), deep}) {
    EXPECT_THROW(parse_xml_list(text, "x"), Error) << text.substr(0, 20);
  }
  // Entities stay what they are: nothing grows, and no file is read.
  EXPECT_EQ(parse_xml_list("<!DOCTYPE a [<!ENTITY b 'ha'>]><a>&b;</a>", "x").text, "");
  EXPECT_EQ(parse_xml_list("<!DOCTYPE a [<!ENTITY b SYSTEM '/etc/passwd'>]><a>&b;</a>", "x").text,
            "");
}

TEST(Listing, LinksOfAPage) {
  const PageLinks page = parse_page_links(
      "<base href='/d/'><a href='../'>up</a><p><a href=\"a%20b.pdf?x&amp;y\">a</a><a name=n>b</a>");
  EXPECT_EQ(page.base, "/d/");
  EXPECT_EQ(page.links, (std::vector<std::string>{"../", "a%20b.pdf?x&y"}));
  EXPECT_TRUE(parse_page_links("").links.empty());
  EXPECT_TRUE(parse_page_links("\xff no page").links.empty());
}

}  // namespace
}  // namespace fineprint::markup
