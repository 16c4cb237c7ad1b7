// Sizes, layouts and refusals of the image processors, on images small enough to reason about.
#include "fineprint/preprocess/image_processor.h"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::preprocess {
namespace {

Image numbered(int width, int height, int channels = 3) {
  Image image{width, height, channels, {}};
  image.pixels.resize(image.stride() * static_cast<std::size_t>(height));
  std::iota(image.pixels.begin(), image.pixels.end(), std::uint8_t{0});
  return image;
}

// Pixel values come out as they are.
constexpr PixelNorm kAsIs{{0, 0, 0}, {1 / 255.0F, 1 / 255.0F, 1 / 255.0F}};

PatchProcessor tiny_patches() { return {2, 2, 2, 1, 1 << 20, kAsIs}; }
TileProcessor tiny_tiles() { return {2, 4, 4, kAsIs}; }
SquareProcessor tiny_square() { return {2, 2, 1, false, kAsIs}; }
SplitProcessor tiny_split() { return {4, 8, 1, true, kAsIs}; }
// Tokens of 2 x 2 patches of 1 pixel; the whole image has 1 to 4 of them.
GridProcessor tiny_grid() { return {1, 2, 1, 4, 4, 2, 6, 2, true, true, kAsIs}; }

template <class Call>
std::string refusal(Call call, ErrorCode code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(PatchProcessorTest, LaysPatchesOutInBlocks) {
  // 8 x 4 pixels: two blocks of 2 x 2 patches of 2 x 2 pixels.
  const Image image = numbered(8, 4);
  const PixelInput input = process_image(tiny_patches(), image);
  EXPECT_EQ(input.shape, (std::vector<std::int64_t>{8, 24}));
  EXPECT_EQ(input.grid, (std::array<std::int64_t, 3>{1, 2, 4}));
  EXPECT_EQ(input.tokens, 2);
  const auto corner = [&](std::size_t patch) { return input.values[patch * 24]; };
  const auto pixel = [&](int x, int y) { return static_cast<float>(image.row(y)[3 * x]); };
  const std::vector<std::pair<int, int>> corners{{0, 0}, {2, 0}, {0, 2}, {2, 2},
                                                 {4, 0}, {6, 0}, {4, 2}, {6, 2}};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_FLOAT_EQ(corner(i), pixel(corners[i].first, corners[i].second)) << i;
  }
  // Channel, frame, row, column.
  const std::vector<float> first(input.values.begin(), input.values.begin() + 24);
  const std::vector<float> expected{0, 3, 24, 27, 0, 3, 24, 27, 1, 4, 25, 28,
                                    1, 4, 25, 28, 2, 5, 26, 29, 2, 5, 26, 29};
  for (std::size_t i = 0; i < 24; ++i) EXPECT_FLOAT_EQ(first[i], expected[i]) << i;
}

TEST(MostPixels, AreThoseOfTheLargestImageThatIsNotShrunk) {
  EXPECT_EQ(most_pixels(PatchProcessor{.max_pixels = 1280 * 28 * 28, .norm = {}}), 1'003'520);
  EXPECT_EQ(most_pixels(TileProcessor{.tile = 336, .max_tiles = 16, .norm = {}}), 1'806'336);
  EXPECT_EQ(most_pixels(SquareProcessor{.width = 448, .height = 224, .norm = {}}), 100'352);
}

TEST(PatchProcessorTest, RoundsHalvesToTheEvenMultiple) {
  PatchProcessor processor;
  processor.min_pixels = 1;
  // 28 pixels a token: 42 is 1.5, 70 is 2.5, 98 is 3.5.
  EXPECT_EQ(plan_pixels(processor, 42, 70).width, 56);
  EXPECT_EQ(plan_pixels(processor, 42, 70).height, 56);
  EXPECT_EQ(plan_pixels(processor, 98, 71).width, 112);
  EXPECT_EQ(plan_pixels(processor, 98, 71).height, 84);
}

TEST(PatchProcessorTest, StaysWithinTheBudget) {
  const PatchProcessor processor;
  for (int width = 1; width < 5000; width = width * 7 / 4 + 1) {
    for (int height = 1; height < 5000; height = height * 9 / 5 + 1) {
      if (std::max(width, height) > 200 * std::min(width, height)) continue;
      const PixelInput input = plan_pixels(processor, width, height);
      const std::int64_t pixels = std::int64_t{input.width} * input.height;
      EXPECT_GE(pixels, processor.min_pixels) << width << " x " << height;
      EXPECT_LE(pixels, processor.max_pixels) << width << " x " << height;
      EXPECT_EQ(input.width % 28, 0);
      EXPECT_EQ(input.height % 28, 0);
      EXPECT_EQ(input.tokens * 28 * 28, pixels);
    }
  }
}

TEST(PatchProcessorTest, RefusesImagesThatAreTooThin) {
  EXPECT_NO_THROW(plan_pixels(PatchProcessor{}, 200, 1));
  EXPECT_NE(refusal([] { plan_pixels(PatchProcessor{}, 201, 1); }, ErrorCode::input).find("thin"),
            std::string::npos);
  refusal([] { plan_pixels(PatchProcessor{}, 1, 100000); }, ErrorCode::input);
}

TEST(TileProcessorTest, PutsTheGlobalViewFirstAndPadsWithWhite) {
  // A 4 x 1 image becomes 8 x 2 pixels: four tiles, nothing to pad.
  const PixelInput wide = process_image(tiny_tiles(), numbered(4, 1));
  EXPECT_EQ(wide.shape, (std::vector<std::int64_t>{5, 3, 2, 2}));
  EXPECT_EQ(wide.grid, (std::array<std::int64_t, 3>{1, 1, 4}));
  EXPECT_EQ(wide.tokens, 5 * 4 + 1 + 2 * 2);
  // A 7 x 1 image becomes 8 x 1 pixels and one white row below.
  const PixelInput thin = process_image(tiny_tiles(), numbered(7, 1));
  EXPECT_EQ(thin.height, 2);
  EXPECT_FLOAT_EQ(thin.values[12 + 2], 255);
  EXPECT_LT(thin.values[12 + 0], 10);
}

TEST(TileProcessorTest, PadsTallImagesLeftAndRight) {
  const PixelInput tall = process_image(tiny_tiles(), numbered(1, 7));
  EXPECT_EQ(tall.width, 2);
  EXPECT_EQ(tall.height, 8);
  EXPECT_EQ(tall.grid, (std::array<std::int64_t, 3>{1, 4, 1}));
  EXPECT_LT(tall.values[12 + 0], 10);
  EXPECT_FLOAT_EQ(tall.values[12 + 1], 255);
}

TEST(TileProcessorTest, RefusesImagesThatAreTooThin) {
  refusal([] { plan_pixels(TileProcessor{}, 1 << 20, 1); }, ErrorCode::input);
  refusal([] { process_image(tiny_tiles(), numbered(1, 999)); }, ErrorCode::input);
}

// Rows, columns, width and height that the reference gives for tiles of 512 and 2048 pixels.
TEST(SplitProcessorTest, PlansTilesAsTheReference) {
  struct Planned {
    int width, height;
    std::int64_t rows, columns;
  };
  const std::vector<Planned> all{{1240, 1754, 4, 3}, {1754, 1240, 3, 4}, {100, 100, 4, 4},
                                 {512, 512, 4, 4},   {1, 1, 4, 4},       {4000, 10, 1, 4},
                                 {10, 4000, 4, 1},   {1 << 20, 1, 1, 4}, {1, 1 << 20, 4, 1},
                                 {2048, 511, 1, 4},  {2048, 513, 2, 4},  {999, 998, 4, 4},
                                 {3, 2, 3, 4},       {640, 480, 3, 4},   {2560, 1600, 3, 4}};
  for (const Planned& one : all) {
    const PixelInput input = plan_pixels(SplitProcessor{.norm = {}}, one.width, one.height);
    EXPECT_EQ(input.grid, (std::array<std::int64_t, 3>{1, one.rows, one.columns}))
        << one.width << " x " << one.height;
    EXPECT_EQ(input.tokens, (one.rows * one.columns + 1) * 64);
    EXPECT_EQ(input.width, one.columns * 512);
    EXPECT_EQ(input.height, one.rows * 512);
  }
}

TEST(SplitProcessorTest, CutsLongEdgesToTheReferencesLimit) {
  const SplitProcessor large{.tile = 512, .longest_edge = 9000, .norm = {}};
  EXPECT_EQ(plan_pixels(large, 1000, 500).grid, (std::array<std::int64_t, 3>{1, 4, 8}));
}

TEST(SplitProcessorTest, PutsTilesRowByRowAndTheWholeLast) {
  // Left half 10, right half 200; below, 90 more.
  Image image{8, 8, 3, {}};
  image.pixels.resize(8 * 8 * 3);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      std::fill_n(image.row(y) + 3 * x, 3,
                  static_cast<std::uint8_t>((x < 4 ? 10 : 150) + (y < 4 ? 0 : 90)));
    }
  }
  const PixelInput input = process_image(tiny_split(), image);
  EXPECT_EQ(input.shape, (std::vector<std::int64_t>{5, 3, 4, 4}));
  EXPECT_EQ(input.tokens, 5);
  const auto tile = [&](std::size_t i) { return input.values[i * 48]; };
  EXPECT_FLOAT_EQ(tile(0), 10);
  EXPECT_FLOAT_EQ(tile(1), 150);
  EXPECT_FLOAT_EQ(tile(2), 100);
  EXPECT_FLOAT_EQ(tile(3), 240);
  EXPECT_NEAR(tile(4), 10, 20);
  EXPECT_NEAR(input.values[5 * 48 - 1], 240, 20);
}

