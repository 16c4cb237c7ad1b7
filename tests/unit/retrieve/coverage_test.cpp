// Tests of how much of a question stands on a page.
#include "fineprint/retrieve/coverage.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using testing::typed_page;

// Of three pages "alpha" is on two, "omega" on one, "zeta" on none.
class CoverageTest : public ::testing::Test {
 protected:
  CoverageTest() {
    store_.put("a.pdf", {typed_page({"alpha beta"}), typed_page({"alpha alpha gamma"})});
    store_.put("b.pdf", {typed_page({"beta omega"})});
  }

  testing::SmallStore store_;
};

TEST_F(CoverageTest, WeighsTermsByTheirRarityOverPages) {
  testing::Asking asking(store_);
  const TermCoverage coverage(asking.context(), {"alpha", "omega", "zeta"});
  const double alpha = std::log(1.6), omega = std::log(8.0 / 3.0), zeta = std::log(8.0);
  const double all = alpha + omega + zeta;
  EXPECT_NEAR(coverage.on_page(PageId(0)), alpha / all, 1e-9);
  EXPECT_NEAR(coverage.on_page(PageId(1)), alpha / all, 1e-9);
  EXPECT_NEAR(coverage.on_page(PageId(2)), omega / all, 1e-9);
  EXPECT_NEAR(coverage.in_terms({"omega", "alpha", "other"}), (alpha + omega) / all, 1e-9);
  EXPECT_NEAR(coverage.in_terms({"alpha", "omega", "zeta"}), 1, 1e-9);
  EXPECT_NEAR(coverage.best_in({DocumentId(0), DocumentId(1)}), omega / all, 1e-9);
  EXPECT_NEAR(coverage.best_in({DocumentId(0)}), alpha / all, 1e-9);
  EXPECT_EQ(coverage.best_in({}), 0);
}

TEST_F(CoverageTest, KnowsWhichPagesHoldATerm) {
  testing::Asking asking(store_);
  const TermCoverage coverage(asking.context(), {"alpha", "omega"});
  EXPECT_TRUE(coverage.holds(PageId(1), "alpha"));
  EXPECT_FALSE(coverage.holds(PageId(2), "alpha"));
  EXPECT_TRUE(coverage.holds(PageId(2), std::size_t{1}));
  EXPECT_FALSE(coverage.holds(PageId(0), "beta"));  // not among its terms
}

TEST_F(CoverageTest, ATermStandsWhereItsOtherSpellingsDo) {
  testing::Asking asking(store_);
  const TermCoverage coverage(asking.context(), {"zeta", "omega"}, {{"zeta", {"beta", "gamma"}}});
  EXPECT_TRUE(coverage.holds(PageId(0), "zeta"));
  EXPECT_TRUE(coverage.holds(PageId(1), "zeta"));
  EXPECT_NEAR(coverage.in_terms({"gamma", "omega"}), 1, 1e-9);
  EXPECT_EQ(coverage.in_terms({"delta"}), 0);
}

TEST_F(CoverageTest, OfNoTermsIsNothing) {
  testing::Asking asking(store_);
  const TermCoverage coverage(asking.context(), {});
  EXPECT_EQ(coverage.on_page(PageId(0)), 0);
  EXPECT_EQ(coverage.in_terms({"alpha"}), 0);
}

TEST(EmptyCoverage, HasNoPages) {
  const testing::SmallStore store;
  testing::Asking asking(store);
  EXPECT_EQ(TermCoverage(asking.context(), {"alpha"}).best_in({}), 0);
}

}  // namespace
}  // namespace fineprint::retrieve
