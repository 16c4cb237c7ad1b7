// Languages of pages and questions.
#include "fineprint/text/language.h"

#include <gtest/gtest.h>

#include "page_maker.h"

namespace fineprint::text {
namespace {

using Languages = std::vector<std::string>;

constexpr const char* kGerman =
    "Die Stadtwerke haben im vergangenen Jahr neue Leitungen gebaut und alte Werke erneuert.";
constexpr const char* kFrench =
    "La coopérative a ouvert une nouvelle fromagerie et livre son lait dans toute la région.";

TEST(LanguageTest, TextsTellTheirs) {
  EXPECT_EQ(detect_language(kGerman), "de");
  EXPECT_EQ(detect_language(kFrench), "fr");
  EXPECT_EQ(detect_language("The board approved the accounts and thanked the staff for their work "
                            "during a year of many storms."),
            "en");
  EXPECT_EQ(
      detect_language("过去一年，台风多次影响海上交通，但全体员工坚守岗位，保证了居民的出行。"),
      "zh");
  EXPECT_EQ(
      detect_language("مرت على المتحف سنة مليئة بالعمل، فتحنا أبواب المتحف للمدارس والعائلات."),
      "ar");
  EXPECT_EQ(detect_language("קיבלנו השנה מבקרים רבים מכל רחבי הארץ ומן העולם כולו במוזיאון"), "he");
}

TEST(LanguageTest, LettersInTheirFormsWithinWordsAreLetters) {
  EXPECT_EQ(
      detect_language("ﺑﻠﻎ ﻋﺪد اﻟﻤﻮﻇﻔﻴﻦ ﻓﻲ اﻟﺸﺮﻛﺔ ﻓﻲ ﻧﻬﺎﻳﺔ ﻋﺎم وارﺗﻔﻌﺖ اﻹﻳﺮادات إﻟﻰ ﻣﻠﻴﻮن دﻳﻨﺎر"),
      "ar");
}

TEST(LanguageTest, NothingIsToldOfFiguresAndScraps) {
  EXPECT_EQ(detect_language(""), "");
  EXPECT_EQ(detect_language("1,234 5.6% (789) 2022 2023"), "");
  EXPECT_EQ(detect_language("Total"), "");
  EXPECT_EQ(detect_language("\xff\xfe\xff"), "");
}

TEST(LanguageTest, PagesThatDoNotTellTakeTheirDocuments) {
  std::vector<Page> pages(3);
  testing::add_element(&pages[0], ElementKind::paragraph, {kGerman, kGerman});
  testing::add_element(&pages[1], ElementKind::paragraph, {"2022 2023 12,5 13,8"});
  testing::add_element(&pages[2], ElementKind::paragraph, {kFrench});
  tell_languages(&pages);
  EXPECT_EQ(pages[0].language, "de");
  EXPECT_EQ(pages[1].language, "de");
  EXPECT_EQ(pages[2].language, "fr");
  std::vector<Page> untold(1);
  testing::add_element(&untold[0], ElementKind::paragraph, {"2022"});
  tell_languages(&untold);
  EXPECT_EQ(untold[0].language, "");
}

TEST(LanguageTest, ShortPagesTellTheirsByScriptAndDifferentFunctionWords) {
  const auto language_of = [](const char* text) {
    std::vector<Page> pages(1);
    testing::add_element(&pages[0], ElementKind::paragraph, {text});
    tell_languages(&pages);
    return pages[0].language;
  };
  EXPECT_EQ(language_of("Wärter und die Netze"), "de");
  EXPECT_EQ(language_of("Młyn jest przy drodze i nie stoi"), "pl");
  EXPECT_EQ(language_of("Fyret er hvidt og det er højt"), "da");
  EXPECT_EQ(language_of("등대는 높다"), "ko");
  EXPECT_EQ(language_of("מגדלור גבוה"), "he");
  EXPECT_EQ(language_of("Φάρος"), "el");
  // Units are no words of French.
  EXPECT_EQ(language_of("Harbour 1 1.5 m Harbour 2 2.5 m Harbour 3 3.5 m"), "");
  EXPECT_TRUE(
      is_english(language_of("Hotel de la Paix, Rialto, Excelsior, Savoy, Metropole, Bristol, "
                             "Ritz, Adlon, Carlton, Sacher, Plaza, Astoria, Regina, Park")));
  EXPECT_EQ(language_of("The tide is high"), "");
}

TEST(LanguageTest, QuestionsTellTheirsByFunctionWordsAndScript) {
  const Languages none;
  EXPECT_EQ(question_language("What was the revenue of the company in 2022?", none), "en");
  EXPECT_EQ(question_language("Wie viele Mitarbeiter hat das Unternehmen?", none), "de");
  EXPECT_EQ(question_language("Quel est le chiffre d'affaires de la société ?", none), "fr");
  EXPECT_EQ(question_language("¿Cuántos empleados tiene la empresa?", none), "es");
  EXPECT_EQ(question_language("2023年Acme公司的营业收入是多少？", none), "zh");
  EXPECT_EQ(question_language("会社の売上高はいくらですか", none), "ja");
  EXPECT_EQ(question_language("كم عدد الموظفين؟", none), "ar");
  EXPECT_EQ(question_language("", none), "en");
}

TEST(LanguageTest, EnglishIsNotLeftForASingleWord) {
  // "die", "war" and "an" are German words too.
  EXPECT_EQ(question_language("die casting revenue", Languages{"en"}), "en");
  EXPECT_EQ(question_language("Cost of the war in an Alpine region?", Languages{"de", "en"}), "en");
  // What is stored may be named by one word, or by none when there is nothing else.
  EXPECT_EQ(question_language("Umsatz der Fernwärme", Languages{"de", "en"}), "de");
  EXPECT_EQ(question_language("Umsatzerlöse Fernwärme 2023", Languages{"de"}), "de");
  EXPECT_EQ(question_language("Umsatzerlöse Fernwärme 2023", Languages{"de", "en"}), "en");
}

TEST(LanguageTest, ScriptsOfSeveralLanguagesMeanTheStoredOne) {
  EXPECT_EQ(question_language("Скільки працівників?", Languages{"uk"}), "uk");
  EXPECT_EQ(question_language("Сколько сотрудников?", Languages{"ru", "uk"}), "ru");
  EXPECT_EQ(question_language("Сколько сотрудников?", {}), "ru");
}

}  // namespace
}  // namespace fineprint::text