TEST(SplitProcessorTest, LeavesWhatFitsATileWhole) {
  SplitProcessor one = tiny_split();
  one.longest_edge = 4;
  const PixelInput fits = process_image(one, numbered(9, 7));
  EXPECT_EQ(fits.grid, (std::array<std::int64_t, 3>{1, 0, 0}));
  EXPECT_EQ(fits.shape, (std::vector<std::int64_t>{1, 3, 4, 4}));
  SplitProcessor uncut = tiny_split();
  uncut.split = false;
  EXPECT_EQ(process_image(uncut, numbered(9, 7)).shape, fits.shape);
  EXPECT_EQ(most_pixels(uncut), 16);
  EXPECT_EQ(most_pixels(SplitProcessor{.norm = {}}), 2048 * 2048);
}

// Rows, columns, width and height that the reference gives with its own settings.
TEST(GridProcessorTest, PlansViewsAsTheReference) {
  struct Planned {
    int width, height;
    std::int64_t rows, columns;
    int whole_width, whole_height;
  };
  const std::vector<Planned> all{
      {1240, 1754, 3, 2, 416, 608},  {1754, 1240, 2, 3, 608, 416}, {100, 100, 0, 0, 256, 256},
      {512, 512, 0, 0, 512, 512},    {704, 704, 0, 0, 512, 512},   {720, 720, 0, 0, 512, 512},
      {736, 736, 2, 2, 512, 512},    {1024, 977, 2, 2, 512, 480},  {1056, 384, 0, 0, 832, 288},
      {1, 1, 0, 0, 256, 256},        {16, 900, 0, 0, 64, 1920},    {640, 480, 0, 0, 576, 416},
      {2560, 1600, 2, 3, 640, 384},  {2048, 511, 1, 4, 1024, 224}, {1000, 2000, 4, 2, 352, 704},
      {500, 1000, 0, 0, 352, 704},   {740, 740, 2, 2, 512, 512},   {3000, 300, 1, 10, 1600, 160},
      {300, 3000, 10, 1, 160, 1600}, {1100, 550, 1, 2, 704, 352},  {1500, 750, 2, 4, 704, 352}};
  for (const Planned& one : all) {
    const std::string name = format("{} x {}", one.width, one.height);
    const PixelInput input = plan_pixels(GridProcessor{.norm = {}}, one.width, one.height);
    EXPECT_EQ(input.grid, (std::array<std::int64_t, 3>{1, one.rows, one.columns})) << name;
    EXPECT_EQ(input.width, one.whole_width) << name;
    EXPECT_EQ(input.height, one.whole_height) << name;
    const std::int64_t tiles = one.rows * one.columns;
    EXPECT_EQ(input.tokens, tiles * 256 + one.whole_width * one.whole_height / 1024) << name;
    ASSERT_EQ(std::ssize(input.views), tiles + 1) << name;
    if (tiles > 0) EXPECT_EQ(input.views[0], (std::array<std::int64_t, 2>{32, 32}));
    EXPECT_EQ(input.views.back(),
              (std::array<std::int64_t, 2>{one.whole_height / 16, one.whole_width / 16}));
  }
}

