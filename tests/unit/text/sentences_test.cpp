// Sentence borders.
#include "fineprint/text/sentences.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace fineprint::text {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  for (const Span& span : sentences(text)) {
    out.emplace_back(text.substr(span.begin, span.end - span.begin));
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(SentencesTest, EndsAtTerminators) {
  EXPECT_EQ(split("One. Two! Three? Four"), (Texts{"One.", "Two!", "Three?", "Four"}));
  EXPECT_EQ(split("He said \"no.\" Then left (slowly.) End"),
            (Texts{"He said \"no.\"", "Then left (slowly.)", "End"}));
  EXPECT_EQ(split("Wait... What?! Yes."), (Texts{"Wait...", "What?!", "Yes."}));
  EXPECT_EQ(split("第一。第二！"), (Texts{"第一。", "第二！"}));
  EXPECT_EQ(split("  "), Texts{});
  EXPECT_EQ(split(""), Texts{});
}

TEST(SentencesTest, NewlinesDoNotEndButBlankLinesDo) {
  EXPECT_EQ(split("Net sales\nrose. Costs\nfell"), (Texts{"Net sales\nrose.", "Costs\nfell"}));
  EXPECT_EQ(split("Heading\n\nText here"), (Texts{"Heading", "Text here"}));
  EXPECT_EQ(split("Heading\r\n \t\nText"), (Texts{"Heading", "Text"}));
}

TEST(SentencesTest, AbbreviationsDecimalsAndInitialsDoNotEnd) {
  const std::string whole[] = {"See e.g. Table 4 and i.e. This.",
                               "No. 5 Street and Fig. 3 show it",
                               "The U.S. Government paid 3.5 percent",
                               "J. K. Rowling met Dr. Smith of Acme Inc. Yesterday",
                               "Revenue rose approx. 5 million vs. Last year",
                               "It cost $1.5 million.and more",
                               "1. Introduction to the topic",
                               "On Dec. 31 we closed. then opened",
                               "A Ph.D. Student"};
  for (const std::string& text : whole) EXPECT_EQ(split(text), Texts{text});
  EXPECT_EQ(split("Is it? No. That is wrong."), (Texts{"Is it?", "No.", "That is wrong."}));
  EXPECT_EQ(split("We sold 12. They sold 13."), (Texts{"We sold 12.", "They sold 13."}));
}

TEST(SentencesTest, SpansAreOrderedTrimmedAndInside) {
  std::mt19937 random(5);
  const std::string alphabet = "aB1 .?!\n\"(\xc3\xa9\xff\xe3\x80\x82";
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
    std::uint32_t last = 0;
    for (const Span& span : sentences(text)) {
      EXPECT_LE(last, span.begin);
      EXPECT_LT(span.begin, span.end);
      EXPECT_LE(span.end, text.size());
      EXPECT_NE(text[span.begin], ' ');
      EXPECT_NE(text[span.end - 1], ' ');
      last = span.end;
    }
  }
}

}  // namespace
}  // namespace fineprint::text
