// Tests of the documents that a question probably means.
#include "fineprint/ingest/soon.h"

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::ingest {
namespace {

// Names are stemmed by the rules of the question's language, which German needs to match "innen".
TEST(LikelyDocuments, AreKnownByTheirNamesInTheLanguageOfTheQuestion) {
  fineprint::testing::SmallStore store;
  store.put("Kosten.pdf", {fineprint::testing::typed_page({"Bericht"}, "de")}, 1);
  store.put("Mitarbeiterinnen.pdf", {fineprint::testing::typed_page({"Bericht"}, "de")}, 1);
  EXPECT_EQ(likely_documents(store.store(), "Wie viele Mitarbeiterinnen gibt es?", {}, 1).paths,
            std::vector<std::string>{"/somewhere/Mitarbeiterinnen.pdf"});
  EXPECT_EQ(likely_documents(store.store(), "Mitarbeiterinnen?", {}, 1).paths,
            std::vector<std::string>{"/somewhere/Mitarbeiterinnen.pdf"});
}

TEST(LikelyDocuments, AreMeantIfTheQuestionNamesOneThatWaits) {
  fineprint::testing::SmallStore store;
  store.put("Harbour lease 2021.pdf", {fineprint::testing::typed_page({"Rent"}, "en")}, 1);
  store.put("minutes.pdf", {fineprint::testing::typed_page({"Rent of the harbour"}, "en")}, 0);
  const auto are_meant = [&](const std::string& question) {
    return likely_documents(store.store(), question, {}, 1).are_meant;
  };
  EXPECT_TRUE(are_meant("Harbour lease?"));
  EXPECT_TRUE(
      are_meant("By the lease of 2021, how many days before the end may each side give "
                "notice to the other one?"));
  EXPECT_FALSE(are_meant("Who was present when the council met in the old town hall in March?"));
  EXPECT_FALSE(are_meant("minutes?"));  // no page of these waits
}

}  // namespace
}  // namespace fineprint::ingest
