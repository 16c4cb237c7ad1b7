// Tesseract on pictures drawn here with letters of five by seven dots.
#include "fineprint/ocr/recognizer.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::ocr {
namespace {

constexpr double kDpi = 200;
constexpr int kDot = 5;  // pixels a dot: letters of 35 pixels, 12.6 points

const std::map<char, std::array<const char*, 7>>& letters() {
  static const std::map<char, std::array<const char*, 7>> all = {
      {'H', {"#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}},
      {'E', {"#####", "#....", "#....", "####.", "#....", "#....", "#####"}},
      {'L', {"#....", "#....", "#....", "#....", "#....", "#....", "#####"}},
      {'T', {"#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."}},
      {'I', {".###.", "..#..", "..#..", "..#..", "..#..", "..#..", ".###."}},
      {'F', {"#####", "#....", "#....", "####.", "#....", "#....", "#...."}},
  };
  return all;
}

struct Picture {
  Image image;
  std::uint8_t ink;

  Picture(std::uint8_t ground, std::uint8_t ink_value) : ink(ink_value) {
    image = {1000, 400, 1, std::vector<std::uint8_t>(1000 * 400, ground)};
  }
  void write(int left, int top, const std::string& text) {
    for (char letter : text) {
      if (letter != ' ') draw(left, top, letters().at(letter));
      left += 6 * kDot;
    }
  }
  void draw(int left, int top, const std::array<const char*, 7>& dots) {
    for (int row = 0; row < 7 * kDot; ++row) {
      for (int column = 0; column < 5 * kDot; ++column) {
        if (dots[static_cast<std::size_t>(row / kDot)][column / kDot] == '#') {
          image.row(top + row)[left + column] = ink;
        }
      }
    }
  }
};

Picture two_lines(std::uint8_t ground, std::uint8_t ink) {
  Picture picture(ground, ink);
  picture.write(100, 100, "THE HILL");
  picture.write(100, 200, "TELL IT");
  return picture;
}

const RecognizedWord* find_word(const std::vector<RecognizedWord>& words, const std::string& text) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const RecognizedWord& word) {
    return word.word.text == text;
  });
  return found == words.end() ? nullptr : &*found;
}

std::string all_text(const std::vector<RecognizedWord>& words) {
  std::string text;
  for (const RecognizedWord& word : words) text += word.word.text + " ";
  return text;
}

TEST(RecognizerTest, ReadsWordsWithBoxesInPoints) {
  Recognizer recognizer("eng");
  const auto words = recognizer.recognize(two_lines(255, 0).image, kDpi).words;
  const RecognizedWord* hill = find_word(words, "HILL");
  ASSERT_NE(hill, nullptr) << all_text(words);
  const double points = 72 / kDpi;
  EXPECT_NEAR(hill->word.box.x0, (100 + 4 * 6 * kDot) * points, 1.5);
  EXPECT_NEAR(hill->word.box.y0, 100 * points, 1.5);
  EXPECT_NEAR(hill->word.box.y1, 135 * points, 1.5);
  EXPECT_NEAR(hill->word.size_pt, 35 * points, 2);
  EXPECT_GT(hill->word.confidence, 0.3F);
  EXPECT_LE(hill->word.confidence, 1.0F);
}

TEST(RecognizerTest, NumbersLines) {
  Recognizer recognizer("eng");
  const auto words = recognizer.recognize(two_lines(255, 0).image, kDpi).words;
  const RecognizedWord* the = find_word(words, "THE");
  const RecognizedWord* hill = find_word(words, "HILL");
  const RecognizedWord* tell = find_word(words, "TELL");
  ASSERT_TRUE(the != nullptr && hill != nullptr && tell != nullptr) << all_text(words);
  EXPECT_EQ(the->line, hill->line);
  EXPECT_NE(the->line, tell->line);
}

TEST(RecognizerTest, ReadsLightOnDark) {
  Recognizer recognizer("eng");
  const auto words = recognizer.recognize(two_lines(30, 240).image, kDpi).words;
  EXPECT_NE(find_word(words, "HILL"), nullptr) << all_text(words);
}

TEST(RecognizerTest, FindsNothingOnBlankOrTinyPictures) {
  Recognizer recognizer("eng");
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(recognizer.recognize(Picture(255, 0).image, kDpi).words.empty());
  EXPECT_TRUE(recognizer.recognize({3, 3, 1, std::vector<std::uint8_t>(9)}, kDpi).words.empty());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(RecognizerTest, DropsWordsBelowTheConfidenceAskedFor) {
  Recognizer recognizer("eng");
  EXPECT_TRUE(recognizer.recognize(two_lines(255, 0).image, kDpi, 1.01).words.empty());
}

// Print upside down, with letters that are others when they stand on their heads.
TEST(RecognizerTest, IsSureOfPrintThatIsUpright) {
  Recognizer recognizer("eng");
  Image image = two_lines(255, 0).image;
  const double upright = recognizer.recognize(image, kDpi).confidence;
  std::reverse(image.pixels.begin(), image.pixels.end());
  const double upside_down = recognizer.recognize(image, kDpi).confidence;
  EXPECT_GT(upright, 0.7);
  EXPECT_LT(upside_down, upright - 0.1);
  EXPECT_EQ(recognizer.recognize(Picture(255, 0).image, kDpi).confidence, 1);
}

TEST(RecognizerTest, RefusesColour) {
  Recognizer recognizer("eng");
  EXPECT_THROW(recognizer.recognize({1, 1, 3, {0, 0, 0}}, kDpi), Error);
}

TEST(RecognizerTest, NamesThePackageOfAMissingLanguage) {
  for (const std::string languages : {"chi_sim", "eng+chi_sim"}) {
    try {
      const Recognizer recognizer(languages);
      GTEST_SKIP() << "chi_sim is installed here";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
      EXPECT_NE(std::string(error.what()).find("tesseract-ocr-chi-sim"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_THROW(Recognizer(""), Error);
}

TEST(RecognizerTest, ListsLanguagesAndVersion) {
  const auto languages = installed_languages();
  EXPECT_TRUE(std::is_sorted(languages.begin(), languages.end()));
  EXPECT_NE(std::find(languages.begin(), languages.end(), "eng"), languages.end());
  EXPECT_EQ(tesseract_version().substr(0, 1), "5");
}

}  // namespace
}  // namespace fineprint::ocr