TEST(GridProcessorTest, LaysPatchesOutViewByView) {
  // Each quarter has a number of its own.
  Image image{8, 8, 3, {}};
  image.pixels.resize(8 * 8 * 3);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      std::fill_n(image.row(y) + 3 * x, 3,
                  static_cast<std::uint8_t>((x < 4 ? 10 : 150) + (y < 4 ? 0 : 90)));
    }
  }
  const PixelInput input = process_image(tiny_grid(), image);
  EXPECT_EQ(input.grid, (std::array<std::int64_t, 3>{1, 2, 2}));
  EXPECT_EQ(input.shape, (std::vector<std::int64_t>{5 * 16, 3}));
  EXPECT_EQ(input.tokens, 5 * 4);
  const auto view = [&](std::size_t i) { return input.values[i * 48]; };
  EXPECT_FLOAT_EQ(view(0), 10);
  EXPECT_FLOAT_EQ(view(1), 150);
  EXPECT_FLOAT_EQ(view(2), 100);
  EXPECT_FLOAT_EQ(view(3), 240);
  EXPECT_NEAR(view(4), 10, 20);
  EXPECT_NEAR(input.values.back(), 240, 20);
  // The channels of a pixel follow each other, and a patch's pixels row by row.
  GridProcessor coarse = tiny_grid();
  coarse.patch = 2;
  coarse.split = false;
  const Image small = numbered(4, 4);
  const PixelInput whole = process_image(coarse, small);
  EXPECT_EQ(whole.shape, (std::vector<std::int64_t>{4, 12}));
  const std::vector<float> first(whole.values.begin(), whole.values.begin() + 12);
  EXPECT_EQ(first, (std::vector<float>{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17}));
}

