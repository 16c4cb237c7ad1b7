// Quotes on pages, and answers that decline.
#include "fineprint/agents/citations.h"

#include <gtest/gtest.h>

#include "support/ids.h"
#include "support/small_store.h"

namespace fineprint::agents {
namespace {

class CiteTest : public ::testing::Test {
 protected:
  CiteTest() {
    store_.put("a.pdf", {testing::typed_page({"Revenue was 12.5 million", "in 2020."}),
                         testing::typed_page({"Revenue was 99 million."}), Page{}});
  }
  std::vector<Citation> cited(std::initializer_list<std::uint32_t> shown,
                              const std::vector<Claim>& claims) {
    return cite(session::Corpus(store_.store()), testing::ids<PageId>(shown), claims);
  }

 private:
  testing::SmallStore store_;
};

TEST_F(CiteTest, MarksWhatStandsOnThePage) {
  const auto citations = cited({0, 1}, {{PageId(0), "12.5 Million in 2020", 0.7}});
  ASSERT_EQ(citations.size(), 1u);
  EXPECT_EQ(citations[0].page, (PageRef{"a.pdf", 1}));
  EXPECT_EQ(citations[0].quote, "12.5 Million in 2020");
  EXPECT_EQ(citations[0].score, 0.7);
  ASSERT_EQ(citations[0].boxes.size(), 2u);
  EXPECT_EQ(citations[0].boxes[0], (Box{72, 0, 144, 10}));
  EXPECT_EQ(citations[0].boxes[1], (Box{0, 12, 48, 22}));
}

TEST_F(CiteTest, NearlyTheSameLettersCountLess) {
  const auto citations = cited({0, 1}, {{PageId(0), "Revenue wos 12.5 million", 0.8},
                                        {PageId(0), "Revenue wos 12.6 million", 0.8},
                                        {PageId(1), "Revenue wos 12.5 million", 0.8}});
  ASSERT_EQ(citations.size(), 3u);
  EXPECT_EQ(citations[0].page, (PageRef{"a.pdf", 1}));
  EXPECT_NEAR(citations[0].score, 0.8 * (1 - 1.0 / 21), 1e-12);
  EXPECT_EQ(citations[0].boxes.size(), 1u);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_TRUE(citations[i].boxes.empty()) << i;
    EXPECT_EQ(citations[i].score, 0) << i;
  }
  EXPECT_TRUE(cited({1}, {{PageId(0), "Revenue wos 12.5 million", 0.8}}).empty());
}

TEST_F(CiteTest, NeverMarksWhatIsNotThere) {
  const auto citations = cited({0, 1, 2}, {{PageId(0), "Revenue was 99 million", 0.9},
                                           {PageId(2), "Revenue", 0.8},
                                           {PageId(1), "", 0.7},
                                           {PageId(1), "99 million", 0.1},
                                           {PageId(1), "9 million", 0.6}});
  ASSERT_EQ(citations.size(), 5u);
  EXPECT_EQ(citations[0].quote, "99 million");
  EXPECT_EQ(citations[0].boxes.size(), 1u);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_TRUE(citations[i].boxes.empty()) << i;
    EXPECT_EQ(citations[i].score, 0) << i;
  }
  EXPECT_EQ(citations[1].quote, "Revenue was 99 million");
  EXPECT_EQ(citations[3].page.page, 2);
}

TEST_F(CiteTest, NeverCitesAPageThatWasNotShown) {
  EXPECT_TRUE(
      cited({0},
            {{PageId(1), "Revenue was 99 million", 1}, {PageId(1), "", 1}, {PageId(77), "x", 1}})
          .empty());
  EXPECT_TRUE(cited({}, {{PageId(0), "Revenue", 1}}).empty());
  EXPECT_EQ(cited({0}, {{PageId(0), "Revenue", 1}, {PageId(0), "Revenue", 0.5}}).size(), 1u);
}

TEST(Declines, TheUsualWays) {
  for (const char* answer : {"Not answerable",
                             "not answerable.",
                             "  NOT ANSWERABLE!",
                             "Unanswerable",
                             "",
                             " ",
                             "-",
                             "\xE2\x80\xA6",
                             "(\xE2\x80\x94)",
                             "N/A",
                             "The question cannot be answered from the given pages.",
                             "It can't be answered",
                             "This cannot be determined based on the document.",
                             "I don't know",
                             "I don\xE2\x80\x99t know.",
                             "Sorry, but I am unable to answer.",
                             "Not enough information",
                             "Unknown",
                             "There is not enough information to answer this question.",
                             "Fail to answer",
                             "Insufficient information in the pages",
                             "**Not answerable**"}) {
    EXPECT_TRUE(declines(answer)) << answer;
  }
}

TEST(Declines, SentencesThatSayThatItWasNotFound) {
  for (const char* answer :
       {"I cannot find that in the documents.",
        "I can\xE2\x80\x99t find this information in the given passages.",
        "I'm sorry, but I could not find any mention of a parking policy.",
        "Unfortunately, I was unable to locate the answer. The pages deal with ferries.",
        "Based on the provided passages, I cannot determine the total.",
        "I do not have enough information to say.",
        "The documents do not contain this information.",
        "The provided text does not mention who audits the company.",
        "None of the given pages mention the price of a lamp.",
        "The information provided does not specify a date.",
        "According to the documents, there is no information about dividends.",
        "There is no mention of it on page 3.", "No information is available.",
        "The answer is not given in the passages.", "This is not stated in the text.",
        "Not mentioned in the document.", "It could not be found.",
        "The context contains no information on this."}) {
    EXPECT_TRUE(declines(answer)) << answer;
  }
}

TEST(Declines, SentencesThatAnswer) {
  for (const char* answer :
       {"The company cannot determine its share of the loss.",
        "The contract does not contain an arbitration clause.", "I, Claudius",
        "No information technology staff were hired.",
        "The documents do not state a total, but the parts add up to 12.5 million.",
        "I cannot find a total. However, note 4 gives 12.5 million.",
        "There is no charge for children.", "It is not permitted to smoke.", "Not in the harbour",
        "Pages 3 and 4 show the accounts.", "The text is set in Garamond.",
        "Information about the ferry is given at the pier.",
        "Customers do not have the right to cancel.",
        "We do not provide warranties of any kind."}) {
    EXPECT_FALSE(declines(answer)) << answer;
  }
}

TEST(Declines, NotAnAnswer) {
  for (const char* answer :
       {"0", "None", "No", "12.5", "Unknown Pleasures", "Not available in stores before 1990",
        "unanswerable questions", "The share of unanswerable questions is 20%",
        "Not answerable questions: 20%", "cannot answer phone calls", "No answer key is given",
        "the", "it is", "%", "\xE2\x80\xA0", "\xE2\x9C\x93", "\xC2\xB1"}) {
    EXPECT_FALSE(declines(answer)) << answer;
  }
}

TEST(FinalAnswer, OneValueForAllThatDecline) {
  const FinalAnswer given = final_answer(" 12.5 million\n", true);
  EXPECT_EQ(given.text, "12.5 million");
  EXPECT_TRUE(given.answerable);
  for (const FinalAnswer& none : {final_answer("12.5", false), final_answer("N/A", true)}) {
    EXPECT_EQ(none.text, kNotAnswerable);
    EXPECT_FALSE(none.answerable);
  }
}

}  // namespace
}  // namespace fineprint::agents
