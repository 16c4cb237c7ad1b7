// Every format that src/documents/README.md promises opens and gives words or a picture, whatever
// its name.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/pdf/document.h"

#include "support/docs.h"
#include "support/small_books.h"
#include "support/small_jpx.h"
#include "support/small_pictures.h"
#include "support/temp_dir.h"

namespace fineprint::pdf {
namespace {

using testing::docs;
using testing::kQuarters;
using testing::Rgb;

std::string words_of(const RawPage& page) {
  std::string text;
  for (const Word& word : page.words) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

Rgb color_at(const Image& image, double x, double y) {
  const std::uint8_t* pixel =
      image.row(static_cast<int>(y * image.height)) + 3 * static_cast<std::size_t>(x * image.width);
  return {pixel[0], pixel[1], pixel[2]};
}

// The page shows the four colours, twice as wide as high.
void expect_quarters(Document* document, int page) {
  const Image image = document->raster(page, 144, false);
  ASSERT_EQ(image.channels, 3);
  EXPECT_NEAR(image.width, 2 * image.height, 2);
  for (std::size_t i = 0; i < kQuarters.size(); ++i) {
    const Rgb seen = color_at(image, i % 2 == 0 ? 0.25 : 0.75, i < 2 ? 0.25 : 0.75);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], kQuarters[i][c], 3) << "quarter " << i;
  }
}

class EachFormat : public ::testing::Test {
 protected:
  void expect_picture(const std::string& name, const std::string& bytes,
                      const std::string& format) {
    Document document(folder_.write(name, bytes), "");
    EXPECT_EQ(document.info().format, format);
    ASSERT_EQ(document.info().page_count, 1);
    EXPECT_EQ(document.page(1).images.size(), 1U) << "OCR has to know that there is a picture";
    expect_quarters(&document, 1);
  }
  // The code of the error that opening the file ends with; the message names the file.
  std::string refusal(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.write(name, bytes);
    try {
      const Document document(path, "");
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      return std::string(code_name(error.code()));
    }
    return "opened";
  }
  testing::TempDir folder_;
};

TEST_F(EachFormat, ReadsPng) { expect_picture("a.png", testing::quarters_png(32, 16), "PNG"); }
TEST_F(EachFormat, ReadsBmp) { expect_picture("a.bmp", testing::quarters_bmp(32, 16), "BMP"); }
TEST_F(EachFormat, ReadsGif) { expect_picture("a.gif", testing::quarters_gif(32, 16), "GIF"); }
TEST_F(EachFormat, ReadsJpeg2000) {
  for (const char* name : {"a.jp2", "a.jpx"}) {
    expect_picture(name, testing::quarters_jpx(), "JPEG 2000");
  }
}

TEST_F(EachFormat, ReadsJpeg) {
  Document ticket(docs("ticket.jpg"), "");
  const Image image = ticket.raster(1, 72, true);
  const auto [dark, light] = std::minmax_element(image.pixels.begin(), image.pixels.end());
  EXPECT_LT(*dark, 80);
  EXPECT_GT(*light, 200);
}

TEST_F(EachFormat, ReadsAllPagesOfATiff) {
  Document receipt(docs("receipt.tiff"), "");
  ASSERT_EQ(receipt.info().page_count, 2);
  const Image first = receipt.raster(1, 72, true);
  const Image second = receipt.raster(2, 72, true);
  for (const Image* image : {&first, &second}) {
    const auto dark = std::count_if(image->pixels.begin(), image->pixels.end(),
                                    [](std::uint8_t value) { return value < 128; });
    EXPECT_GT(dark, 100);
  }
  EXPECT_NE(first.pixels, second.pixels);
}

TEST_F(EachFormat, RefusesRunningTextThatTakesTooLongToCut) {
  std::string text;
  for (int line = 0; line < 60'000; ++line) text += "a line of words\n";
  EXPECT_GT(Document(folder_.write("long.txt", text), "").info().page_count, 500);
  while (text.size() < 6'000'000) text += text;
  try {
    const Document refused(folder_.write("longer.txt", text), "");
    FAIL() << refused.info().page_count << " pages";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::too_large);
    EXPECT_NE(std::string(error.what()).find("longer.txt: "), std::string::npos) << error.what();
  }
}

TEST_F(EachFormat, ReadsEpub) {
  Document book(folder_.write("book.epub", testing::small_epub()), "");
  const DocumentInfo info = book.info();
  EXPECT_EQ(info.format, "EPUB");
  EXPECT_EQ(info.title, "The Lamp Room");
  EXPECT_TRUE(info.reflowable);
  ASSERT_EQ(info.page_count, 2);
  EXPECT_EQ(words_of(book.page(1)), "Oil The lamp burns 42 litres a month.");
  EXPECT_EQ(words_of(book.page(2)), "Wicks Wicks are trimmed every Tuesday.");
  ASSERT_EQ(info.outline.size(), 2U);
  EXPECT_EQ(info.outline[1].title, "Wicks");
  EXPECT_EQ(info.outline[1].page, 2);
}

TEST_F(EachFormat, ReadsCbzInTheOrderOfItsNumbers) {
  Document comic(
      folder_.write("comic.cbz", testing::stored_zip({{"page10.png", testing::quarters_png(64, 32)},
                                                      {"page2.png", testing::quarters_png(32, 16)},
                                                      {"note.txt", "not a page"}})),
      "");
  ASSERT_EQ(comic.info().page_count, 2);
  EXPECT_LT(comic.page(1).width_pt, comic.page(2).width_pt);
  expect_quarters(&comic, 1);
  expect_quarters(&comic, 2);
}

TEST_F(EachFormat, ReadsXps) {
  Document document(folder_.write("slip.xps", testing::small_xps("Fee 42")), "");
  EXPECT_EQ(document.info().format, "XPS");
  ASSERT_EQ(document.info().page_count, 1);
  const RawPage page = document.page(1);
  EXPECT_NEAR(page.width_pt, 144, 0.1);
  EXPECT_NEAR(page.height_pt, 72, 0.1);
  EXPECT_EQ(words_of(page), "Fee 42");
  // Each letter advances by 0.6 of 24 pt.
  EXPECT_NEAR(page.words.at(1).box.x0, 15 + 4 * 14.4, 3);
  const Image image = document.raster(1, 72, false);
  EXPECT_EQ(color_at(image, 0.95, 0.95), (Rgb{255, 0, 0}));
  EXPECT_EQ(color_at(image, (15 + 0.3 * 24) / 144, 0.4), (Rgb{0, 0, 0})) << "the first letter";
}

TEST_F(EachFormat, ReadsHtml) {
  Document handbook(docs("handbook.html"), "");
  EXPECT_EQ(words_of(handbook.page(1)).substr(0, 48),
            "Staff handbook Wren and Alder Libraries. Edition");
  const std::string hours = words_of(handbook.page(2));
  EXPECT_NE(hours.find("The full week has 36.5 hours."), std::string::npos) << hours;
}

TEST_F(EachFormat, LooksIntoFilesWithAnotherFormatsName) {
  const std::string report = read_file(docs("harbor-annual-report.pdf"));
  for (const char* name : {"report.png", "report.epub", "report.html", "report.cbz"}) {
    Document document(folder_.write(name, report), "");
    EXPECT_EQ(document.info().format.substr(0, 3), "PDF") << name;
    EXPECT_EQ(document.info().page_count, 11) << name;
    EXPECT_FALSE(document.page(3).words.empty()) << name;
  }
  for (const char* name : {"picture.pdf", "picture.jpg", "picture.gif", "picture.epub"}) {
    Document document(folder_.write(name, testing::quarters_png(32, 16)), "");
    ASSERT_EQ(document.info().page_count, 1) << name;
    EXPECT_EQ(document.info().format, "PNG") << name;
    expect_quarters(&document, 1);
  }
  Document book(folder_.write("book.pdf", testing::small_epub()), "");
  EXPECT_EQ(book.info().page_count, 2);
}

TEST_F(EachFormat, RefusesWhatIsNoDocument) {
  const std::string text = "Minutes of the meeting.\nNobody came.\n";
  for (const char* name : {"minutes.pdf", "minutes.png", "minutes.epub", "minutes.cbz",
                           "minutes.xps", "minutes.tiff", "minutes.gif", "minutes.jp2"}) {
    const std::string code = refusal(name, text);
    EXPECT_TRUE(code == "damaged" || code == "unsupported") << name << ": " << code;
  }
}

// MuPDF would read the picture of its first page as a comic book.
TEST_F(EachFormat, RefusesOpenDocumentWhateverItsName) {
  const std::string thumbnail = testing::quarters_png(32, 16);
  for (const char* kind : {"text", "spreadsheet", "presentation"}) {
    const std::string media = std::string("application/vnd.oasis.opendocument.") + kind;
    const std::string letter = testing::stored_zip({{"mimetype", media},
                                                    {"Thumbnails/thumbnail.png", thumbnail},
                                                    {"content.xml", "<nothing/>"}});
    for (const char* name : {"letter.odt", "letter.pdf", "letter.cbz"}) {
      EXPECT_EQ(refusal(name, letter), "unsupported") << name << ": " << kind;
    }
    const std::string locked = testing::stored_zip({{"mimetype", media},
                                                    {"Thumbnails/thumbnail.png", thumbnail},
                                                    {"META-INF/manifest.xml", "<encryption-data/>"},
                                                    {"content.xml", "????"}});
    EXPECT_EQ(refusal("locked.pdf", locked), "encrypted") << kind;
  }
}

TEST_F(EachFormat, RefusesFilesCutShort) {
  for (const auto& [name, bytes] :
       std::vector<std::pair<std::string, std::string>>{{"a.bmp", testing::quarters_bmp(32, 16)},
                                                        {"a.jp2", testing::quarters_jpx()},
                                                        {"a.xps", testing::small_xps("x")},
                                                        {"a.epub", testing::small_epub()}}) {
    const std::string code = refusal(name, bytes.substr(0, 40));
    EXPECT_TRUE(code == "damaged" || code == "unsupported" || code == "empty")
        << name << ": " << code;
  }
}

TEST_F(EachFormat, HtmlThatNamesFilesWhichCannotBeOpenedKeepsItsText) {
  const std::string page =
      R"(<meta charset="UTF-8"><link rel="stylesheet" href="/site.css"><p>Before)"
      R"(</p><img src="logo.png"/><img src="/icon.svg"><p>after</p>)";
  Document file(folder_.write("a.html", page), "");
  EXPECT_EQ(words_of(file.page(1)), "Before [image][image] after");
  Document content("a.html", {.bytes = page, .kind = "html"});
  EXPECT_EQ(words_of(content.page(1)), "Before [image][image] after");
}

}  // namespace
}  // namespace fineprint::pdf