TEST(GridProcessorTest, LeavesOutWhatTheSettingsSay) {
  GridProcessor bare = tiny_grid();
  bare.whole = false;
  EXPECT_EQ(process_image(bare, numbered(8, 8)).views.size(), 4U);
  EXPECT_EQ(process_image(bare, numbered(4, 4)).views.size(), 1U);
  GridProcessor uncut = tiny_grid();
  uncut.split = false;
  EXPECT_EQ(process_image(uncut, numbered(8, 8)).grid, (std::array<std::int64_t, 3>{1, 0, 0}));
  EXPECT_EQ(most_pixels(uncut), 16);
  EXPECT_EQ(most_pixels(GridProcessor{.norm = {}}), 10 * 512 * 512);
}

TEST(GridProcessorTest, RefusesImagesThatAreTooThin) {
  refusal([] { plan_pixels(GridProcessor{}, 1 << 20, 1); }, ErrorCode::input);
  refusal([] { process_image(tiny_grid(), numbered(1, 999)); }, ErrorCode::input);
}

TEST(ImageProcessorTest, TakesGreyAndTransparentImages) {
  const Image grey{2, 2, 1, {7, 7, 7, 7}};
  const Image clear{2, 2, 4, {9, 9, 9, 0, 9, 9, 9, 0, 9, 9, 9, 0, 9, 9, 9, 0}};
  const auto first = [](const ImageProcessor& processor, const Image& image) {
    return process_image(processor, image).values.front();
  };
  for (const ImageProcessor& processor :
       {ImageProcessor(tiny_patches()), ImageProcessor(tiny_tiles()), ImageProcessor(tiny_square()),
        ImageProcessor(tiny_split()), ImageProcessor(tiny_grid())}) {
    EXPECT_FLOAT_EQ(first(processor, grey), 7);
  }
  EXPECT_FLOAT_EQ(first(tiny_grid(), clear), 255);
  EXPECT_FLOAT_EQ(first(tiny_split(), clear), 255);
  EXPECT_FLOAT_EQ(first(tiny_patches(), clear), 255);
  EXPECT_FLOAT_EQ(first(tiny_square(), clear), 255);
  EXPECT_FLOAT_EQ(first(tiny_tiles(), clear), 9);
}

TEST(ImageProcessorTest, PlansWhatIsThenProcessed) {
  const std::vector<ImageProcessor> processors{tiny_patches(), tiny_tiles(), tiny_square(),
                                               tiny_split(), tiny_grid()};
  for (const ImageProcessor& processor : processors) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 5}, {6, 1}, {13, 9}, {3, 40}}) {
      const bool thin = processor.index() == 1 || processor.index() == 4;
      if (thin && width * 8 < height) continue;
      const PixelInput plan = plan_pixels(processor, width, height);
      const PixelInput done = process_image(processor, numbered(width, height));
      EXPECT_EQ(plan.shape, done.shape);
      EXPECT_EQ(plan.grid, done.grid);
      EXPECT_EQ(plan.tokens, done.tokens);
      EXPECT_EQ(plan.views, done.views);
      std::int64_t count = 1;
      for (const std::int64_t side : plan.shape) count *= side;
      EXPECT_EQ(static_cast<std::int64_t>(done.values.size()), count);
    }
  }
}

