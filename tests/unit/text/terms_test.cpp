// Search terms of texts and questions.
#include "fineprint/text/terms.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "text/stop_words.h"

namespace fineprint::text {
namespace {

using Terms = std::vector<std::string>;

// The terms of an English question to English pages.
Terms english_terms(std::string_view question) {
  Terms found;
  for (const QuestionTerm& asked : question_terms(question, "en", {})) found.push_back(asked.term);
  return found;
}

TEST(TermsTest, FoldsSplitsStemsAndDropsStopWords) {
  EXPECT_EQ(terms("The Companies' net SALES were growing"),
            (Terms{"compani", "net", "sale", "grow"}));
  EXPECT_EQ(terms("year-over-year"), (Terms{"year", "year"}));
  EXPECT_EQ(terms("company's don't we’ve O'Neil"), (Terms{"compani", "don", "o", "neil"}));
  EXPECT_EQ(terms(""), Terms{});
  EXPECT_EQ(terms("the of and"), Terms{});
}

TEST(TermsTest, NumbersStayWhole) {
  EXPECT_EQ(terms("$1,577.50 (1,234,567) 12.5%"), (Terms{"1577.50", "1234567", "12.5"}));
  EXPECT_EQ(terms("1,2,3 in 2022."), (Terms{"1", "2", "3", "2022"}));
  EXPECT_EQ(terms("1,23 12,345,6"), (Terms{"1", "23", "12345", "6"}));
}

TEST(TermsTest, MarksOfNotesAreLeftOutAndExponentsKeptApart) {
  EXPECT_EQ(terms("438 ¹ boats ²,³ of Hall¹"), (Terms{"438", "boat", "hall1"}));
  EXPECT_EQ(terms("438¹"), (Terms{"438", "1"}));
  EXPECT_EQ(terms("10⁶"), terms("10^6"));
  EXPECT_EQ(terms("52 m²\n¹ Restated"), (Terms{"52", "m2", "restat"}));
}

TEST(TermsTest, YearsComeOutOfFiscalNames) {
  EXPECT_EQ(terms("FY2022"), (Terms{"fy2022", "2022"}));
  EXPECT_EQ(terms("FY22 Q3"), (Terms{"fy22", "2022", "q3"}));
  EXPECT_EQ(terms("3M A4 covid19"), (Terms{"3m", "a4", "covid19"}));
}

TEST(TermsTest, ScriptsWithoutBlanksAreSplitByDictionary) {
  EXPECT_EQ(terms("中文abc"), (Terms{"中文", "abc"}));
  EXPECT_EQ(terms("公司的员工"), (Terms{"公司", "的", "员工"}));
  EXPECT_EQ(terms("公司的员工", "zh"), (Terms{"公司", "员工"}));
  EXPECT_EQ(terms("พนักงานบริษัท", "th"), (Terms{"พนักงาน", "บริษัท"}));
  // A line may end within a word.
  EXPECT_EQ(terms("营业收\n入", "zh"), terms("营业收入", "zh"));
  EXPECT_EQ(terms("Acme 员工", "zh"), (Terms{"acm", "员工"}));
}

TEST(TermsTest, LongWordsOfIdeographsAreFoundByTheirPairs) {
  EXPECT_EQ(terms("大学生", "zh"), (Terms{"大学生", "大学", "学生"}));
}

TEST(TermsTest, LettersOfOtherScriptsStay) {
  EXPECT_EQ(terms("École ПРИВЕТ"), (Terms{"école", "ecol", "привет"}));
}

TEST(TermsTest, QuestionsLoseTheWordsThatOnlyAsk) {
  EXPECT_EQ(english_terms("According to the report, which segment grew most?"),
            (Terms{"segment", "grew"}));
  EXPECT_EQ(english_terms("How many stores are mentioned in the document?"), (Terms{"store"}));
  EXPECT_EQ(english_terms("Based on the slides, what is the total?"), (Terms{"total"}));
  EXPECT_EQ(english_terms("Please describe the answer"), (Terms{"pleas", "describ", "answer"}));
  EXPECT_EQ(english_terms(""), Terms{});
}

TEST(TermsTest, StemsAndStopWords) {
  EXPECT_EQ(stem("running"), "run");
  EXPECT_EQ(stem("revenues"), "revenu");
  EXPECT_EQ(stem(""), "");
  EXPECT_EQ(stem("\xff\xfe"), "\xff\xfe");
  EXPECT_TRUE(is_stop_word("the"));
  EXPECT_FALSE(is_stop_word("revenue"));
  EXPECT_TRUE(is_question_word("according"));
}

TEST(TermsTest, PhrasesThatNameTheSourceGoAsWholeWords) {
  EXPECT_EQ(english_terms("According to the report, who signs?"), (Terms{"sign"}));
  EXPECT_EQ(english_terms("Based on the slides, who signs?"), (Terms{"sign"}));
  EXPECT_EQ(english_terms("revenue in the reporting period"),
            (Terms{"revenu", "report", "period"}));
  EXPECT_EQ(english_terms("based on the reported earnings"), (Terms{"report", "earn"}));
  EXPECT_EQ(english_terms("according to the textile industry"), (Terms{"textil", "industri"}));
  EXPECT_EQ(english_terms("in the reports, and in the report"), (Terms{"report"}));
}

TEST(TermsTest, EachLanguageHasItsStemmerAndStopWords) {
  EXPECT_EQ(terms("die Mitarbeiterinnen und Mitarbeiter", "de"),
            (Terms{"mitarbeiterinn", "mitarbeit"}));
  EXPECT_EQ(terms("Les nouvelles fromageries de l'entreprise", "fr"),
            (Terms{"nouvel", "fromager", "entrepris"}));
  EXPECT_EQ(terms("los empleados", "es"), terms("el empleado", "es"));
  EXPECT_EQ(terms("الموظفين", "ar"), terms("موظفين", "ar"));
  // Polish has no stemmer: words stay. Latin words among Chinese ones are English.
  EXPECT_EQ(terms("przychody spółki", "pl"), (Terms{"przychody", "spółki", "spolki"}));
  EXPECT_EQ(terms("revenues 收入", "zh"), (Terms{"revenu", "收入"}));
}

TEST(TermsTest, NumbersAreSpeltAlikeInAllLanguages) {
  const Terms wanted = {"1234567.5"};
  EXPECT_EQ(terms("1,234,567.5"), wanted);
  EXPECT_EQ(terms("1.234.567,5", "de"), wanted);
  EXPECT_EQ(terms("1 234 567,5", "fr"), wanted);
  EXPECT_EQ(terms("1’234’567,5", "de"), wanted);
  EXPECT_EQ(terms("١٬٢٣٤٬٥٦٧٫٥", "ar"), wanted);
  EXPECT_EQ(terms("1,234,567.5", "zh"), wanted);
  // A year before a number, cells beside each other and dates are not its groups.
  EXPECT_EQ(terms("2023 412", "fr"), (Terms{"2023", "412"}));
  EXPECT_EQ(terms("12 345 67", "fr"), (Terms{"12345", "67"}));
  EXPECT_EQ(terms("12.03.2024", "de"), (Terms{"12.03.2024"}));
  EXPECT_EQ(terms("18,4 3,1,2", "de"), (Terms{"18.4", "3.1", "2"}));
}

TEST(TermsTest, QuestionsAreSpeltForEachStoredLanguage) {
  const std::vector<std::string> stored = {"de", "en"};
  const auto asked = question_terms("Wie viele Mitarbeiterinnen hatte Siemens 2023?", "de", stored);
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[0].term, "mitarbeiterinn");
  EXPECT_EQ(asked[0].spellings, (Terms{"mitarbeiterinnen"}));
  EXPECT_EQ(asked[1].term, stem("siemens", "de"));
  EXPECT_EQ(asked[2].term, "2023");
  EXPECT_TRUE(asked[2].spellings.empty());
  for (const QuestionTerm& term : question_terms("net sales of stores", "en", {})) {
    EXPECT_TRUE(term.spellings.empty()) << term.term;
  }
}

TEST(TermsTest, NumbersOfThingsAreAlsoSoughtAbbreviated) {
  const auto asked = question_terms("Rechnungsnummer und Nummer", "de", {});
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(std::ranges::count(asked[0].spellings, "rechnungsnr"), 1);
  EXPECT_EQ(std::ranges::count(asked[1].spellings, "nr"), 0);
}

TEST(TermsTest, WordsThatOnlyAskGoInEachLanguage) {
  const auto asked = [](std::string_view question, std::string_view language) {
    Terms out;
    for (const QuestionTerm& term : question_terms(question, language, {}))
      out.push_back(term.term);
    return out;
  };
  EXPECT_EQ(asked("公司有多少名员工？", "zh"), (Terms{"公司", "名", "员工"}));
  EXPECT_EQ(asked("Combien de salariés ?", "fr"), (Terms{"salari"}));
  EXPECT_EQ(asked("كم عدد الزوار؟", "ar"), terms("عدد الزوار", "ar"));
  EXPECT_EQ(asked("Wie hoch?", "de"), (Terms{"wie", "hoch"}));  // nothing else is left
  EXPECT_EQ(asked("Wat is het nummer van de boot?", "nl"), terms("nummer boot", "nl"));
  EXPECT_EQ(asked("Wie lautet die Steuer?", "de"), terms("Steuer", "de"));
}

TEST(TermsTest, InvalidUtf8IsASeparator) {
  EXPECT_EQ(terms("net\xffsales \xc3"), (Terms{"net", "sale"}));
}

}  // namespace
}  // namespace fineprint::text
