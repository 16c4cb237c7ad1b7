// Which doubted words stay, on words made here.
#include "ocr/doubted.h"

#include <gtest/gtest.h>

namespace fineprint::ocr {
namespace {

RecognizedWord word(const std::string& text, float confidence, std::uint32_t line) {
  RecognizedWord made;
  made.word.text = text;
  made.word.confidence = confidence;
  made.line = line;
  return made;
}

std::string texts(const std::vector<RecognizedWord>& words) {
  std::string all;
  for (const RecognizedWord& found : words) all += found.word.text + " ";
  return all;
}

TEST(Doubted, MeanIsOverCharacters) {
  EXPECT_EQ(mean_confidence({}), 1);
  EXPECT_NEAR(mean_confidence({word("a", 0, 0), word("bbb", 0.8F, 0)}), 0.6, 1e-6);
}

TEST(Doubted, WordsStayAmongSureOnesAndFallWithTheirLine) {
  std::vector<RecognizedWord> words = {
      word("Contact:", 0.95F, 0), word("a@b.org", 0.05F, 0),                        // kept
      word("~|;", 0.1F, 1),       word("ab", 0.9F, 1),       word("!fi", 0.2F, 1),  // a photo
      word("sure", 0.3F, 2),                                                        // at limit
      word("unsure", 0.29F, 3),                                                     // alone
  };
  drop_doubted_lines(words, 0.3);
  EXPECT_EQ(texts(words), "Contact: a@b.org sure ");
  EXPECT_EQ(words[1].word.confidence, 0.05F);
}

TEST(Doubted, NothingIsDroppedBelowZeroAndAllAboveOne) {
  std::vector<RecognizedWord> words = {word("one", 0, 0), word("two", 1, 1)};
  drop_doubted_lines(words, 0);
  EXPECT_EQ(words.size(), 2U);
  drop_doubted_lines(words, 1.01);
  EXPECT_TRUE(words.empty());
}

}  // namespace
}  // namespace fineprint::ocr
