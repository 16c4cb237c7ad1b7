// Tests of what a question names, and of where it stands.
#include "pipelines/extractive/subject.h"

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::pipelines::extractive {
namespace {

using testing::typed_page;
using Terms = std::vector<std::string>;

Subjects subjects(const std::string& question) {
  return subjects_of(retrieve::prepare_query(question, {}));
}

TEST(Subjects, AreNamesProductsAndYears) {
  const Subjects found = subjects("What was the revenue of Acme Anvils in 2019 and 2020?");
  EXPECT_EQ(found.names, (Terms{"acm", "anvil"}));
  EXPECT_EQ(found.years, (Terms{"2019", "2020"}));
  EXPECT_EQ(subjects("how heavy is the A320 with 5G?").names, (Terms{"a320", "5g"}));
}

TEST(Subjects, BeginASentenceOnlyWhereTheyOwnSomethingOrGoOn) {
  EXPECT_EQ(subjects("Zenith's revenue fell?").names, (Terms{"zenith"}));
  EXPECT_EQ(subjects("Zenith Motors sold what?").names, (Terms{"zenith", "motor"}));
  EXPECT_EQ(subjects("Revenue of which year fell?").names, Terms{});
}

TEST(Subjects, AreNotWhatTheGlossaryKnows) {
  EXPECT_EQ(subjects("Who is the CEO of Acme?").names, (Terms{"acm"}));
  EXPECT_EQ(subjects("what was sold in Q2?").names, Terms{});
}

TEST(Subjects, MayBeNumbersOfThings) {
  EXPECT_EQ(subjects("what is the date of invoice 2022089083?").names, Terms{"2022089083"});
  EXPECT_EQ(subjects("who owns 12000 boats?").names, Terms{});
}

TEST(Subjects, OfGermanQuestionsFollowATitle) {
  const auto german = [](const std::string& question) {
    const std::vector<std::string> stored = {"de"};
    return subjects_of(retrieve::prepare_query(question, stored)).names;
  };
  EXPECT_EQ(german("Was kostet eine neue Wasseruhr f\u00FCr Herrn Krause?"), Terms{"kraus"});
  EXPECT_EQ(german("Wann kommt der Monteur zu Frau Dr. Henrike Dorn?"), (Terms{"henrik", "dorn"}));
  EXPECT_EQ(german("Wann wurde das Werk in der Stadt gebaut?"), Terms{});
  EXPECT_EQ(german("Wie lautet die Kundennummer bei QualityHosting?"), Terms{"qualityhosting"});
}

class SubjectFitTest : public ::testing::Test {
 protected:
  SubjectFitTest() {
    store_.put("acme-2021.pdf", {typed_page({"Acme makes anvils."}), typed_page({"It sold 31."}),
                                 typed_page({"In 2019 Bolt bought some."})});
    store_.put("zenith.pdf", {typed_page({"Lamps are made here."})});
  }

  SubjectFit fit(const std::string& question, std::uint32_t page, const Snippet& snippet) {
    testing::Asking asking(store_);
    return SubjectIndex(asking.context(), subjects(question)).fit(PageId(page), snippet);
  }

  static Snippet quote(const std::string& text) {
    Snippet snippet;
    snippet.text = text;
    return snippet;
  }

  testing::SmallStore store_;
};

TEST_F(SubjectFitTest, NamesCountOnThePageTheFirstPageAndInTheDocumentsName) {
  EXPECT_EQ(fit("How many has Acme sold?", 1, quote("It sold 31.")).names, 1);
  EXPECT_EQ(fit("How many has Bolt sold?", 2, quote("In 2019 Bolt bought some.")).names, 1);
  EXPECT_EQ(fit("How many has Zenith sold?", 3, quote("Lamps are made here.")).names, 1);
}

TEST_F(SubjectFitTest, NamesElsewhereInTheDocumentCountHalfAndOthersNothing) {
  EXPECT_EQ(fit("How many has Bolt sold?", 1, quote("It sold 31.")).names, 0.5);
  EXPECT_EQ(fit("How many has Zenith sold?", 1, quote("It sold 31.")).names, 0);
  EXPECT_EQ(fit("How many has Acme of Zenith sold?", 1, quote("It sold 31.")).names, 0);
  EXPECT_EQ(fit("How many were sold?", 1, quote("It sold 31.")).names, 1);
}

TEST_F(SubjectFitTest, YearsCountInTheQuoteAndHalfAroundIt) {
  const Snippet sold = quote("It sold 31.");
  EXPECT_EQ(fit("How many in 2019?", 2, quote("In 2019 Bolt bought some.")).years, 1);
  EXPECT_EQ(fit("How many in 2019?", 2, quote("Bolt bought some.")).years, 0.5);
  EXPECT_EQ(fit("How many in 2021?", 1, sold).years, 0.5);  // by the file's name
  EXPECT_EQ(fit("How many in 2019?", 1, sold).years, 0);
  EXPECT_EQ(fit("How many?", 1, sold).years, 1);
}

TEST_F(SubjectFitTest, ARowUnderOtherYearsIsOfOtherYears) {
  Snippet row = quote("Sold 31 30");
  row.is_row = true;
  row.context = "2021 2020";
  row.column_word_count = 2;
  EXPECT_EQ(fit("How many were sold in 2021?", 2, row).years, 1);
  EXPECT_EQ(fit("How many were sold in 2019?", 2, row).years, 0);  // though the page says 2019
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
