// Words and rasters of the test documents against PyMuPDF's (scripts/golden/make_words.py).
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"
#include "fineprint/pdf/document.h"

#include "support/docs.h"

namespace fineprint::pdf {
namespace {

using testing::docs;

constexpr double kBoxTolerance = 0.5;   // points
constexpr double kGreyTolerance = 1.0;  // of 255, mean of a cell

const Json& golden() {
  static const Json words =
      parse_json(read_file(std::string(FINEPRINT_TEST_GOLDEN) + "/words.json"), "words.json");
  return words;
}

// Returns the words with the marks of notes at the end of the words that they touch, where PyMuPDF
// leaves them.
std::vector<Word> with_marks_joined(const std::vector<Word>& words) {
  std::vector<Word> joined;
  for (const Word& word : words) {
    // A mark before the comma of its word is within the word's box.
    const bool follows = !joined.empty() && word.box.x0 >= joined.back().box.x0 &&
                         word.box.x0 <= joined.back().box.x1 + 1 &&
                         word.box.y0 < joined.back().box.y1 && joined.back().box.y0 < word.box.y1;
    if (follows && is_note_mark(word.text)) {
      joined.back().text += word.text;
      joined.back().box = united(joined.back().box, word.box);
    } else {
      joined.push_back(word);
    }
  }
  return joined;
}

// Returns the characters of a word, plain ones in place of superscripts, in the order of their
// codes, because a mark is put after the comma that follows it.
std::u32string plain_characters(const std::string& text) {
  std::u32string plain;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    plain += plain_of_superscript(c) == 0 ? c : plain_of_superscript(c);
  }
  std::ranges::sort(plain);
  return plain;
}

void expect_words(const RawPage& page, const Json& expected) {
  const std::vector<Word> words = with_marks_joined(page.words);
  ASSERT_EQ(words.size(), expected["word_count"].get<std::size_t>());
  for (std::size_t i = 0; i < expected["words"].size(); ++i) {
    const Json& word = expected["words"][i];
    const Word& ours = words[i];
    ASSERT_EQ(plain_characters(ours.text), plain_characters(word["text"].get<std::string>()))
        << ours.text;
    const auto box = word["box"].get<std::vector<double>>();
    EXPECT_NEAR(ours.box.x0, box[0], kBoxTolerance) << ours.text;
    EXPECT_NEAR(ours.box.y0, box[1], kBoxTolerance) << ours.text;
    EXPECT_NEAR(ours.box.x1, box[2], kBoxTolerance) << ours.text;
    EXPECT_NEAR(ours.box.y1, box[3], kBoxTolerance) << ours.text;
  }
}

double cell_mean(const Image& image, int row, int column, int cells) {
  const int y0 = row * image.height / cells, y1 = (row + 1) * image.height / cells;
  const int x0 = column * image.width / cells, x1 = (column + 1) * image.width / cells;
  double sum = 0;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0 * image.channels; x < x1 * image.channels; ++x) sum += image.row(y)[x];
  }
  return sum / ((x1 - x0) * (y1 - y0) * image.channels);
}

void expect_raster(const Image& image, const Json& expected) {
  ASSERT_EQ(image.width, expected["raster"][0].get<int>());
  ASSERT_EQ(image.height, expected["raster"][1].get<int>());
  const int cells = golden()["grid"].get<int>();
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      const double mean = expected["grid"][static_cast<std::size_t>(row * cells + column)];
      EXPECT_NEAR(cell_mean(image, row, column, cells), mean, kGreyTolerance) << row << column;
    }
  }
}

class GoldenTest : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, WordsAndRastersAreThoseOfPyMuPdf) {
  Document document(docs(GetParam()), "");
  const Json& pages = golden()[GetParam()];
  ASSERT_EQ(static_cast<std::size_t>(document.info().page_count), pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    SCOPED_TRACE("page " + std::to_string(i + 1));
    const int number = static_cast<int>(i) + 1;
    const RawPage page = document.page(number);
    EXPECT_NEAR(page.width_pt, pages[i]["width"].get<double>(), 0.01);
    EXPECT_NEAR(page.height_pt, pages[i]["height"].get<double>(), 0.01);
    expect_words(page, pages[i]);
    expect_raster(document.raster(number, golden()["dpi"].get<double>(), false), pages[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, GoldenTest,
                         ::testing::Values("harbor-annual-report.pdf", "reef-survey-paper.pdf",
                                           "rotated-table.pdf", "slides-no-text.pdf",
                                           "scanned-letter.pdf", "notice-board.png", "ticket.jpg",
                                           "receipt.tiff", "handbook.html"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace fineprint::pdf
