// The door of the page graph: links under dense numbers, and what is said when there are none.
#include "fineprint/session/page_links.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/ids.h"
#include "support/small_store.h"

namespace fineprint::session {
namespace {

using testing::SmallStore;

class Links : public ::testing::Test {
 protected:
  Links() {
    store_.register_set("late", store::VectorUnit::page, 2, true);
    a_ = store_.put("a.pdf", std::vector<Page>(2));
    b_ = store_.put("b.pdf", std::vector<Page>(3));
  }

  void link_b(const score::GraphOptions& options = {}) {
    store_.put_page_graph("late", b_, {options, {{1, 2}, {0}, {0}}});
  }

  std::string refusal(const LinkRule& rule, const Pool& pool) const {
    try {
      PageLinks(corpus(), "late", rule).require(pool);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::store);
      return error.what();
    }
    return "none";
  }

  const Corpus& corpus() const {
    if (!corpus_) corpus_.emplace(store_.store());
    return *corpus_;
  }

  SmallStore store_;
  std::int64_t a_ = 0, b_ = 0;
  mutable std::optional<Corpus> corpus_;
};

TEST_F(Links, AreDenseNumbersOfTheSameDocument) {
  link_b();
  PageLinks links(corpus(), "late", {});
  EXPECT_EQ(links.of(PageId(2)), testing::ids<PageId>({3, 4}));
  EXPECT_EQ(links.of(PageId(3)), testing::ids<PageId>({2}));
  EXPECT_EQ(links.of(PageId(4)), testing::ids<PageId>({2}));
}

TEST_F(Links, OfADocumentWithoutAGraphAreRefusedWithTheRemedy) {
  link_b();
  PageLinks links(corpus(), "late", {});
  try {
    links.of(PageId(0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store);
    const std::string what = error.what();
    for (const char* part : {"a.pdf", "\"late\"", "fineprint index"}) {
      EXPECT_NE(what.find(part), std::string::npos) << what;
    }
  }
}

TEST_F(Links, AreThereWhenOneDocumentOfThePoolHasThem) {
  EXPECT_NE(refusal({}, testing::ids<DocumentId>({0, 1})).find("no page graph"), std::string::npos);
  EXPECT_EQ(refusal({}, {}), "none");
  link_b();
  EXPECT_EQ(refusal({}, testing::ids<DocumentId>({0, 1})), "none");
  EXPECT_NE(refusal({}, testing::ids<DocumentId>({0})).find("a.pdf"), std::string::npos);
}

TEST_F(Links, HaveToBeMadeByTheRuleThatIsAskedFor) {
  link_b({.neighbours = 5, .threshold = 0.8});
  EXPECT_EQ(refusal({.neighbours = 5, .threshold = 0.8}, testing::ids<DocumentId>({1})), "none");
  EXPECT_EQ(refusal({.threshold = 0.8}, testing::ids<DocumentId>({1})), "none");
  const std::string other =
      refusal({.neighbours = 0, .threshold = 0.4}, testing::ids<DocumentId>({1}));
  EXPECT_NE(other.find("--graph-knn 5 --graph-theta 0.8, but"), std::string::npos) << other;
  EXPECT_NE(other.find("--graph-knn 0 --graph-theta 0.4"), std::string::npos) << other;
  const std::string product =
      refusal({.similarity = score::GraphSimilarity::mean_dot}, testing::ids<DocumentId>({1}));
  EXPECT_NE(product.find("made with --graph-sim meanpool_cosine"), std::string::npos) << product;
  EXPECT_NE(product.find("--graph-sim meanpool_dot --graph-knn 5"), std::string::npos) << product;
  EXPECT_EQ(
      refusal({.similarity = score::GraphSimilarity::mean_cosine}, testing::ids<DocumentId>({1})),
      "none");
  PageLinks links(corpus(), "late", {.threshold = 0.4});
  EXPECT_THROW(links.of(PageId(2)), Error);
}

}  // namespace
}  // namespace fineprint::session
