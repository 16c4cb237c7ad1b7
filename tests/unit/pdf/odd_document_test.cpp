// Documents with something broken in them: what of them is read, and what is said of the rest.
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/pdf/document.h"

#include "support/docs.h"
#include "support/small_pictures.h"
#include "support/stored_zip.h"
#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

using testing::docs;

// A PDF whose page 1 says "words"; the keys go where they are named.
struct OddPdf {
  std::string catalog = "/Pages 2 0 R";
  std::string kids = "3 0 R";
  std::string page;
  std::string trailer = "/Root 1 0 R";
  std::string more;  // objects from 6

  std::string text() const {
    const std::string content = "BT /F1 12 Tf 20 50 Td (words) Tj ET";
    const std::string count = std::to_string(1 + (kids.size() - 5) / 6);
    return "%PDF-1.4\n1 0 obj<</Type/Catalog" + catalog + ">>endobj\n2 0 obj<</Type/Pages/Kids[" +
           kids + "]/Count " + count + ">>endobj\n3 0 obj<</Type/Page/Parent 2 0 R" +
           "/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>" + page +
           ">>endobj\n4 0 obj<</Length " + std::to_string(content.size()) + ">>stream\n" + content +
           "\nendstream endobj\n" +
           "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n" + more + "trailer<<" +
           trailer + ">>\n";
  }
};

class OddDocument : public ::testing::Test {
 protected:
  std::string write(const OddPdf& pdf) { return folder_.write("odd.pdf", pdf.text()); }

  void expect_words(const OddPdf& pdf) {
    const RawPage page = Document(write(pdf), "").page(1);
    ASSERT_EQ(page.words.size(), 1U);
    EXPECT_EQ(page.words[0].text, "words");
  }

  // The message that opening ends with; `code` is to be its code.
  std::string refusal(const std::string& name, const std::string& bytes, ErrorCode code) {
    const std::string path = folder_.write(name, bytes);
    try {
      const Document document(path, "");
    } catch (const Error& error) {
      EXPECT_EQ(code_name(error.code()), code_name(code)) << error.what();
      return error.what();
    }
    ADD_FAILURE() << name << " opens";
    return {};
  }

  testing::TempDir folder_;
};

TEST_F(OddDocument, LabelsThatComeBackToThemselvesAreNone) {
  for (const char* kids : {"[6 0 R]", "[6 0 R 6 0 R 6 0 R]"}) {
    OddPdf pdf;
    pdf.catalog += "/PageLabels 6 0 R";
    pdf.more = std::string("6 0 obj<</Kids") + kids + ">>endobj\n";
    EXPECT_EQ(Document(write(pdf), "").page(1).label, "");
    expect_words(pdf);
  }
}

TEST_F(OddDocument, LabelsOfEveryStyle) {
  OddPdf pdf;
  pdf.kids = "3 0 R 3 0 R 3 0 R 3 0 R 3 0 R 3 0 R 3 0 R";
  pdf.catalog +=
      "/PageLabels<</Nums[0<</S/r/St 4>>2<</S/D/P(A-)/St 3>>3<</S/R>>4<</S/a/St 27>>5<</P(Cover)>>"
      "6<</S/A>>]>>";
  pdf.more = "6 0 obj<<>>endobj\n7 0 obj<<>>endobj\n8 0 obj<<>>endobj\n";
  Document document(write(pdf), "");
  const char* expected[] = {"iv", "v", "A-3", "I", "aa", "Cover", "A"};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(document.page(i + 1).label, expected[i]);
}

TEST_F(OddDocument, LabelsInATreeOfTwoLevels) {
  OddPdf pdf;
  pdf.kids = "3 0 R 3 0 R 3 0 R";
  pdf.catalog += "/PageLabels<</Kids[6 0 R 7 0 R]>>";
  pdf.more =
      "6 0 obj<</Limits[0 0]/Nums[0<</S/r>>]>>endobj\n"
      "7 0 obj<</Limits[1 1]/Nums[1<</S/D/St 5>>]>>endobj\n";
  Document document(write(pdf), "");
  EXPECT_EQ(document.page(1).label, "i");
  EXPECT_EQ(document.page(2).label, "5");
  EXPECT_EQ(document.page(3).label, "6");
}

TEST_F(OddDocument, APageThatIsNotInTheFileIsNotAnEmptyOne) {
  OddPdf pdf;
  pdf.kids = "3 0 R 9 0 R";
  expect_words(pdf);
  Document document(write(pdf), "");
  ASSERT_EQ(document.info().page_count, 2);
  try {
    document.page(2);
    ADD_FAILURE() << "page 2 was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::damaged);
    EXPECT_NE(std::string(error.what()).find("page 2"), std::string::npos);
  }
}

