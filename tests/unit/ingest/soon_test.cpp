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
  EXPECT_EQ(likely_documents(store.store(), "Wie viele Mitarbeiterinnen gibt es?", {}, 1),
            std::vector<std::string>{"/somewhere/Mitarbeiterinnen.pdf"});
  EXPECT_EQ(likely_documents(store.store(), "Mitarbeiterinnen?", {}, 1),
            std::vector<std::string>{"/somewhere/Mitarbeiterinnen.pdf"});
}

}  // namespace
}  // namespace fineprint::ingest
