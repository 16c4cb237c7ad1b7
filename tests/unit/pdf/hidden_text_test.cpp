// Words that leave no ink, and their visible twins.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/pdf/document.h"

#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

// A PDF of one page of 200 x 100 points; /F1 is Helvetica, /Grey a picture of 2 x 2 grey pixels,
// /Clear, /Half and /Multiply graphics states.
std::string pdf_of(const std::string& content, const std::string& page_keys = "") {
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
         "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
         "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R" +
         page_keys +
         "/Resources<</Font<</F1 5 0 R>>/XObject<</Grey 6 0 R/Bars 7 0 R/White 8 0 R>>/ExtGState<<"
         "/Clear<</ca 0/CA 0>>/Half<</ca 0.4>>/Multiply<</BM/Multiply>>>>>>>>endobj\n"
         "4 0 obj<</Length " +
         std::to_string(content.size()) + ">>stream\n" + content +
         "\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
         "6 0 obj<</Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace"
         "/DeviceGray/Filter/ASCIIHexDecode/Length 9>>stream\n30405060>\nendstream endobj\n"
         // eight columns, black and white in turn, as the strokes of letters
         "7 0 obj<</Type/XObject/Subtype/Image/Width 8/Height 1/BitsPerComponent 8/ColorSpace"
         "/DeviceGray/Filter/ASCIIHexDecode/Length 17>>stream\n00FF00FF00FF00FF>\nendstream "
         "endobj\n"
         "8 0 obj<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace"
         "/DeviceGray/Filter/ASCIIHexDecode/Length 3>>stream\nFF>\nendstream endobj\n"
         "trailer<</Root 1 0 R>>\n";
}

std::string text(const std::string& words, int x, int y, const std::string& before = "") {
  return "BT " + before + " /F1 12 Tf " + std::to_string(x) + " " + std::to_string(y) + " Td (" +
         words + ") Tj ET ";
}

// Every page has this visible word, so that there is always something that must stay.
const std::string kVisible = text("Seen", 10, 80);

class HiddenText : public ::testing::Test {
 protected:
  RawPage read(const std::string& content, const std::string& page_keys = "") {
    const std::string path = folder_.write("page.pdf", pdf_of(kVisible + content, page_keys));
    Document document(path, "");
    RawPage page = document.page(1);
    doubted_ = page.doubts.size();
    document.hide_words(&page);
    EXPECT_TRUE(page.doubts.empty());
    EXPECT_EQ(page.words.size(), page.line_of_word.size());
    EXPECT_EQ(page.words.size(), page.block_of_word.size());
    return page;
  }

  static std::string words_of(const RawPage& page) {
    std::string all;
    for (const Word& word : page.words) all += (all.empty() ? "" : " ") + word.text;
    return all;
  }

  void expect_hidden(const std::string& content, const std::string& page_keys = "") {
    const RawPage page = read(content, page_keys);
    EXPECT_EQ(words_of(page), "Seen") << content;
    EXPECT_EQ(page.hidden, "Secret toll") << content;
    EXPECT_EQ(page.characters, 4U);
  }

  void expect_seen(const std::string& content, const std::string& page_keys = "") {
    const RawPage page = read(content, page_keys);
    EXPECT_EQ(words_of(page), "Seen Secret toll") << content;
    EXPECT_EQ(page.hidden, "") << content;
  }

  testing::TempDir folder_;
  std::size_t doubted_ = 0;
};

TEST_F(HiddenText, OrdinaryTextIsNotEvenDoubted) {
  expect_seen(text("Secret toll", 10, 40));
  EXPECT_EQ(doubted_, 0U);
  expect_seen("0.8 1 0.8 rg 0 30 200 30 re f 0 g " + text("Secret toll", 10, 40));
  EXPECT_EQ(doubted_, 0U);
  expect_seen(text("Secret toll", 10, 40) + "0 g 10 37 60 1 re f");  // underlined
  EXPECT_EQ(doubted_, 0U);
  expect_seen("0 g 0 30 200 30 re f " + text("Secret toll", 10, 40, "1 g"));  // white on a dark box
  EXPECT_EQ(doubted_, 0U);
}

TEST_F(HiddenText, InTheColourOfThePaper) {
  expect_hidden(text("Secret toll", 10, 40, "1 1 1 rg"));
  expect_hidden(text("Secret toll", 10, 40, "0.99 0.99 0.985 rg"));
  expect_hidden(text("Secret toll", 10, 40, "0 0 0 0 k"));
  expect_seen(text("Secret toll", 10, 40, "0.8 g"));
  expect_seen(text("Secret toll", 10, 40, "1 1 0.6 rg"));
}

TEST_F(HiddenText, InTheColourOfABoxUnderIt) {
  expect_hidden("0.2 0.3 0.5 rg 0 30 200 30 re f " + text("Secret toll", 10, 40, "0.2 0.3 0.5 rg"));
  // a box with round corners is no rectangle
  expect_hidden("0.2 0.3 0.5 rg 5 30 m 195 30 l 200 35 l 200 60 l 0 60 l 0 35 l f " +
                text("Secret toll", 10, 40, "0.22 0.3 0.5 rg"));
  expect_seen("0.2 0.3 0.5 rg 5 30 m 195 30 l 200 35 l 200 60 l 0 60 l 0 35 l f " +
              text("Secret toll", 10, 40, "1 1 0.8 rg"));
  expect_seen("0 g 0 30 200 30 re f " + text("Secret toll", 10, 40, "1 1 0.7 rg"));
}

