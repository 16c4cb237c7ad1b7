// Tests of hits: their snippets and where those stand.
#include <gtest/gtest.h>

#include "fineprint/retrieve/search.h"
#include "fineprint/text/quote.h"

#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

class HitsTest : public ::testing::Test {
 protected:
  HitsTest() {
    Page page;
    testing::type_element(&page, ElementKind::heading, {"Harbour"});
    testing::type_element(
        &page, ElementKind::paragraph,
        {"The harbour has 5 piers.", "Boats come in the morning.", "Ferries leave at noon,",
         "the last one at night.", "Nobody swims there."},
        0);
    store_.put("port.pdf", {page, testing::typed_page({"empty words"})});
  }

  std::vector<Hit> hits(const std::string& query) {
    testing::Asking asking(store_);
    SearchOptions options;
    options.scorers = {"bm25"};
    return to_hits(asking.context(), query, search(asking.context(), query, options));
  }

  testing::SmallStore store_;
};

TEST_F(HitsTest, ShowTheLinesThatTheQuestionIsAbout) {
  const std::vector<Hit> found = hits("When do ferries leave at night?");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rank, 1);
  EXPECT_EQ(found[0].page, (PageRef{"port.pdf", 1}));
  EXPECT_EQ(found[0].snippet, "Ferries leave at noon, the last one at night.");
  testing::Asking asking(store_);
  const Page page = asking.corpus().page(PageId(0));
  EXPECT_EQ(found[0].boxes,
            (std::vector<Box>{page.lines[3].box, page.lines[4].box}));  // one a line
}

TEST_F(HitsTest, APagesNumberIsNotWhatItIsAbout) {
  const std::vector<Hit> found = hits("Who swims on page 5?");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].snippet, "the last one at night. Nobody swims there.");
}

TEST_F(HitsTest, APageThatIsOnlyNamedHasNoSnippet) {
  const std::vector<Hit> found = hits("ferries on page 2");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].rank, 2);
  const Hit& named = found[0].page.page == 2 ? found[0] : found[1];
  EXPECT_EQ(named.page, (PageRef{"port.pdf", 2}));
  EXPECT_EQ(named.snippet, "");
  EXPECT_TRUE(named.boxes.empty());
}

TEST_F(HitsTest, OfNothingAreNone) { EXPECT_TRUE(hits("zebra").empty()); }

}  // namespace
}  // namespace fineprint::retrieve
