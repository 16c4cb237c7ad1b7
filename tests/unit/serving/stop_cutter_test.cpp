// Tests of ending a stream of text before a stop string.
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/serving/sampling.h"

namespace fineprint::serving {
namespace {

// What comes out of the cutter, and what each piece gave.
struct Cut {
  std::string text;
  std::vector<std::string> pieces;
  bool stopped = false;
};

Cut cut(const std::vector<std::string>& stop, const std::vector<std::string>& pieces) {
  StopCutter cutter(stop);
  Cut out;
  for (const std::string& piece : pieces) out.pieces.push_back(cutter.push(piece));
  out.stopped = cutter.stopped();
  for (const std::string& piece : out.pieces) out.text += piece;
  out.text += cutter.finish();
  return out;
}

TEST(StopCutter, LetsAllTextThroughWithoutStopStrings) {
  const Cut out = cut({}, {"a", "", "bc"});
  EXPECT_EQ(out.pieces, (std::vector<std::string>{"a", "", "bc"}));
  EXPECT_FALSE(out.stopped);
}

TEST(StopCutter, EndsBeforeTheStopString) {
  const Cut out = cut({"END"}, {"one END two"});
  EXPECT_EQ(out.text, "one ");
  EXPECT_TRUE(out.stopped);
}

TEST(StopCutter, SeesStopStringsAcrossPieces) {
  const Cut out = cut({"\n\nUser:"}, {"yes", "\n", "\nUs", "er: more", "still more"});
  EXPECT_EQ(out.pieces, (std::vector<std::string>{"yes", "", "", "", ""}));
  EXPECT_EQ(out.text, "yes");
  EXPECT_TRUE(out.stopped);
}

TEST(StopCutter, HoldsBackOnlyWhatMayBeTheBeginningOfOne) {
  const Cut out = cut({"aab"}, {"xa", "a", "a", "c", "aa"});
  EXPECT_EQ(out.pieces, (std::vector<std::string>{"x", "", "a", "aac", ""}));
  EXPECT_EQ(out.text, "xaaacaa");
  EXPECT_FALSE(out.stopped);
}

TEST(StopCutter, OfOverlappingOnesTheFirstCompleteOneCounts) {
  EXPECT_EQ(cut({"abcd", "bc"}, {"xab", "cd"}).text, "xa");
  EXPECT_EQ(cut({"abcd", "bc"}, {"xabcd"}).text, "xa");
  EXPECT_EQ(cut({"bc", "abc"}, {"xabc"}).text, "x");  // both end here: the longer one
  EXPECT_EQ(cut({"aa", "aaa"}, {"baaa"}).text, "b");
}

TEST(StopCutter, AStopStringMayBeTheWholeText) {
  EXPECT_EQ(cut({"stop"}, {"st", "op"}).text, "");
  EXPECT_EQ(cut({"x"}, {"x"}).pieces, (std::vector<std::string>{""}));
}

TEST(StopCutter, TakesStopStringsOfSeveralBytesACharacter) {
  EXPECT_EQ(cut({"。"}, {"はい", "。", "いいえ"}).text, "はい");
  EXPECT_EQ(cut({"é!"}, {"caf", "é", "s"}).text, "cafés");
}

TEST(StopCutter, RefusesAnEmptyStopString) { EXPECT_THROW(StopCutter({"a", ""}), Error); }

// Whatever the pieces, the result is that of the whole text.
TEST(StopCutter, DoesNotDependOnThePieces) {
  std::mt19937 random(4);
  const auto letters = [&](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> stop;
    for (int i = 0; i < 3; ++i) stop.push_back(letters(2 + random() % 4));
    const std::string text = letters(30);
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size();) {
      pieces.push_back(text.substr(at, 1 + random() % 4));
      at += pieces.back().size();
    }
    const Cut whole = cut(stop, {text});
    const Cut parts = cut(stop, pieces);
    ASSERT_EQ(parts.text, whole.text) << text;
    ASSERT_EQ(parts.stopped, whole.stopped) << text;
  }
}

}  // namespace
}  // namespace fineprint::serving
