// Forms of words in languages that attach words to others.
#include "text/word_forms.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/terms.h"

namespace fineprint::text {
namespace {

using Forms = std::vector<std::string>;

// Whether a question of one word finds a page with a text.
bool finds(std::string_view question, std::string_view text, const std::string& language,
           std::vector<std::string> stored) {
  const std::vector<std::string> held = terms(text, language);
  const auto is_held = [&](const std::string& term) {
    return std::ranges::find(held, term) != held.end();
  };
  const std::string asked_in = question_language(question, stored);
  for (const QuestionTerm& asked : question_terms(question, asked_in, stored)) {
    if (is_held(asked.term) || std::ranges::any_of(asked.spellings, is_held)) return true;
  }
  return false;
}

TEST(WordFormsTest, KoreanNounsWithoutTheirParticles) {
  EXPECT_EQ(other_forms("등대는"), (Forms{"등대"}));
  EXPECT_EQ(other_forms("하얀항에서는"), (Forms{"하얀항에서", "하얀항"}));
  EXPECT_EQ(other_forms("고양이는"), (Forms{"고양이", "고양"}));
  EXPECT_EQ(other_forms("1931년에"), (Forms{"1931년", "1931"}));
  EXPECT_EQ(other_forms("등대"), Forms{});
  for (const char* text : {"선장의", "선장은", "선장이", "선장을", "선장에게", "선장과", "선장으로",
                           "선장까지", "선장부터", "선장께서", "선장한테", "선장입니다", "선장이다",
                           "선장들은", "선장만", "선장도", "선장이었다"}) {
    EXPECT_TRUE(finds("선장", text, "ko", {"ko"})) << text;
    EXPECT_TRUE(finds(text, "선장", "ko", {"ko"})) << text;
  }
}

TEST(WordFormsTest, AccentsAndDotsMayBeLeftOut) {
  EXPECT_EQ(other_forms("zürich"), (Forms{"zurich"}));
  EXPECT_EQ(other_forms(fold("İZMİR")), (Forms{"izmir"}));
  EXPECT_EQ(other_forms("ısparta"), (Forms{"isparta"}));
  EXPECT_EQ(other_forms("łódź"), (Forms{"lodz"}));
  EXPECT_EQ(other_forms("αθήνα"), (Forms{"αθηνα"}));
  EXPECT_EQ(other_forms("ёлка"), (Forms{"елка"}));
  EXPECT_EQ(other_forms("край"), Forms{});
  EXPECT_EQ(other_forms("が"), Forms{});
  EXPECT_EQ(other_forms("plain"), Forms{});
  EXPECT_TRUE(finds("Izmir", "İZMİR limanı", "tr", {"tr"}));
  EXPECT_TRUE(finds("Isparta", "ISPARTA", "tr", {"tr"}));
  EXPECT_TRUE(finds("ısparta", "ISPARTA", "tr", {"tr"}));
  EXPECT_TRUE(finds("Zďár", "Zdar", "", {}));
  EXPECT_TRUE(finds("Zdar", "Zďár", "cs", {"cs"}));
}

TEST(WordFormsTest, HebrewAndArabicWordsWithoutPrefixes) {
  EXPECT_EQ(other_forms("המגדלור").front(), "מגדלור");
  EXPECT_TRUE(finds("מגדלור", "שבמגדלור", "he", {"he"}));
  EXPECT_TRUE(finds("המגדלור", "מגדלור", "he", {"he"}));
  EXPECT_EQ(other_forms("הוא"), Forms{});
  for (const char* text : {"المنارة", "والمنارة", "بالمنارة", "للمنارة", "منارة"}) {
    EXPECT_TRUE(finds("منارة", text, "ar", {"ar"})) << text;
    EXPECT_TRUE(finds(text, "المنارة", "ar", {"ar"})) << text;
  }
  EXPECT_TRUE(finds("حارس", "لحارس", "ar", {"ar"}));
  EXPECT_TRUE(finds("الاسكندرية", "الإسكندرية", "ar", {"ar"}));
}

// Pages too short to tell their language are stemmed as English, and questions look there, too.
TEST(WordFormsTest, WordsAreFoundAsTheyAreSpelt) {
  for (const char* word : {"Leuchtturmwärter", "Hafengebühren", "Kosten", "Fährpreise", "Netze",
                           "Lager", "fyrvaktarens", "øvrigt", "kikötőben", "portugueses"}) {
    for (const std::vector<std::string>& stored :
         {std::vector<std::string>{}, {"de"}, {"fr", "hu"}, {"en", "sv"}}) {
      EXPECT_TRUE(finds(word, word, "", stored)) << word;
      if (!stored.empty()) {
        EXPECT_TRUE(finds(word, word, stored.front(), stored)) << word;
      }
    }
  }
  const auto asked = question_terms("Welche Netze hat der Wärter?", "de", {});
  EXPECT_EQ(asked.size(), 2U);
}

}  // namespace
}  // namespace fineprint::text
