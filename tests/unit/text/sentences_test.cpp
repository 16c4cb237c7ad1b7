// Sentence borders.
#include "fineprint/text/sentences.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace fineprint::text {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view language = {}) {
  std::vector<std::string> out;
  for (const Span& span : sentences(text, language)) {
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
  EXPECT_EQ(split("It rose to 3.8 m. The shoots grew."),
            (Texts{"It rose to 3.8 m.", "The shoots grew."}));
}

TEST(SentencesTest, OtherLanguagesHaveTheirOrdinalsAndAbbreviations) {
  const std::string german[] = {"Das Werk ging am 12. März 2024 in Betrieb.",
                                "Im 3. Quartal stiegen sie, z. B. In der Gerberstraße.",
                                "Der Umsatz lag bei 18,4 Mio. Euro nach 16,9 Mrd. Yen.",
                                "Den Vorsitz führt Frau Dr. Henrike Sandvoß."};
  for (const std::string& text : german) EXPECT_EQ(split(text, "de"), Texts{text});
  EXPECT_EQ(split("Es sank. Danach stieg es\nwieder. Im Jahr 2023. Gut!", "de"),
            (Texts{"Es sank.", "Danach stieg es\nwieder.", "Im Jahr 2023.", "Gut!"}));
  EXPECT_EQ(split("M. Rocheval dirige p. ex. Valmorne. Il part.", "fr"),
            (Texts{"M. Rocheval dirige p. ex. Valmorne.", "Il part."}));
  EXPECT_EQ(split("Véase la pág. 5 del Sr. Ruiz. Fin.", "es"),
            (Texts{"Véase la pág. 5 del Sr. Ruiz.", "Fin."}));
}

TEST(SentencesTest, ScriptsWithoutBlanksEndAtTheirStops) {
  EXPECT_EQ(
      split("收入为3.86亿元，比上年增长12.7%。成本为2.94亿元！“好。”真的吗？是", "zh"),
      (Texts{"收入为3.86亿元，比上年增长12.7%。", "成本为2.94亿元！", "“好。”", "真的吗？", "是"}));
  EXPECT_EQ(split("هل وصل؟ نعم. وصل أمس.", "ar"), (Texts{"هل وصل؟", "نعم.", "وصل أمس."}));
  EXPECT_EQ(split("यह पहला है। यह दूसरा है।", "hi"), (Texts{"यह पहला है।", "यह दूसरा है।"}));
}

TEST(SentencesTest, BlankLinesEndInAllLanguages) {
  EXPECT_EQ(split("Überschrift\n\nDer Text\r\ngeht weiter", "de"),
            (Texts{"Überschrift", "Der Text\r\ngeht weiter"}));
  EXPECT_EQ(split("", "de"), Texts{});
  EXPECT_EQ(split(" \n ", "zh"), Texts{});
}

class SentencesOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Languages, SentencesOf, ::testing::Values("", "de", "zh", "xx"));

TEST_P(SentencesOf, SpansAreOrderedTrimmedAndInside) {
  std::mt19937 random(5);
  const std::string alphabet = "aB1 .?!\n\"(\xc3\xa9\xff\xe3\x80\x82";
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
    std::uint32_t last = 0;
    for (const Span& span : sentences(text, GetParam())) {
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
