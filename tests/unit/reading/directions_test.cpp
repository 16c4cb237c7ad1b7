// Scripts that run from right to left, or downwards: small PDFs, and the lines that are read.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/pdf/document.h"

#include "reading/layout.h"
#include "reading/layout_direction.h"
#include "support/temp_dir.h"
#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using testing::lines_of;
using testing::RawPageBuilder;
using Lines = std::vector<std::string>;

std::string stream(const std::string& content) {
  return "<</Length " + std::to_string(content.size()) + ">>stream\n" + content + "\nendstream";
}

// What the codes of a font stand for; the shapes are none of a reader's business.
std::string meanings(const std::string& codes, const std::string& ranges) {
  return stream(
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 "
      "def 1 begincodespacerange " +
      codes + " endcodespacerange 1 beginbfrange " + ranges + " endbfrange endcmap end end");
}

// A page of 300 by 300 points with one font, object 5.
std::string pdf(const std::string& content, const std::string& font, const std::string& more) {
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
         "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
         "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
         "/Resources<</Font<</F 5 0 R>>>>>>endobj\n4 0 obj" +
         stream("BT /F 12 Tf " + content + " ET") + " endobj\n5 0 obj" + font + " endobj\n" + more +
         "trailer<</Root 1 0 R>>\n";
}

// Small letters stand for Hebrew ones: a for alef and so on.
std::string hebrew(const std::string& content) {
  return pdf(content, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
             "6 0 obj" + meanings("<00> <FF>", "<61> <7A> <05D0>") + " endobj\n");
}

// Codes 1, 2, 3 are the first Han characters, written downwards.
std::string han(const std::string& content) {
  return pdf(content,
             "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-V/DescendantFonts[7 0 R]"
             "/ToUnicode 6 0 R>>",
             "6 0 obj" + meanings("<0000> <FFFF>", "<0001> <000F> <4E00>") + " endobj\n" +
                 "7 0 obj<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/CIDSystemInfo<</Registry"
                 "(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/DW2[880 -1000]"
                 "/FontDescriptor<</Type/FontDescriptor/FontName/Any/Flags 4/FontBBox[0 0 1000 "
                 "1000]/Ascent 880/Descent -120/CapHeight 700/ItalicAngle 0/StemV 80>>>>endobj\n");
}

Page read(const std::string& bytes) {
  const fineprint::testing::TempDir dir;
  pdf::Document document(dir.write("page.pdf", bytes), "");
  return lay_out(document.page(1));
}

std::string letters(const std::string& of) {
  std::string text;
  for (const char c : of) {
    if (c == ' ') {
      text += c;
    } else {
      text += "\xD7";
      text += static_cast<char>(0x90 + (c - 'a'));
    }
  }
  return text;
}

TEST(Directions, AreToldByTheScript) {
  EXPECT_TRUE(is_right_to_left("\xD7\x90"));           // alef
  EXPECT_TRUE(is_right_to_left("(\xD8\xA7)"));         // Arabic alef
  EXPECT_FALSE(is_right_to_left("\xD9\xA1\xD9\xA2"));  // its digits
  EXPECT_FALSE(
      is_right_to_left("Gr\xC3\xB6\xC3\x9F"
                       "e 12"));
  EXPECT_TRUE(is_ideographic("\xE4\xB8\x80"));
  EXPECT_TRUE(is_ideographic("\xE3\x81\x82"));
  EXPECT_FALSE(
      is_ideographic("\xE2\x80\x94"
                     "a"));
}

TEST(Directions, LinesFromRightToLeft) {
  // As drawn, from the left; people read it from the right.
  const Page page = read(hebrew("50 250 Td (ihg fed cba) Tj 0 -20 Td (onm lkj) Tj"));
  EXPECT_EQ(lines_of(page), (Lines{letters("abc def ghi"), letters("jkl mno")}));
  EXPECT_GT(page.words[0].box.x0, page.words[1].box.x1);  // boxes are where the words are
}

TEST(Directions, ForeignWordsWithinKeepTheirOrder) {
  const Page page =
      read(hebrew("50 250 Td (ihg) Tj 30 0 Td (GO ON 12) Tj 80 0 Td (fed cba) Tj "
                  "-110 -20 Td (srq ponm lkj) Tj"));
  EXPECT_EQ(lines_of(page),
            (Lines{letters("abc def") + " GO ON 12 " + letters("ghi"), letters("jkl mnop qrs")}));
}

TEST(Directions, HebrewWithinEnglish) {
  const Page page = read(hebrew("50 250 Td (THE WORDS fed cba ARE HEBREW) Tj"));
  EXPECT_EQ(lines_of(page), (Lines{"THE WORDS " + letters("abc def") + " ARE HEBREW"}));
}

TEST(Directions, ColumnsFromRightToLeft) {
  std::string content = "20 250 Td ";
  for (const char* line :
       {"(rqp onm lkj ihg)", "(rqp onm lkj ihh)", "(rqp onm lkj ihi)", "(rqp onm lkj ihj)"}) {
    content += std::string(line) + " Tj 0 -14 Td ";
  }
  content += "160 56 Td ";
  for (const char* line :
       {"(fed cba onm lka)", "(fed cba onm lkb)", "(fed cba onm lkc)", "(fed cba onm lkd)"}) {
    content += std::string(line) + " Tj 0 -14 Td ";
  }
  const Lines lines = lines_of(read(hebrew(content)));
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines.front(), letters("akl mno abc def"));
  EXPECT_EQ(lines[3], letters("dkl mno abc def"));
  EXPECT_EQ(lines[4], letters("ghi jkl mno pqr"));
  EXPECT_EQ(lines.back(), letters("jhi jkl mno pqr"));
}

TEST(Directions, TablesFromRightToLeft) {
  RawPageBuilder builder;
  for (int i = 0; i < 5; ++i) {
    const float y = 100 + 14 * static_cast<float>(i);
    builder.text(480, y, letters("abcd"));
    builder.text(300, y, "1" + std::to_string(i) + ".5");
    builder.text(100, y, "2" + std::to_string(i) + ".5");
  }
  const Page page = lay_out(builder.page());
  const Lines lines = lines_of(page);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1], letters("abcd") + " 11.5 21.5");
}

TEST(Directions, ColumnsOfCharactersDownwards) {
  // Three columns, the first at the right.
  const Page page =
      read(han("250 250 Td <000100020003000400050006> Tj "
               "-20 0 Td <000200030004000500060007> Tj "
               "-20 0 Td <000300030003> Tj"));
  EXPECT_EQ(lines_of(page), (Lines{"一丁丂七丄丅", "丁丂七丄丅丆", "丂丂丂"}));
  const Box& first = page.words.front().box;
  EXPECT_GT(first.height(), 4 * first.width());
  EXPECT_NEAR(first.x0, 244, 2);
}

TEST(Directions, AMirrorTwiceIsThePage) {
  RawPageBuilder builder;
  builder.text(50, 100, "some words").rule(50, 120, 200).image({10, 20, 30, 40});
  const pdf::RawPage twice = mirrored(mirrored(builder.page()));
  EXPECT_EQ(twice.words, builder.page().words);
  EXPECT_EQ(twice.rules, builder.page().rules);
  EXPECT_EQ(twice.images, builder.page().images);
}

}  // namespace
}  // namespace fineprint::reading