TEST_F(OddDocument, PagesAreCountedWhateverTheTreeSaysOfThem) {
  OddPdf pdf;
  pdf.kids = "3 0 R 6 0 R 3 0 R";
  pdf.more =
      "6 0 obj<</Type/Pages/Parent 2 0 R/Count 1/Kids[3 0 R 7 0 R]>>endobj\n"
      "7 0 obj<</Type/Pages/Kids[3 0 R]/Count 3/Parent 6 0 R>>endobj\n";
  for (const char* count : {"4", "3", "1", "0", "-4", "9", "4000000000", "(four)", "null"}) {
    std::string text = pdf.text();
    text.replace(text.find("/Count 3>>endobj\n3 0"), 8, std::string("/Count ") + count);
    Document document(folder_.write("odd.pdf", text), "");
    ASSERT_EQ(document.info().page_count, 4) << count;
    for (int page = 1; page <= 4; ++page) {
      ASSERT_EQ(document.page(page).words.size(), 1U) << count << ", page " << page;
    }
  }
}

TEST_F(OddDocument, PagesThatAreMissingFromTheTreeAreStillCounted) {
  OddPdf pdf;
  pdf.kids = "3 0 R 9 0 R";
  std::string text = pdf.text();
  const std::size_t at = text.find("/Count 2");
  text.replace(at, 8, "/Count 4");
  EXPECT_EQ(Document(folder_.write("odd.pdf", text), "").info().page_count, 4);
  text.replace(at, 8, "/Count 4000000000");  // more than MuPDF takes for a number of pages
  EXPECT_EQ(Document(folder_.write("odd.pdf", text), "").info().page_count, 2);
}

TEST_F(OddDocument, ATreeThatMeetsItselfKeepsItsCount) {
  OddPdf pdf;
  pdf.kids = "3 0 R 2 0 R";
  EXPECT_EQ(Document(write(pdf), "").info().page_count, 2);
  // Each node twice in the one above: a thousand million pages of a few lines.
  pdf.kids = "6 0 R 6 0 R";
  for (int i = 6; i < 36; ++i) {
    const std::string next = std::to_string(i + 1) + " 0 R";
    pdf.more +=
        std::to_string(i) + " 0 obj<</Type/Pages/Count 1/Kids[" + next + " " + next + "]>>endobj\n";
  }
  pdf.more += "36 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n";
  EXPECT_LE(Document(write(pdf), "").info().page_count, 2);
}

TEST_F(OddDocument, BrokenNotesDoNotCostThePage) {
  OddPdf pdf;
  pdf.page = "/Annots 6 0 R";
  pdf.more = "6 0 obj[6 0 R 3 0 R]endobj\n";
  expect_words(pdf);
  EXPECT_EQ(Document(write(pdf), "").raster(1, 72, true).width, 200);
}

TEST_F(OddDocument, ACatalogueThatIsNoneIsLookedFor) {
  OddPdf pdf;
  const std::string whole = pdf.text();
  const std::size_t table = whole.find("trailer");
  // A table of references that is right, as MuPDF searches by itself where it is not.
  std::string text = whole.substr(0, table) + "xref\n0 6\n0000000000 65535 f \n";
  for (int i = 1; i <= 5; ++i) {
    const std::string place = std::to_string(whole.find(std::to_string(i) + " 0 obj"));
    text += std::string(10 - place.size(), '0') + place + " 00000 n \n";
  }
  text += "trailer<</Size 6>>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
  Document document(folder_.write("lost.pdf", text), "");
  EXPECT_EQ(document.page(1).words.size(), 1U);
}

TEST_F(OddDocument, FormatsThatAreNotReadAreNamedWhateverTheFileIsCalled) {
  const std::string rest(200, '\0');
  for (const char* name : {"a.webp", "a.pdf", "a.png", "a.jpg", "a"}) {
    const std::string message =
        refusal(name, "RIFF" + rest.substr(0, 4) + "WEBPVP8 " + rest, ErrorCode::unsupported);
    EXPECT_NE(message.find("WebP"), std::string::npos) << message;
  }
  for (const char* head : {"II+\0\x08\0\0\0\x10", "MM\0+\0\x08\0\0\0"}) {
    const std::string message =
        refusal("a.tiff", std::string(head, 9) + rest, ErrorCode::unsupported);
    EXPECT_NE(message.find("BigTIFF"), std::string::npos) << message;
  }
  EXPECT_NE(refusal("a.pdf", "%!PS-Adobe-3.0\n", ErrorCode::unsupported).find("PostScript"),
            std::string::npos);
  const std::string zip = testing::stored_zip({{"a.txt", "words"}});
  EXPECT_NE(refusal("zip.pdf", zip, ErrorCode::unsupported).find("ZIP"), std::string::npos);
  EXPECT_NE(
      refusal("words.pdf", "only words", ErrorCode::damaged).find("contains no part of a PDF"),
      std::string::npos);
}