TEST(ImageProcessorTest, RefusesAbsurdSizes) {
  constexpr int kMost = std::numeric_limits<int>::max();
  const std::vector<ImageProcessor> processors{PatchProcessor{}, TileProcessor{}, SquareProcessor{},
                                               SplitProcessor{}, GridProcessor{}};
  for (const ImageProcessor& processor : processors) {
    for (const auto& [width, height] :
         {std::pair{0, 0}, {0, 9}, {9, 0}, {-1, 9}, {kMost, kMost}, {kMost, 1}, {-kMost, -kMost}}) {
      refusal([&] { plan_pixels(processor, width, height); }, ErrorCode::input);
    }
    EXPECT_THROW(process_image(processor, Image{}), Error);
    EXPECT_THROW(process_image(processor, Image{5, 5, 3, {}}), Error);
  }
}

TEST(ImageProcessorTest, RefusesAbsurdProcessors) {
  constexpr int kMost = std::numeric_limits<int>::max();
  constexpr std::int64_t kLong = std::numeric_limits<std::int64_t>::max();
  const PixelNorm no_deviation{{0, 0, 0}, {1, 0, 1}};
  const std::vector<ImageProcessor> absurd{PatchProcessor{0, 2, 2, 1, 99, {}},
                                           PatchProcessor{kMost, 2, 2, 1, 99, {}},
                                           PatchProcessor{14, 2, kMost, 1, 99, {}},
                                           PatchProcessor{14, -1, 2, 1, 99, {}},
                                           PatchProcessor{14, 2, 2, 100, 99, {}},
                                           PatchProcessor{14, 2, 2, 0, 0, {}},
                                           TileProcessor{0, 4, 144, {}},
                                           TileProcessor{336, 0, 144, {}},
                                           TileProcessor{336, kMost, 144, {}},
                                           TileProcessor{336, 4, 143, {}},
                                           SquareProcessor{0, 5, 1, false, {}},
                                           SquareProcessor{kMost, kMost, 1, false, {}},
                                           SquareProcessor{5, 5, 0, false, {}},
                                           SplitProcessor{0, 2048, 64, true, {}},
                                           SplitProcessor{kMost, 2048, 64, true, {}},
                                           SplitProcessor{512, 0, 64, true, {}},
                                           SplitProcessor{512, kMost, 64, true, {}},
                                           SplitProcessor{512, 2048, 0, true, {}},
                                           GridProcessor{.patch = 0, .norm = {}},
                                           GridProcessor{.patch = kMost, .norm = {}},
                                           GridProcessor{.merge = kMost, .norm = {}},
                                           GridProcessor{.min_tokens = 0, .norm = {}},
                                           GridProcessor{.min_tokens = 257, .norm = {}},
                                           GridProcessor{.max_tokens = kMost, .norm = {}},
                                           GridProcessor{.tile = 500, .norm = {}},
                                           GridProcessor{.tile = kMost, .norm = {}},
                                           GridProcessor{.min_tiles = 1, .norm = {}},
                                           GridProcessor{.min_tiles = 11, .norm = {}},
                                           GridProcessor{.max_tiles = kMost, .norm = {}},
                                           GridProcessor{.tolerance = 0, .norm = {}}};
  for (const ImageProcessor& processor : absurd) {
    refusal([&] { plan_pixels(processor, 100, 100); }, ErrorCode::model);
  }
  refusal([&] { process_image(SquareProcessor{2, 2, 1, false, no_deviation}, numbered(3, 3)); },
          ErrorCode::model);
  // A budget without end asks for more than there is.
  refusal([&] { plan_pixels(PatchProcessor{14, 2, 2, kLong, kLong, {}}, 100, 100); },
          ErrorCode::input);
  refusal([&] { plan_pixels(PatchProcessor{14, 2, 2, 1, kLong, {}}, 1 << 20, 1 << 20); },
          ErrorCode::input);
  refusal([&] { plan_pixels(PatchProcessor{14, 2, 2, 0, 99, {}}, 1, 1); }, ErrorCode::input);
}

}  // namespace
}  // namespace fineprint::preprocess
