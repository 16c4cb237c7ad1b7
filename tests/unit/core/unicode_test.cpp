// Folding, decoding and classes of characters.
#include "fineprint/core/unicode.h"

#include <random>

#include <gtest/gtest.h>

namespace fineprint {
namespace {

std::string random_bytes(std::mt19937* random) {
  std::string out;
  const std::size_t length = (*random)() % 40;
  for (std::size_t i = 0; i < length; ++i) out.push_back(static_cast<char>((*random)()));
  return out;
}

std::string random_text(std::mt19937* random) {
  std::string out;
  for (int i = 0; i < 20; ++i) {
    const char32_t limit = i % 3 == 0 ? 0x110000 : (i % 3 == 1 ? 0x3000 : 0x80);
    const char32_t c = (*random)() % limit;
    append_utf8(c >= 0xD800 && c <= 0xDFFF ? U'x' : c, &out);
  }
  return out;
}

TEST(UnicodeTest, FoldsCaseWidthAndTypography) {
  EXPECT_EQ(fold("Net SALES"), "net sales");
  EXPECT_EQ(fold("Straße ÉCOLE"), "strasse école");
  EXPECT_EQ(fold("e\u0301"), "é");
  EXPECT_EQ(fold("ﬁscal ２０２２ x²"), "fiscal 2022 x2");
  EXPECT_EQ(fold("“a” ‘b’ c´s `d` «e»"), "\"a\" 'b' c's 'd' \"e\"");
  EXPECT_EQ(fold("1–2—3‑4−5"), "1-2-3-4-5");
  EXPECT_EQ(fold("a\u00a0b\u2009c\td"), "a b c d");
  EXPECT_EQ(fold("soft\u00adware zero\u200bwidth\ufeff"), "software zerowidth");
  EXPECT_EQ(fold(""), "");
}

TEST(UnicodeTest, FoldingTwiceChangesNothing) {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::string once = fold(i % 2 == 0 ? random_text(&random) : random_bytes(&random));
    EXPECT_EQ(fold(once), once);
  }
}

TEST(UnicodeTest, InvalidBytesBecomeReplacementCharacters) {
  EXPECT_EQ(valid_utf8("a\xff"
                       "b"),
            "a\ufffdb");
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\ufffd\ufffd");                      // overlong
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");            // surrogate
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");  // past the last
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\ufffd\ufffd");                      // cut off
  EXPECT_EQ(valid_utf8("€\xf0\x9f\x98\x80"), "€\U0001F600");
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::string valid = valid_utf8(random_bytes(&random));
    EXPECT_EQ(valid_utf8(valid), valid);
  }
}

TEST(UnicodeTest, OneLineHasOneBlankBetweenWords) {
  EXPECT_EQ(one_line(" \t Net\n\nsales \u00a0\u3000of  2024\r\n"), "Net sales of 2024");
  EXPECT_EQ(one_line("中\u3000文"), "中 文");
  EXPECT_EQ(one_line("a\xff"
                     "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(one_line(" \n"), "");
  EXPECT_EQ(one_line(""), "");
}

TEST(UnicodeTest, CodePointsGoThereAndBack) {
  for (char32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 97) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(c, &text);
    std::size_t at = 0;
    EXPECT_EQ(next_code_point(text, &at), c);
    EXPECT_EQ(at, text.size());
  }
}

TEST(UnicodeTest, Classes) {
  EXPECT_TRUE(is_letter('a') && is_letter(U'é') && is_letter(U'中') && is_letter(U'\u0301'));
  EXPECT_FALSE(is_letter('1') || is_letter('-') || is_letter(U'€'));
  EXPECT_TRUE(is_digit('7') && is_digit(U'٣'));
  EXPECT_FALSE(is_digit(U'²') || is_digit('x'));
  EXPECT_TRUE(is_space(' ') && is_space('\n') && is_space(U'\u00a0') && is_space(U'\u3000'));
  EXPECT_FALSE(is_space('_') || is_space(U'\u200b'));
}

TEST(UnicodeTest, CountsCodePointsOfOneToFourBytes) {
  EXPECT_EQ(count_code_points(""), 0U);
  EXPECT_EQ(count_code_points("a\u00e9\u20ac\U0001f4c4"), 4U);
}

}  // namespace
}  // namespace fineprint
