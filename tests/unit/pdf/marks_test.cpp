// Raised marks of notes on pages, and what resembles them.
#include "pdf/marks.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/unicode.h"
#include "fineprint/pdf/document.h"

#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

// Returns the parts of a word, joined by blanks; characters between ^ and ^ are raised.
std::string parts(std::string_view written) {
  std::vector<DrawnCharacter> word;
  bool raised = false;
  for (std::size_t at = 0; at < written.size();) {
    const char32_t c = next_code_point(written, &at);
    if (c == '^') {
      raised = !raised;
    } else {
      word.push_back({c, raised});
    }
  }
  std::string out;
  for (const WordPart& part : parts_of_word(word)) {
    if (!out.empty()) out += ' ';
    for (const char32_t c : part.text) append_utf8(c, &out);
  }
  return out;
}

TEST(MarksTest, MarksAreCutOff) {
  EXPECT_EQ(parts("438^1^"), "438 ¹");
  EXPECT_EQ(parts("1,438^12^"), "1,438 ¹²");
  EXPECT_EQ(parts("438^a^"), "438 ᵃ");
  EXPECT_EQ(parts("438^1,2^"), "438 ¹,²");
  EXPECT_EQ(parts("438^(1)^"), "438 (¹)");
  EXPECT_EQ(parts("438^*^"), "438 *");
  EXPECT_EQ(parts("438*"), "438 *");
  EXPECT_EQ(parts("438†"), "438 †");
  EXPECT_EQ(parts("12.5%^3^"), "12.5% ³");
  EXPECT_EQ(parts("Hall^1^"), "Hall ¹");
  EXPECT_EQ(parts("Hall.^1^"), "Hall. ¹");
  EXPECT_EQ(parts("^1^438"), "¹ 438");
  EXPECT_EQ(parts("^1^Restated"), "¹ Restated");
  EXPECT_EQ(parts("438¹"), "438 ¹");
  EXPECT_EQ(parts("10^1^"), "10 ¹");
  EXPECT_EQ(parts("410^6^"), "410 ⁶");
  EXPECT_EQ(parts("km^1^"), "km ¹");
}

TEST(MarksTest, ClosingSignsStayWithTheWord) {
  EXPECT_EQ(parts("(438^1^)"), "(438) ¹");
  EXPECT_EQ(parts("438^1^,"), "438, ¹");
  EXPECT_EQ(parts("438^1^km"), "438 ¹ km");
}

TEST(MarksTest, WhatBelongsToTheWordStays) {
  EXPECT_EQ(parts("m^2^"), "m²");
  EXPECT_EQ(parts("km²"), "km²");
  EXPECT_EQ(parts("kg/m^3^"), "kg/m³");
  EXPECT_EQ(parts("10^6^"), "10⁶");
  EXPECT_EQ(parts("3×10^2^"), "3×10²");
  EXPECT_EQ(parts("10^-3^"), "10⁻³");
  EXPECT_EQ(parts("x^2^"), "x²");
  EXPECT_EQ(parts("R²"), "R²");
  EXPECT_EQ(parts("(a+b)^2^"), "(a+b)²");
  EXPECT_EQ(parts("Ca^2+^"), "Ca²⁺");
  EXPECT_EQ(parts("^14^C"), "¹⁴C");
  EXPECT_EQ(parts("1^st^"), "1st");
  EXPECT_EQ(parts("22ⁿᵈ"), "22nd");
  EXPECT_EQ(parts("19^e^"), "19e");
  EXPECT_EQ(parts("20^o^C"), "20°C");
  EXPECT_EQ(parts("M^me^"), "Mme");
  EXPECT_EQ(parts("3^1^/2"), "3 1/2");
  EXPECT_EQ(parts("char*"), "char*");
  EXPECT_EQ(parts("**"), "**");
  EXPECT_EQ(parts("3*4"), "3*4");
}

// The words of a page with this content stream; /F1 is Helvetica.
std::vector<std::string> words_of(const std::string& content) {
  const testing::TempDir folder;
  const std::string path = folder.write(
      "page.pdf",
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
      "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R"
      "/Resources<</Font<</F1 5 0 R>>>>>>endobj\n4 0 obj<</Length " +
          std::to_string(content.size()) + ">>stream\n" + content +
          "\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
          "trailer<</Root 1 0 R>>\n");
  std::vector<std::string> words;
  for (const Word& word : Document(path, "").page(1).words) words.push_back(word.text);
  return words;
}

using Words = std::vector<std::string>;

TEST(MarksTest, SizeAndBaselineDecideOnAPage) {
  EXPECT_EQ(words_of("BT /F1 11 Tf 20 50 Td (in 438) Tj /F1 7 Tf 4 Ts (1) Tj 0 Ts /F1 11 Tf "
                     "( boats) Tj ET"),
            (Words{"in", "438", "¹", "boats"}));
  // At the same size, raised alone.
  EXPECT_EQ(words_of("BT /F1 11 Tf 20 50 Td (438) Tj 5 Ts (1) Tj ET"), (Words{"438", "¹"}));
  // Smaller on the baseline, or lowered, is no mark.
  EXPECT_EQ(words_of("BT /F1 11 Tf 20 50 Td (438) Tj /F1 7 Tf (1) Tj ET"), (Words{"4381"}));
  EXPECT_EQ(words_of("BT /F1 11 Tf 20 50 Td (CO) Tj /F1 7 Tf -2 Ts (2) Tj ET"), (Words{"CO2"}));
  EXPECT_EQ(words_of("BT /F1 7 Tf 20 50 Td 4 Ts (1) Tj 0 Ts /F1 11 Tf (438) Tj ET"),
            (Words{"¹", "438"}));
  EXPECT_EQ(words_of("BT /F1 11 Tf 20 50 Td (area in m) Tj /F1 7 Tf 4 Ts (2) Tj ET"),
            (Words{"area", "in", "m²"}));
}

TEST(MarksTest, SmallTextNextToALargeFigureIsText) {
  EXPECT_EQ(words_of("BT /F1 30 Tf 20 50 Td (438) Tj /F1 9 Tf 12 Ts ( boats a year) Tj ET"),
            (Words{"438", "boats", "a", "year"}));
}

TEST(MarksTest, AMarkThatIsDrawnLaterIsFoundAtItsWord) {
  EXPECT_EQ(
      words_of("BT /F1 11 Tf 20 50 Td (438) Tj 60 0 Td (512) Tj /F1 7 Tf -41.5 4 Td (1) Tj ET"),
      (Words{"438", "512", "¹"}));
}

TEST(MarksTest, TheMarkHasItsOwnBox) {
  const testing::TempDir folder;
  const auto parts_drawn = parts_of_word({{'4', false}, {'3', false}, {'1', true}});
  ASSERT_EQ(parts_drawn.size(), 2U);
  EXPECT_EQ(parts_drawn[0].characters, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(parts_drawn[1].characters, (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace fineprint::pdf
