// Tests of boxes to tick that are drawn.
#include "pdf/tick_boxes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

// The words of a page with this content, 200 points high.
std::vector<std::string> texts_on(const std::string& content) {
  const testing::TempDir folder;
  const std::string pdf =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
      "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R"
      "/Resources<</Font<</F1 5 0 R>>>>>>endobj\n4 0 obj<</Length " +
      std::to_string(content.size()) + ">>stream\n" + content +
      "\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
      "trailer<</Root 1 0 R>>\n";
  std::vector<std::string> texts;
  for (const Word& word : Document(folder.write("form.pdf", pdf), "").page(1).words) {
    texts.push_back(word.text);
  }
  return texts;
}

const std::string kYes = "BT /F1 11 Tf 34 100 Td (Yes) Tj ET\n";
const std::string kBox = "20 99 10 10 re S\n";

using Texts = std::vector<std::string>;

TEST(DrawnBoxes, AreEmptyOrTicked) {
  EXPECT_EQ(texts_on(kYes + kBox), (Texts{"Yes", "\u2610"}));
  EXPECT_EQ(texts_on(kYes + kBox + "20 99 m 30 109 l S 30 99 m 20 109 l S\n"),
            (Texts{"Yes", "\u2612"}));
  EXPECT_EQ(texts_on(kYes + kBox + "22 103 m 25 100 l 29 108 l S\n"), (Texts{"Yes", "\u2612"}));
  EXPECT_EQ(texts_on(kYes + kBox + "22 101 6 6 re f\n"), (Texts{"Yes", "\u2612"}));
  EXPECT_EQ(texts_on(kYes + kBox + "BT /F1 10 Tf 22 101 Td (X) Tj ET\n"), (Texts{"Yes", "\u2612"}));
}

TEST(DrawnBoxes, AreOneWhereTheyAreDrawnTwice) {
  EXPECT_EQ(texts_on(kYes + kBox + kBox + "21 100 8 8 re S\n"), (Texts{"Yes", "\u2610"}));
}

TEST(DrawnBoxes, OtherSquaresAreNone) {
  EXPECT_EQ(texts_on(kBox), Texts{});                                       // no word is next to it
  EXPECT_EQ(texts_on(kYes + "1 0 0 rg 20 99 10 10 re B\n"), Texts{"Yes"});  // the key of a chart
  EXPECT_EQ(texts_on(kYes + kBox + "10 99 10 10 re S\n"), Texts{"Yes"});    // places for letters
  EXPECT_EQ(texts_on(kYes + kBox + "BT /F1 8 Tf 22 101 Td (7) Tj ET\n"), (Texts{"Yes", "7"}));
  EXPECT_EQ(texts_on(kYes + "20 99 30 10 re S\n"), Texts{"Yes"});  // no square
}

}  // namespace
}  // namespace fineprint::pdf
