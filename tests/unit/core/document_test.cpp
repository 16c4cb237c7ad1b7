// Text put together from words, and boxes joined.
#include "fineprint/core/document.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

Page two_lines() {
  Page page;
  for (const char* text : {"Net", "sales", "34,229"}) page.words.push_back({text, {}});
  page.lines = {{0, 2, {}}, {2, 1, {}}};
  return page;
}

TEST(Document, LinesAndPagesJoinWords) {
  const Page page = two_lines();
  EXPECT_EQ(line_text(page, page.lines[0]), "Net sales");
  EXPECT_EQ(page_text(page), "Net sales\n34,229");
  EXPECT_EQ(page_text(Page{}), "");
}

TEST(Document, ALineThatPointsPastTheWordsIsCut) {
  const Page page = two_lines();
  EXPECT_EQ(line_text(page, {2, 9, {}}), "34,229");
  EXPECT_EQ(line_text(page, {7, 1, {}}), "");
}

TEST(Geometry, UnionAndIntersection) {
  const Box a{0, 0, 2, 2};
  const Box b{1, 1, 3, 4};
  EXPECT_EQ(united(a, b), (Box{0, 0, 3, 4}));
  EXPECT_EQ(united(a, Box{}), a);
  EXPECT_EQ(intersected(a, b), (Box{1, 1, 2, 2}));
  EXPECT_TRUE(intersected(a, Box{5, 5, 6, 6}).empty());
  EXPECT_EQ(intersected(a, Box{5, 5, 6, 6}).area(), 0);
}

}  // namespace
}  // namespace fineprint
