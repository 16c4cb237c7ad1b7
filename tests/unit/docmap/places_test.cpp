// Places by name.
#include "fineprint/docmap/places.h"

#include <gtest/gtest.h>

namespace fineprint::docmap {
namespace {

using PageNumbers = std::vector<int>;
using Labels = std::vector<std::string>;

DocumentMap empty_map(int pages) {
  DocumentMap map;
  map.pages_total = pages;
  return map;
}

TEST(PagesNamed, AreThoseOfTheNumber) {
  const DocumentMap map = empty_map(12);
  EXPECT_EQ(pages_named(map, {}, "Page 7"), PageNumbers{7});
  EXPECT_EQ(pages_named(map, {}, " page  12. "), PageNumbers{12});
  EXPECT_EQ(pages_named(map, {}, "Page ii"), PageNumbers{2});
  EXPECT_EQ(pages_named(map, {}, "PAGE XI"), PageNumbers{11});
  for (const char* none : {"Page 0", "Page 13", "Page -1", "Page", "Page ", "7", "Pages 1-3",
                           "Page 99999999999999999999", "Page 7a", "Page iix", "on page 7", ""}) {
    EXPECT_EQ(pages_named(map, {}, none), PageNumbers()) << none;
  }
}

TEST(PagesNamed, AreFirstThoseOfThePrintedLabel) {
  const DocumentMap map = empty_map(5);
  const Labels labels = {"i", "ii", "1", "2", "A-1"};
  EXPECT_EQ(pages_named(map, labels, "Page 1"), (PageNumbers{3, 1}));
  EXPECT_EQ(pages_named(map, labels, "Page ii"), PageNumbers{2});
  EXPECT_EQ(pages_named(map, labels, "Page A-1"), PageNumbers{5});
  EXPECT_EQ(pages_named(map, labels, "Page 4"), PageNumbers{4});
  EXPECT_EQ(pages_named(map, Labels(5), "Page 4"), PageNumbers{4});
}

TEST(ElementsNamed, AreThoseOfTheCaptionsNumber) {
  DocumentMap map = empty_map(3);
  const auto add = [&](MappedKind kind, const char* name) {
    map.elements.push_back({"", 1, kind, name, "", "", {}});
  };
  add(MappedKind::figure, "Figure 2");
  add(MappedKind::chart, "Figure 3");
  add(MappedKind::table, "Table 3");
  add(MappedKind::chart, "Chart 2");
  add(MappedKind::figure, "");
  add(MappedKind::table, "Table 3");
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(elements_named(map, "Figure 2"), (Places{0, 3}));
  EXPECT_EQ(elements_named(map, "Chart 3"), Places{1});
  EXPECT_EQ(elements_named(map, "fig. III: Costs"), Places{1});
  EXPECT_EQ(elements_named(map, "Table III"), (Places{2, 5}));
  EXPECT_EQ(elements_named(map, "Chart 4"), Places());
  EXPECT_EQ(elements_named(map, "Table 2"), Places());
  EXPECT_EQ(elements_named(map, "Page 3"), Places());
  EXPECT_EQ(elements_named(map, ""), Places());
}

}  // namespace
}  // namespace fineprint::docmap
