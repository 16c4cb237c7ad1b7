// Boxes in points as pixels, and quotes found or told where they are.
#include "fineprint/report/marks.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/expect_mentions.h"
#include "support/small_store.h"

namespace fineprint::report {
namespace {

Image grey_rgb(int width, int height, std::uint8_t value) {
  Image image{width, height, 3, {}};
  image.pixels.assign(image.stride() * static_cast<std::size_t>(height), value);
  return image;
}

std::vector<int> pixel(const Image& image, int x, int y) {
  const std::uint8_t* at = image.row(y) + 3 * x;
  return {at[0], at[1], at[2]};
}

// At 144 dpi a point is two pixels; half a point of air on each side.
TEST(Marks, BoxesMapToPixels) {
  const Image page = grey_rgb(200, 100, 255);
  EXPECT_EQ(pixels_of({10, 20, 30, 25}, 2, page), (PixelBox{19, 39, 61, 51}));
  EXPECT_EQ(pixels_of({10, 20, 30, 25}, 1.5, page), (PixelBox{14, 29, 46, 38}));
}

TEST(Marks, BoxesEndWhereThePictureDoes) {
  const Image page = grey_rgb(200, 100, 255);
  EXPECT_EQ(pixels_of({-5, 40, 200, 80}, 2, page), (PixelBox{0, 79, 200, 100}));
  EXPECT_EQ(pixels_of({30, 20, 10, 25}, 2, page), PixelBox{});
  const PixelBox beyond = pixels_of({500, 20, 510, 25}, 2, page);
  EXPECT_EQ(beyond.x0, beyond.x1);
}

TEST(Marks, LightIsColouredDarkStaysAndAFrameGoesRoundIt) {
  Image page = grey_rgb(60, 40, 255);
  page.row(20)[3 * 30] = page.row(20)[3 * 30 + 1] = page.row(20)[3 * 30 + 2] = 0;  // a letter
  draw_marks({{10, 8, 20, 12}}, 2, &page);  // pixels [19, 41) x [15, 25)
  EXPECT_EQ(pixel(page, 30, 20), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(pixel(page, 25, 20), (std::vector<int>{255, 226, 80}));
  for (const auto& [x, y] : {std::pair{19, 15}, {40, 24}, {20, 23}}) {
    EXPECT_EQ(pixel(page, x, y), (std::vector<int>{214, 96, 0})) << x << ' ' << y;
  }
  for (const auto& [x, y] : {std::pair{18, 20}, {41, 20}, {30, 14}, {30, 25}}) {
    EXPECT_EQ(pixel(page, x, y), (std::vector<int>{255, 255, 255})) << x << ' ' << y;
  }
}

class FindMarks : public ::testing::Test {
 protected:
  FindMarks() {
    store_.put("ferry.pdf", {testing::typed_page({"The ferry was built in 1931 at Skerrow yard."}),
                             testing::typed_page({"Tern & Pollock audit the accounts."}),
                             testing::typed_page({})});
  }
  std::vector<Mark> find(std::uint32_t page, const std::string& quote) const {
    return find_marks(session::Corpus(store_.store()), PageId(page), {quote});
  }

  // What Error(input) says.
  std::string problem(std::uint32_t page, const std::string& quote) const {
    try {
      find(page, quote);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      return error.what();
    }
    return "no error";
  }

  testing::SmallStore store_;
};

// A typewriter's character is 6 points wide.
TEST_F(FindMarks, AreWhereTheWordsStand) {
  const std::vector<Mark> marks = find(0, "built in 1931");
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks.front().boxes, (std::vector<Box>{{84, 0, 162, 10}}));
  EXPECT_EQ(marks.front().similarity, 1);
}

TEST_F(FindMarks, SayOnWhichPageAQuoteStands) {
  testing::expect_mentions(problem(0, "Pollock audit the accounts"),
                           {"ferry.pdf, page 1", "Pollock audit the accounts", "it is on page 2"});
}

TEST_F(FindMarks, SayWhatIsNearest) {
  testing::expect_mentions(
      problem(0, "The ferry was built in 1913 at Skerrow yard"),
      {"the nearest words are \"The ferry was built in 1931 at Skerrow yard.\""});
}

TEST_F(FindMarks, SayWhereNothingIsLikeAQuoteOrNothingWasRead) {
  testing::expect_mentions(problem(0, "lobster pots are repaired"),
                           {"no words of the page are similar"});
  testing::expect_mentions(problem(2, "lobster pots"), {"the page has no words"});
}

}  // namespace
}  // namespace fineprint::report
