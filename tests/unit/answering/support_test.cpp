// Tests of how well pages support an answer.
#include "answering/support.h"

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::answering {
namespace {

// What page 1 of a document says for an answer.
double support_by(const testing::SmallStore& store, const std::string& doc,
                  const std::string& question, const std::string& said) {
  testing::Asking asking(store);
  Answer answer;
  answer.answer = said;
  answer.citations = {Citation{.page = {doc, 1}, .quote = "", .boxes = {}, .score = 0}};
  return support(asking.context(), question, answer);
}

// The question alone says no language: its words are stemmed as those of the pages are.
TEST(Support, OfAShortQuestionIsLookedUpInTheLanguageOfTheStore) {
  testing::SmallStore store;
  store.put("de.pdf", {testing::typed_page({"Mitarbeiterinnen 120"}, "de"),
                       testing::typed_page({"Kosten 7"}, "de")});
  EXPECT_NEAR(support_by(store, "de.pdf", "Mitarbeiterinnen?", "120"), 0.9, 1e-9);
  EXPECT_EQ(support_by(store, "de.pdf", "Kosten?", "120"), 0);
}

TEST(Support, OfAWordIsFoundInPagesOfEachLanguage) {
  testing::SmallStore store;
  store.put("de.pdf", {testing::typed_page({"Mitarbeiterinnen 120"}, "de")});
  store.put("en.pdf", {testing::typed_page({"Nobody abroad"}, "en")});
  EXPECT_NEAR(support_by(store, "de.pdf", "Mitarbeiterinnen?", "120"), 0.9, 1e-9);
}

}  // namespace
}  // namespace fineprint::answering
