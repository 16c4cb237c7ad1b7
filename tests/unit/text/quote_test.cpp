// Quotes are found where they stand, and nowhere else.
#include "fineprint/text/quote.h"

#include <random>

#include <gtest/gtest.h>

#include "unit/text/page_maker.h"

namespace fineprint::text {
namespace {

using testing::add_element;

Page sample_page() {
  Page page;
  page.number = 1;
  add_element(&page, ElementKind::paragraph,
              {"The Company’s ﬁscal infor-", "mation shows net sales of $1,577.50 million",
               "in a long-", "term view. Net sales rose 5 %."});
  return page;
}

TEST(QuoteTest, FoldsAndIgnoresWhiteSpace) {
  const Page page = sample_page();
  const auto place = find_quote(page, "the company's   FISCAL");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->first_word, 0u);
  EXPECT_EQ(place->word_count, 3u);
  ASSERT_EQ(place->boxes.size(), 1u);
  EXPECT_EQ(place->boxes[0], (Box{0, 0, 34, 10}));
  EXPECT_TRUE(find_quote(page, "5%."));
  EXPECT_TRUE(find_quote(page, "netsales of"));
}

TEST(QuoteTest, HyphensAtLineEndsMayBeThereOrNot) {
  const Page page = sample_page();
  for (const char* quote :
       {"fiscal information shows", "fiscal infor- mation shows", "fiscal infor-mation shows",
        "infor-\nmation", "a long-term view", "a longterm view", "a long- term view"}) {
    const auto place = find_quote(page, quote);
    ASSERT_TRUE(place.has_value()) << quote;
    EXPECT_EQ(place->boxes.size(), 2u) << quote;
  }
}

TEST(QuoteTest, NothingIsFoundInsideWordsAndNumbers) {
  const Page page = sample_page();
  for (const char* quote : {"compan", "577.50", "1,577", "ales", "", " ", "\u200b", "profit",
                            "net sales of $1,577.50 billion"}) {
    EXPECT_FALSE(find_quote(page, quote).has_value()) << quote;
  }
  EXPECT_TRUE(find_quote(page, "1,577.50").has_value());
  EXPECT_EQ(find_quote(page, "net sales rose")->first_word, 16u);
}

TEST(QuoteTest, BoxesAreOneALine) {
  const Page page = sample_page();
  EXPECT_EQ(word_boxes(page, 0, 1).size(), 1u);
  EXPECT_EQ(word_boxes(page, 3, 2).size(), 2u);
  EXPECT_EQ(word_boxes(page, 0, 1000).size(), 4u);
  EXPECT_TRUE(word_boxes(page, 900, 5).empty());
  EXPECT_TRUE(word_boxes(Page{}, 0, 1).empty());
  EXPECT_FALSE(find_quote(Page{}, "x").has_value());
}

// Any run of words of a page is found at or before its place, however it is blanked.
TEST(QuoteTest, EveryRunOfWordsIsFound) {
  std::mt19937 random(23);
  const std::vector<std::string> pieces = {"net",   "sales-", "-",    "--",    "a-",  "1,5",
                                           "(3.2)", "ﬁx",     "É",    "x-ray", "“q”", "co-",
                                           "op",    "$5",     "\xff", "5%"};
  for (int round = 0; round < 200; ++round) {
    Page page;
    for (int e = 0; e < 3; ++e) {
      std::vector<std::string> lines(2);
      for (std::string& line : lines) {
        for (std::size_t n = 1 + random() % 6; n > 0; --n) {
          line += pieces[random() % pieces.size()] + " ";
        }
      }
      add_element(&page, ElementKind::paragraph, lines);
    }
    const auto total = static_cast<std::uint32_t>(page.words.size());
    const std::uint32_t first = static_cast<std::uint32_t>(random()) % total;
    const std::uint32_t count = 1 + static_cast<std::uint32_t>(random()) % (total - first);
    std::string quote;
    for (std::uint32_t i = 0; i < count; ++i) {
      quote += page.words[first + i].text + (random() % 4 == 0 ? " \n" : " ");
    }
    const auto place = find_quote(page, quote);
    ASSERT_TRUE(place.has_value()) << quote;
    EXPECT_LE(place->first_word, first) << quote;
    EXPECT_FALSE(place->boxes.empty());
  }
}

}  // namespace
}  // namespace fineprint::text
