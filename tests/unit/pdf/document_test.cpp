// Documents opened, described and read: the ways that it fails, and facts known of the test data.
#include "fineprint/pdf/document.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/as_nobody.h"
#include "support/docs.h"
#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

using testing::docs;

std::string odd(const std::string& name) {
  return std::string(FINEPRINT_TEST_DATA) + "/odd/" + name;
}

struct Refusal {
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

Refusal refusal_of(const std::string& path, const std::string& password = "") {
  try {
    const Document document(path, password);
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

void expect_refused(const std::string& path, ErrorCode code, const std::string& password = "") {
  ::testing::internal::CaptureStderr();
  const Refusal refusal = refusal_of(path, password);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << path;
  EXPECT_EQ(code_name(refusal.code), code_name(code)) << path << refusal.message;
  EXPECT_NE(refusal.message.find(path), std::string::npos) << refusal.message;
  EXPECT_EQ(refusal.message.find('\n'), std::string::npos) << refusal.message;
}

const Word* find_word(const RawPage& page, const std::string& text) {
  const auto found = std::find_if(page.words.begin(), page.words.end(),
                                  [&](const Word& word) { return word.text == text; });
  return found == page.words.end() ? nullptr : &*found;
}

// A PDF of one page; `content` is its content stream, /F1 is Helvetica, /F2 Helvetica-Bold.
std::string one_page_pdf(const std::string& content, const std::string& page_keys = "") {
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
         "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
         "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R" +
         page_keys + "/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>endobj\n4 0 obj<</Length " +
         std::to_string(content.size()) + ">>stream\n" + content +
         "\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
         "6 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>endobj\n"
         "trailer<</Root 1 0 R>>\n";
}

class OnePage : public ::testing::Test {
 protected:
  RawPage read(const std::string& content, const std::string& page_keys = "") {
    const std::string path = folder_.write("page.pdf", one_page_pdf(content, page_keys));
    return Document(path, "").page(1);
  }
  testing::TempDir folder_;
};

TEST(DocumentTest, SaysWhyAFileCannotBeOpened) {
  const testing::TempDir folder;
  expect_refused(folder.file("missing.pdf"), ErrorCode::unreadable);
  expect_refused(odd("x.pdf"), ErrorCode::unreadable);
  expect_refused(odd("empty.pdf"), ErrorCode::empty);
  expect_refused(odd("encrypted.pdf"), ErrorCode::encrypted);
  expect_refused(odd("encrypted.pdf"), ErrorCode::wrong_password, "guess");
  expect_refused(odd("truncated.pdf"), ErrorCode::damaged);
  expect_refused(folder.write("noise.pdf", std::string(5000, '\x81')), ErrorCode::damaged);
  expect_refused(folder.write("noise.png", std::string(5000, '\x81')), ErrorCode::damaged);
  expect_refused(folder.write("noise.xyz", std::string(5000, '\x81')), ErrorCode::unsupported);
  expect_refused(folder.write("none.pdf",
                              "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                              "2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"),
                 ErrorCode::damaged);
}

TEST(DocumentTest, RefusesPipesAndFilesWithoutPermission) {
  const testing::TempDir folder;
  const std::string pipe = folder.file("pipe.pdf");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refused(pipe, ErrorCode::unreadable);
  const std::string secret = folder.write("secret.pdf", "x");
  ASSERT_EQ(chmod(secret.c_str(), 0), 0);
  const testing::AsNobody nobody(folder.path());
  expect_refused(secret, ErrorCode::unreadable);
}

TEST(DocumentTest, OpensWithTheRightPassword) {
  Document document(odd("encrypted.pdf"), "secret");
  EXPECT_GE(document.info().page_count, 1);
  EXPECT_FALSE(document.page(1).words.empty());
}

TEST(DocumentTest, TitlesOfTheOutlineAreCutAtACharacter) {
  const fineprint::testing::TempDir dir;
  const std::string title(40'000, '\xE9');  // each two bytes as UTF-8
  const std::string path =
      dir.write("long.pdf",
                "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>endobj\n"
                "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\n"
                "4 0 obj<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>endobj\n"
                "5 0 obj<</Parent 4 0 R/Dest[3 0 R/Fit]/Title(A" +
                    title +
                    ")>>endobj\n"
                    "trailer<</Root 1 0 R>>\n");
  const DocumentInfo info = Document(path, "").info();
  ASSERT_EQ(info.outline.size(), 1U);
  EXPECT_EQ(info.outline[0].title.size(), 1001U);
  EXPECT_TRUE(info.outline[0].title.ends_with("\xC3\xA9"));
}

TEST(DocumentTest, ReadsOutlineLabelsAndTitle) {
  Document document(docs("harbor-annual-report.pdf"), "");
  const DocumentInfo info = document.info();
  EXPECT_EQ(info.format, "PDF 1.7");
  EXPECT_EQ(info.title, "Annual report and accounts 2023");
  EXPECT_EQ(info.page_count, 11);
  EXPECT_FALSE(info.reflowable);
  ASSERT_GE(info.outline.size(), 3U);
  EXPECT_EQ(info.outline[0].title, "Cover");
  EXPECT_EQ(info.outline[0].page, 1);
  EXPECT_EQ(info.outline[2].title, "Chair's statement");
  EXPECT_EQ(info.outline[2].level, 1);
  EXPECT_EQ(info.outline[2].page, 3);
  EXPECT_EQ(document.page(2).label, "ii");
  EXPECT_EQ(document.page(3).label, "1");
  EXPECT_EQ(Document(odd("good.pdf"), "").page(1).label, "");
}

std::string text_of(const RawPage& page) {
  std::string text;
  for (const Word& word : page.words) text += " " + word.text + " ";
  return text;
}

// What MuPDF gives of lines from right to left is at times turned around, digits always.
TEST(DocumentTest, ReadsArabicLettersAndDigitsInTheirOrder) {
  Document document(FINEPRINT_TEST_DATA "/languages/museum-ar.pdf", "");
  const std::string visitors = text_of(document.page(3));
  for (const char* word : {" استقبل ", " المتحف ", " ١٨٤٬٥٠٠ ", " ٢٠٢٣ ", " ١١٫٦٪ ", " خلال "}) {
    EXPECT_NE(visitors.find(word), std::string::npos) << word << visitors;
  }
  const std::string staff = text_of(document.page(6));
  for (const char* word : {" يعمل ", " ٩٨ ", " السلامة ", " تدريبية "}) {
    EXPECT_NE(staff.find(word), std::string::npos) << word << staff;
  }
}

// MuPDF gives the second letter of a ligature no width, and puts it at the wrong side if it
// reverses the line. Writers draw such lines from left to right, and give a ligature its letters in
// order.
TEST(DocumentTest, ReadsTheLettersOfALigatureInTheirOrder) {
  const std::string letters =
      "7 0 obj<</Length 300>>stream\n/CIDInit /ProcSet findresource begin begincmap\n"
      "1 begincodespacerange <00> <FF> endcodespacerange\n4 beginbfchar\n"
      "<41> <0645>\n<42> <06440627>\n<43> <0633>\n<44> <0627>\nendbfchar endcmap end\n"
      "endstream endobj\n";
  std::string file = one_page_pdf("BT /F3 10 Tf 10 50 Td (ABC DBC BD) Tj ET");
  const std::string font =
      "/F3<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>";
  file.insert(file.find("/F1"), font);
  file.insert(file.find("4 0 obj"), letters);
  const testing::TempDir folder;
  Document document(folder.write("page.pdf", file), "");
  // As they are written, from right to left: "ala", "sala", "salam".
  EXPECT_EQ(text_of(document.page(1)),
            " \u0627\u0644\u0627  \u0633\u0644\u0627\u0627  "
            "\u0633\u0644\u0627\u0645 ");
}

// MuPDF sets a paragraph of a text file as if it ran from left to right, so that its last mark
// lies at the right edge. A mark after a number lies to the left of its digits.
TEST(DocumentTest, MarksStayWithTheWordsBeforeThemFromRightToLeft) {
  const testing::TempDir folder;
  Document document(folder.write("a.txt", "המוזיאון נפתח בשנת 1987. הכניסה חופשית.\n"), "");
  EXPECT_EQ(text_of(document.page(1)), " המוזיאון  נפתח  בשנת  1987.  הכניסה  חופשית. ");
}

TEST(DocumentTest, WordsEndWithChineseSentences) {
  Document document(FINEPRINT_TEST_DATA "/languages/ferry-zh.pdf", "");
  const std::string text = text_of(document.page(4));
  EXPECT_NE(text.find("比上年增长12.7%。 "), std::string::npos) << text;
  EXPECT_NE(text.find(" 营业成本为2.94亿元，"), std::string::npos) << text;
}

TEST(DocumentTest, NamesFormatsByContent) {
  EXPECT_EQ(Document(docs("notice-board.png"), "").info().format, "PNG");
  EXPECT_EQ(Document(docs("ticket.jpg"), "").info().format, "JPEG");
  Document receipt(docs("receipt.tiff"), "");
  EXPECT_EQ(receipt.info().format, "TIFF");
  EXPECT_EQ(receipt.info().page_count, 2);
  const testing::TempDir folder;
  const std::string misnamed = folder.write("misnamed.png", one_page_pdf(""));
  EXPECT_EQ(Document(misnamed, "").info().format, "PDF 1.4");
}

TEST(DocumentTest, LaysOutReflowableDocumentsOnA4) {
  Document handbook(docs("handbook.html"), "");
  const DocumentInfo info = handbook.info();
  EXPECT_TRUE(info.reflowable);
  EXPECT_EQ(info.page_count, 5);
  const RawPage page = handbook.page(1);
  EXPECT_NEAR(page.width_pt, 595, 0.5);
  EXPECT_NEAR(page.height_pt, 842, 0.5);
  EXPECT_FALSE(page.words.empty());
}

TEST(DocumentTest, TurnsRotatedPages) {
  Document document(docs("rotated-table.pdf"), "");
  const RawPage page = document.page(2);
  EXPECT_EQ(page.rotation, 90);
  EXPECT_GT(page.width_pt, page.height_pt);
  for (const Word& word : page.words) {
    EXPECT_GE(word.box.x0, -1) << word.text;
    EXPECT_LE(word.box.x1, page.width_pt + 1) << word.text;
    EXPECT_LE(word.box.y1, page.height_pt + 1) << word.text;
  }
  const Image image = document.raster(2, 72, true);
  EXPECT_GT(image.width, image.height);
}

TEST(DocumentTest, FindsPicturesOfScans) {
  Document document(docs("scanned-letter.pdf"), "");
  const RawPage page = document.page(1);
  EXPECT_TRUE(page.words.empty());
  ASSERT_EQ(page.images.size(), 1U);
  EXPECT_GT(page.images[0].area(), 0.9F * page.width_pt * page.height_pt);
}

TEST(DocumentTest, RefusesPagesThatAreNotThere) {
  Document document(odd("good.pdf"), "");
  EXPECT_THROW(document.page(0), Error);
  EXPECT_THROW(document.page(document.info().page_count + 1), Error);
}

TEST(DocumentTest, RefusesRastersOverTheLimitBeforeDrawing) {
  Document document(odd("good.pdf"), "");
  try {
    document.raster(1, 100'000, false);
    FAIL() << "drawn";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::too_large) << error.what();
  }
}

TEST_F(OnePage, TextEndsAtTheLimit) {
  const std::string path = folder_.write(
      "page.pdf", one_page_pdf("BT /F1 5 Tf 10 50 Td (one two) Tj /F2 5 Tf 30 0 Td (three four) Tj "
                               "ET 10 10 100 1 re f BT /F1 5 Tf 10 20 Td (five) Tj ET"));
  Document document(path, "");
  const auto words_of = [&](std::int64_t limit) {
    std::string words;
    const RawPage page = document.page(1, limit);
    EXPECT_EQ(page.cut, limit < 21) << limit;
    for (const Word& word : page.words) words += word.text + ' ';
    return words;
  };
  EXPECT_EQ(words_of(21), "one two three four five ");
  EXPECT_EQ(words_of(20), "one two three four fiv ");
  EXPECT_EQ(words_of(15), "one two three fo ");
  EXPECT_EQ(words_of(7), "one two ");
  EXPECT_EQ(words_of(2), "on ");
  EXPECT_EQ(words_of(0), "");
}

TEST_F(OnePage, LimitHoldsForTextThatClipsAndForTextThatStandsForOther) {
  Document clip(folder_.write("clip.pdf", one_page_pdf("q BT /F1 5 Tf 7 Tr 10 50 Td (abcdef) Tj ET "
                                                       "0 0 200 100 re f Q")),
                "");
  EXPECT_EQ(clip.page(1, 4).words.at(0).text, "abcd");
  EXPECT_FALSE(clip.page(1, 6).cut);
  Document actual(
      folder_.write("actual.pdf", one_page_pdf("BT /F1 5 Tf 10 50 Td /Span <</ActualText "
                                               "(" +
                                               std::string(500, 'x') + ")>> BDC (y) Tj EMC ET")),
      "");
  EXPECT_GE(actual.page(1, 1'000).characters, 500U);
  const RawPage cut = actual.page(1, 100);
  EXPECT_TRUE(cut.cut);
  EXPECT_LE(cut.characters, 100U);
}

TEST_F(OnePage, GivesWordsWithBoxAndStyle) {
  const RawPage page = read("BT /F1 10 Tf 20 50 Td (plain) Tj /F2 10 Tf 60 0 Td (strong) Tj ET");
  ASSERT_EQ(page.words.size(), 2U);
  EXPECT_EQ(page.words[0].text, "plain");
  EXPECT_FALSE(page.words[0].bold);
  EXPECT_FLOAT_EQ(page.words[0].size_pt, 10);
  EXPECT_NEAR(page.words[0].box.x0, 20, 0.5);
  EXPECT_LT(page.words[0].box.y0, 50);
  EXPECT_GT(page.words[0].box.y1, 50);
  EXPECT_TRUE(page.words[1].bold);
  EXPECT_EQ(page.characters, 11U);
  EXPECT_EQ(page.bad_characters, 0U);
}

TEST_F(OnePage, KeepsTableCellsApart) {
  // No blanks: cells are placed by position alone, 8 points (0.8 of the size) apart.
  const RawPage page = read("BT /F1 10 Tf 20 50 Td (12.5) Tj 27.4 0 Td (99) Tj 80 0 Td (x) Tj ET");
  ASSERT_EQ(page.words.size(), 3U);
  EXPECT_EQ(page.words[0].text, "12.5");
  EXPECT_EQ(page.words[1].text, "99");
}

TEST_F(OnePage, CountsTextDrawnTwiceOnce) {
  const RawPage page = read(
      "BT /F1 10 Tf 20 50 Td (shadow) Tj ET BT /F1 10 Tf 20.3 49.7 Td (shadow) Tj ET "
      "BT /F1 10 Tf 20 20 Td (shadow) Tj ET");
  EXPECT_EQ(page.words.size(), 2U);
}

TEST_F(OnePage, LeavesOutTextBeyondThePage) {
  const RawPage page = read("BT /F1 10 Tf 20 50 Td (in) Tj 0 400 Td (out) Tj ET");
  EXPECT_NE(find_word(page, "in"), nullptr);
  EXPECT_EQ(find_word(page, "out"), nullptr);
}

TEST_F(OnePage, RespectsTheCropBox) {
  const RawPage page = read("BT /F1 10 Tf 60 50 Td (seen) Tj ET", "/CropBox[50 20 150 80]");
  EXPECT_FLOAT_EQ(page.width_pt, 100);
  EXPECT_FLOAT_EQ(page.height_pt, 60);
  ASSERT_EQ(page.words.size(), 1U);
  EXPECT_NEAR(page.words[0].box.x0, 10, 0.6);
}

TEST_F(OnePage, BoxesVerticalTextAroundItsLetters) {
  const RawPage page = read("BT /F1 10 Tf 0 1 -1 0 100 20 Tm (upwards) Tj ET");
  ASSERT_EQ(page.words.size(), 1U);
  EXPECT_EQ(page.words[0].text, "upwards");
  EXPECT_GT(page.words[0].box.height(), 2 * page.words[0].box.width());
}

TEST_F(OnePage, TellsRulesFromDrawings) {
  const RawPage page = read(
      "0.5 w 10 10 m 190 10 l S "         // a rule
      "10 20 180 1 re f "                 // a thin filled rectangle: a rule
      "10 30 50 40 re S "                 // a stroked cell: four rules
      "0.5 0.5 1 rg 100 30 50 40 re f "   // a filled area: a drawing
      "1 1 1 rg 60 30 20 40 re f "        // white: nothing to see
      "0 0 1 rg 0 0 200 100 re f "        // the page's ground: nothing
      "160 30 m 170 70 l 190 40 l h f");  // a triangle: a drawing
  EXPECT_EQ(page.rules.size(), 6U);
  ASSERT_EQ(page.drawings.size(), 2U);
  EXPECT_NEAR(page.drawings[0].x0, 100, 0.5);
  EXPECT_NEAR(page.drawings[0].y0, 30, 0.5);
  EXPECT_NEAR(page.drawings[0].y1, 70, 0.5);
}

TEST_F(OnePage, CutsDrawingsAtTheClip) {
  const RawPage page = read("20 20 30 30 re W n 0.2 g 0 0 100 90 re f");
  ASSERT_EQ(page.drawings.size(), 1U);
  EXPECT_NEAR(page.drawings[0].width(), 30, 0.5);
}

TEST(FormatsTest, KnowsTheLibraryVersion) { EXPECT_EQ(mupdf_version().substr(0, 5), "1.28."); }

}  // namespace
}  // namespace fineprint::pdf
