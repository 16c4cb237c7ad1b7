// Tests of check boxes and notes.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/pdf/document.h"

#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

// A page that says "words", with the annotations given.
std::string pdf_with(const std::string& annotations) {
  const std::string content = "BT /F1 12 Tf 20 50 Td (words) Tj ET";
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>endobj\n"
         "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
         "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R"
         "/Resources<</Font<</F1 5 0 R>>>>/Annots[" +
         annotations + "]>>endobj\n4 0 obj<</Length " + std::to_string(content.size()) +
         ">>stream\n" + content +
         "\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
         "6 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 16 16]/Resources<</Font<</F1 5 0 R>>>>"
         "/Length 33>>stream\nBT /F1 12 Tf 3 3 Td (X) Tj ET    \nendstream endobj\n"
         "7 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 16 16]/Length 0>>stream\n\nendstream "
         "endobj\n"
         "8 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 50 16]/Length 40>>stream\n"
         "0.9 g 1 1 m 49 1 l 49 15 l 25 9 l h f   \nendstream endobj\n"
         "trailer<</Root 1 0 R>>\n";
}

std::string box_at(int x, const std::string& state, const std::string& more = "") {
  const std::string left = std::to_string(x), right = std::to_string(x + 16);
  return "<</Type/Annot/Subtype/Widget/FT/Btn/T(b" + left + ")/V/" + state + "/AS/" + state +
         "/Rect[" + left + " 20 " + right + " 36]/AP<</N<</Yes 6 0 R/Off 7 0 R>>>>" + more + ">>";
}

class Annotations : public ::testing::Test {
 protected:
  RawPage page_with(const std::string& annotations) {
    return Document(folder_.write("form.pdf", pdf_with(annotations)), "").page(1);
  }

  testing::TempDir folder_;
};

std::vector<std::string> texts_of(const RawPage& page) {
  std::vector<std::string> texts;
  for (const Word& word : page.words) texts.push_back(word.text);
  return texts;
}

TEST_F(Annotations, BoxesAreWordsTickedOrNot) {
  const RawPage page = page_with(box_at(20, "Yes") + box_at(60, "Off"));
  EXPECT_EQ(texts_of(page), (std::vector<std::string>{"words", "\u2612", "\u2610"}));
  EXPECT_EQ(page.words[1].box, (Box{20, 64, 36, 80}));
  EXPECT_EQ(page.line_of_word.size(), 3U);
  EXPECT_NE(page.line_of_word[1], page.line_of_word[2]);
}

TEST_F(Annotations, HiddenBoxesAreNoWords) {
  EXPECT_EQ(page_with(box_at(20, "Yes", "/F 2")).words.size(), 1U);
}

TEST_F(Annotations, NotesAreKeptApartFromTheText) {
  const RawPage page = page_with(
      "<</Type/Annot/Subtype/Text/Contents(It costs 5 euros.)/Rect[20 20 40 40]>>"
      "<</Type/Annot/Subtype/Text/F 2/Contents(hidden)/Rect[20 20 40 40]>>"
      "<</Type/Annot/Subtype/Text/Rect[20 20 40 40]>>");
  EXPECT_EQ(texts_of(page), (std::vector<std::string>{"words"}));
  ASSERT_EQ(page.notes.size(), 1U);
  EXPECT_EQ(page.notes[0].text, "It costs 5 euros.");
}

std::string text_field(int x, const std::string& value, const std::string& label) {
  return "<</Type/Annot/Subtype/Widget/FT/Tx/T(t" + std::to_string(x) + ")/V(" + value + ")/TU(" +
         label + ")/DA(/F1 8 Tf)/Rect[" + std::to_string(x) + " 10 " + std::to_string(x + 50) +
         " 26]>>";
}

TEST_F(Annotations, AFieldWithoutTextBesideItHasTheLabelOfTheFile) {
  const RawPage page = page_with(text_field(20, "Ludo", "Owner:") + text_field(90, "", "Species"));
  ASSERT_EQ(page.notes.size(), 1U);
  EXPECT_EQ(page.notes[0].text, "Owner: Ludo");
}

TEST_F(Annotations, AFieldBesideTextNeedsNoOtherLabel) {
  const std::string beside =
      "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Ludo)/TU(Owner)/DA(/F1 8 Tf)/Rect[80 46 150 62]>>";
  EXPECT_TRUE(page_with(beside).notes.empty());
}

// A form of framed fields is not a figure.
TEST_F(Annotations, WhatIsDrawnForAFieldIsNoDrawing) {
  const std::string looks = "/Rect[80 46 130 62]/AP<</N 8 0 R>>>>";
  EXPECT_TRUE(page_with("<</Type/Annot/Subtype/Widget/FT/Tx/T(a)" + looks).drawings.empty());
  EXPECT_EQ(page_with("<</Type/Annot/Subtype/Stamp" + looks).drawings.size(), 1U);
}

TEST_F(Annotations, ABoxWithoutTextBesideItHasTheLabelOfTheFile) {
  const RawPage page = page_with(box_at(120, "Yes", "/TU(Key issued)"));
  ASSERT_EQ(page.notes.size(), 1U);
  EXPECT_EQ(page.notes[0].text, "Key issued: \u2612");
}

}  // namespace
}  // namespace fineprint::pdf
