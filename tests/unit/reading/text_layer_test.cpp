// When a page is worth recognizing, and how recognized words complete a text layer.
#include <gtest/gtest.h>

#include "reading/page_reader.h"
#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using testing::RawPageBuilder;

Image blank_page() { return {340, 440, 1, std::vector<std::uint8_t>(340 * 440, 250)}; }

Image printed_page() {
  Image image = blank_page();
  for (int y = 100; y < 300; ++y) {
    if (y % 8 < 3) std::fill(image.row(y) + 40, image.row(y) + 300, std::uint8_t{20});
  }
  return image;
}

TEST(TextLayer, FullPagesAreNotRasterised) {
  RawPageBuilder builder;
  for (int i = 0; i < 20; ++i)
    builder.text(50, 50.0F + 14 * i, "Plenty of words on each line here");
  const auto never = []() -> Image { throw std::logic_error("was rasterised"); };
  EXPECT_EQ(judge_text_layer(builder.page(), never), TextLayer::good);
}

TEST(TextLayer, BlankAndPrintedPagesWithoutWords) {
  const pdf::RawPage page = RawPageBuilder().page();
  EXPECT_EQ(judge_text_layer(page, blank_page), TextLayer::good);
  EXPECT_EQ(judge_text_layer(page, printed_page), TextLayer::incomplete);
}

TEST(TextLayer, InkUnderTheWordsIsExplained) {
  RawPageBuilder builder;
  for (int i = 0; i < 36; ++i) builder.text(70, 178.0F + 10 * i, "a", 10);
  pdf::RawPage page = builder.page();
  for (Word& word : page.words) word.box = {70, word.box.y0, 542, word.box.y0 + 10};
  EXPECT_EQ(judge_text_layer(page, printed_page), TextLayer::good);
}

TEST(TextLayer, LargePicturesWithoutWordsOnThemMaySayMore) {
  pdf::RawPage page = RawPageBuilder().text(50, 50, "a page with text of its own").page();
  page.images = {{100, 300, 400, 500}, {100, 600, 130, 630}, {100, 700, 171, 780}};
  ASSERT_EQ(large_pictures(page).size(), 1U);
  EXPECT_EQ(large_pictures(page)[0], (Box{100, 300, 400, 500}));
  // One cut into strips, and reaching over the page's edge.
  page.images = {{300, 300, 700, 340}, {300, 340, 700, 380}, {300, 380, 700, 420}};
  ASSERT_EQ(large_pictures(page).size(), 1U);
  EXPECT_EQ(large_pictures(page)[0], (Box{300, 300, page.width_pt, 420}));
  // A scan whose text layer somebody made.
  page.images = {{0, 0, page.width_pt, page.height_pt}};
  for (Word& word : page.words) word.box = {50, 50, 550, 120};
  EXPECT_TRUE(large_pictures(page).empty());
}

TEST(TextLayer, BrokenFontMapsAreJunk) {
  pdf::RawPage page = RawPageBuilder().text(50, 50, "some words of which most are broken").page();
  page.bad_characters = page.characters / 2;
  EXPECT_EQ(judge_text_layer(page, blank_page), TextLayer::junk);
}

TEST(TextLayer, RecognizedWordsFillTheGapsOnly) {
  pdf::RawPage page = RawPageBuilder().text(50, 50, "Title").page();
  std::vector<ocr::RecognizedWord> words(2);
  words[0].word = {"T1tle", {51, 51, 74, 60}, 10, 0.8F, false, false};
  words[1].word = {"picture", {50, 200, 90, 210}, 10, 0.9F, false, false};
  add_recognized(page, words);
  ASSERT_EQ(page.words.size(), 2U);
  EXPECT_EQ(page.words[1].text, "picture");
  EXPECT_NE(page.line_of_word[0], page.line_of_word[1]);
}

TEST(TextLayer, HeightsOfRecognizedLinesAreEvened) {
  pdf::RawPage page = RawPageBuilder().page();
  std::vector<ocr::RecognizedWord> words(5);
  const float sizes[] = {9, 12, 10, 30, 11};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const float y = 50.0F + 40 * static_cast<float>(i);
    words[i].word = {"word", {50, y, 90, y + sizes[i]}, sizes[i], 0.9F, false, false};
    words[i].line = i;
  }
  add_recognized(page, words);
  for (const std::size_t i : {0, 1, 2, 4}) EXPECT_EQ(page.words[i].size_pt, 11);
  EXPECT_EQ(page.words[3].size_pt, 30);
}

}  // namespace
}  // namespace fineprint::reading