TEST_F(HiddenText, OnAPicture) {
  expect_hidden("q 200 0 0 30 0 30 cm /White Do Q " + text("Secret toll", 10, 40, "1 g"));
  expect_seen("q 200 0 0 30 0 30 cm /Grey Do Q " + text("Secret toll", 10, 40, "1 g"));
}

TEST_F(HiddenText, UnderABar) {
  for (const char* bar : {"0 g 0 30 200 30 re f", "1 g 0 30 200 30 re f",
                          "0 G 26 w 0 43 m 200 43 l S", "q 200 0 0 30 0 30 cm /White Do Q"}) {
    expect_hidden(text("Secret toll", 10, 40, "0 g") + bar);
  }
  // a highlight that lets it through, and one that is blended
  expect_seen(text("Secret toll", 10, 40, "0 g") + "/Half gs 1 1 0 rg 0 30 200 30 re f");
  expect_seen(text("Secret toll", 10, 40, "0 g") + "/Multiply gs 1 1 0 rg 0 30 200 30 re f");
}

TEST_F(HiddenText, OnlyTheWordUnderTheBarIsHidden) {
  const RawPage page = read(text("Secret toll", 10, 40) + "0 g 5 35 43 20 re f");
  EXPECT_EQ(words_of(page), "Seen toll");
  EXPECT_EQ(page.hidden, "Secret");
}

TEST_F(HiddenText, InvisibleAndTransparent) {
  expect_hidden(text("Secret toll", 10, 40, "3 Tr"));
  expect_hidden(text("Secret toll", 10, 40, "7 Tr"));
  expect_hidden("/Clear gs " + text("Secret toll", 10, 40));
  expect_seen("/Half gs " + text("Secret toll", 10, 40, "0 g"));
  // letters that are the clip of something painted
  expect_seen("q " + text("Secret toll", 10, 40, "7 Tr") + " 0.5 0 0 rg 0 30 200 30 re f Q");
}

// The invisible words of a scan have their ink in its picture, which is painted before or after.
TEST_F(HiddenText, OcrOfAScanStays) {
  const std::string scan = "q 200 0 0 30 0 30 cm /Bars Do Q ";
  expect_seen(scan + text("Secret toll", 10, 40, "3 Tr"));
  expect_seen(text("Secret toll", 10, 40) + scan);
  // not where the scan is blank
  expect_hidden("q 200 0 0 30 0 30 cm /White Do Q " + text("Secret toll", 10, 40, "3 Tr"));
}

TEST_F(HiddenText, TooSmallToRead) {
  expect_hidden("BT /F1 0.4 Tf 10 40 Td (Secret toll) Tj ET ");
  expect_hidden("q 0.04 0 0 0.04 10 40 cm BT /F1 10 Tf (Secret toll) Tj ET Q ");
  expect_seen("BT /F1 3 Tf 10 40 Td (Secret toll) Tj ET ");
  expect_seen("q 12 0 0 12 10 40 cm BT /F1 1 Tf (Secret toll) Tj ET Q ");
}

// What MuPDF leaves out itself is no word at all.
TEST_F(HiddenText, OffThePageAndClippedAway) {
  EXPECT_EQ(words_of(read(text("Secret toll", 300, 40))), "Seen");
  EXPECT_EQ(words_of(read(text("Secret toll", 10, 20), "/CropBox[0 50 200 100]")), "Seen");
  EXPECT_EQ(words_of(read("q 0 0 5 5 re W n " + text("Secret toll", 10, 40) + "Q")), "Seen");
  // two distant triangles as a clip, whose box contains the text
  expect_hidden("q 0 0 m 5 0 l 0 5 l h 200 75 m 195 75 l 200 70 l h W n " +
                text("Secret toll", 10, 40) + "Q");
  expect_seen("q 0 0 m 200 0 l 190 75 l 0 75 l h W n " + text("Secret toll", 10, 40) + "Q");
}

// White text with the same text in black on top, as shadows and outlines are made.
TEST_F(HiddenText, ATwinThatIsVisibleKeepsTheWord) {
  expect_seen(text("Secret toll", 10, 40, "1 g") + text("Secret toll", 10, 40, "0 g"));
  expect_seen(text("Secret toll", 10, 40, "2 Tr 1 g 0 G 0.3 w"));
}

TEST_F(HiddenText, LiesAcrossVisibleText) {
  const RawPage page = read(text("Open gate", 10, 40) + text("Secret toll", 12, 33, "1 g"));
  EXPECT_EQ(words_of(page), "Seen Open gate");
  EXPECT_EQ(page.hidden, "Secret toll");
}

}  // namespace
}  // namespace fineprint::pdf
