// Titles of documents.
#include "ingest/title.h"

#include <gtest/gtest.h>

namespace fineprint::ingest {
namespace {

Page page_with_headings(const std::vector<std::pair<int, std::string>>& headings) {
  Page page;
  page.number = 1;
  for (const auto& [level, text] : headings) {
    const auto line = static_cast<std::uint32_t>(page.lines.size());
    page.words.push_back({text, {0, 0, 1, 1}});
    page.lines.push_back({line, 1, {}});
    Element element;
    element.kind = ElementKind::heading;
    element.level = static_cast<std::uint8_t>(level);
    element.first_line = line;
    element.line_count = 1;
    page.elements.push_back(element);
  }
  return page;
}

TEST(Title, IsTheOneOfTheMetadataWhenAPersonWroteIt) {
  EXPECT_TRUE(looks_like_title("Annual Report 2022"));
  EXPECT_TRUE(looks_like_title("Étude de marché"));
  for (const char* bad : {"", "x", "untitled", "Microsoft Word - letter.doc", "report final.pdf",
                          "12 345 678", "PowerPoint Presentation", "AR22_web_final"}) {
    EXPECT_FALSE(looks_like_title(bad)) << bad;
  }
}

TEST(Title, FallsBackToTheLargestHeadingThenToTheName) {
  DocumentInfo info;
  info.title = "untitled";
  const Page page = page_with_headings({{2, "Contents"}, {1, "Harbour"}, {1, "Second"}});
  EXPECT_EQ(document_title(info, {page}, "a/b.pdf"), "Harbour");
  EXPECT_EQ(document_title(info, {}, "a/tide-tables_2022.pdf"), "tide tables 2022");
  info.title = "  Real \n title ";
  EXPECT_EQ(document_title(info, {page}, "b.pdf"), "Real title");
}

TEST(Title, MakesNamesReadable) {
  EXPECT_EQ(readable_name("x/JohnsonJohnson_2022-10K.pdf"), "Johnson Johnson 2022 10K");
  EXPECT_EQ(readable_name("3M_2018_10K.pdf"), "3M 2018 10K");
  EXPECT_EQ(readable_name("README"), "README");
  EXPECT_EQ(readable_name("___"), "___");
}

}  // namespace
}  // namespace fineprint::ingest