TEST_F(OddDocument, PicturesOfKindsThatAreNotReadAreNotCalledDamaged) {
  EXPECT_EQ(Document(folder_.write("a.tiff", testing::small_tiff({{}})), "").info().page_count, 1);
  for (const testing::TiffPage page : {testing::TiffPage{12}, testing::TiffPage{8, 3, true}}) {
    EXPECT_NE(
        refusal("a.tiff", testing::small_tiff({page}), ErrorCode::unsupported).find("convert"),
        std::string::npos);
  }
}

TEST_F(OddDocument, EncryptionThatIsNotKnownIsUnsupported) {
  OddPdf pdf;
  pdf.trailer += "/Encrypt<</Filter/Nobody.Knows/V 4/R 4>>/ID[<00><00>]";
  EXPECT_NE(refusal("a.pdf", pdf.text(), ErrorCode::unsupported).find("encrypt"),
            std::string::npos);
}

TEST_F(OddDocument, AnEncryptedArchiveSaysSo) {
  std::string zip = testing::stored_zip(
      {{"mimetype", "application/epub+zip"}, {"META-INF/container.xml", "<container/>"}});
  for (std::size_t at = zip.find("PK\x03\x04"); at != std::string::npos;
       at = zip.find("PK\x03\x04", at + 4)) {
    zip[at + 6] |= 1;
  }
  for (std::size_t at = zip.find("PK\x01\x02"); at != std::string::npos;
       at = zip.find("PK\x01\x02", at + 4)) {
    zip[at + 8] |= 1;
  }
  refusal("a.epub", zip, ErrorCode::encrypted);
}

// An older Office file with a stream that begins so at its fourth sector.
std::string office_container(const std::string& stream) {
  std::string bytes = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
  bytes.resize(3 * 512);
  bytes += stream;
  bytes.resize(4 * 512);
  return bytes;
}

// What is locked differs by one bit, record or token from what is not.
TEST_F(OddDocument, LockedFilesOfOldOfficeProgramsSaySo) {
  using namespace std::string_literals;
  const std::string letter = "\xec\xa5\xc1\0\x09\0\0\0\0\0\0"s;
  const std::string sheet = "\x09\x08\x10\0\0\x06\x05\0"s + std::string(12, '\0');
  const std::string slides = "\0\0\xf6\x0f\x14\0\0\0\x14\0\0\0"s;
  struct Case {
    std::string name, locked, open;
  };
  for (const Case& one :
       {Case{"a.doc", letter + "\x01", letter + "\0"s},
        Case{"a.xls", sheet + "\x2f\0\x36\0"s, sheet + "\xe1\0\x02\0"s},
        Case{"b.xls", sheet + "\x86\0\0\0\x2f\0\x36\0"s, sheet + "\x86\0\0\0\xe1\0\x02\0"s},
        Case{"a.ppt", slides + "\xdf\xc4\xd1\xf3", slides + "\x5f\xc0\x91\xe3"}}) {
    const std::string message =
        refusal(one.name, office_container(one.locked), ErrorCode::encrypted);
    EXPECT_NE(message.find("save it without a password"), std::string::npos) << message;
    refusal(one.name, office_container(one.open), ErrorCode::unsupported);
    refusal(one.name, one.locked, ErrorCode::unsupported);  // no container
  }
  for (const char* name : {"letter.docx", "letter.doc", "letter.odt", "sheet.xlsx", "sheet.xls",
                           "sheet.ods", "slides.odp", "slides.pptx"}) {
    const std::string bytes = read_file(std::string(FINEPRINT_TEST_DATA) + "/locked/" + name);
    refusal(name, bytes, ErrorCode::encrypted);
    refusal(std::string(name) + ".pdf", bytes, ErrorCode::encrypted);
  }
}

TEST_F(OddDocument, APictureWiderThanItsLibraryReadsIsTooLarge) {
  std::string jpeg = read_file(docs("ticket.jpg"));
  const std::size_t frame = jpeg.find("\xff\xc2");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\xff\xff\xff\xff");
  refusal("a.jpg", jpeg, ErrorCode::too_large);
}

TEST_F(OddDocument, APageOfAComicBookWhosePictureIsBrokenIsDamaged) {
  const std::string png = read_file(docs("notice-board.png"));
  const std::string path =
      folder_.write("a.cbz", testing::stored_zip({{"1.png", png}, {"2.png", "not a picture"}}));
  Document document(path, "");
  ASSERT_EQ(document.info().page_count, 2);
  EXPECT_FALSE(document.page(1).images.empty());
  try {
    document.page(2);
    ADD_FAILURE() << "page 2 was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::damaged);
  }
}

}  // namespace
}  // namespace fineprint::pdf
