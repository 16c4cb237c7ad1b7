// Pixels against the values that the references gave for drawn pages and awkward images.
#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"
#include "fineprint/preprocess/image_processor.h"

#include "preprocess/patch_processor.h"
#include "preprocess/tile_processor.h"
#include "support/golden_case.h"

namespace fineprint::preprocess {
namespace {

using testing::GoldenCase;

constexpr PixelNorm kClip{{0.48145466F, 0.4578275F, 0.40821073F},
                          {0.26862954F, 0.26130258F, 0.27577711F}};
constexpr double kExact = 1e-6;

PatchProcessor patches(std::int64_t max_pixels) {
  PatchProcessor processor;
  processor.min_pixels = 3136;
  processor.max_pixels = max_pixels;
  processor.norm = kClip;
  return processor;
}

// The same processor with Pillow's resampling.
PixelInput process_by_pillow(const PatchProcessor& processor, const Image& image) {
  PixelInput input = plan_patches(processor, image.width, image.height);
  const Image rgb = image::to_rgb(image, image::Alpha::on_white);
  fill_patches(processor,
               image::resample(rgb, input.width, input.height, image::Filter::bicubic,
                               image::Arithmetic::pillow),
               &input);
  return input;
}

void append(const PixelInput& input, std::vector<float>* values, std::vector<std::int64_t>* grids) {
  values->insert(values->end(), input.values.begin(), input.values.end());
  grids->insert(grids->end(), input.grid.begin(), input.grid.end());
}

// `prefix`: a run or a preprocessed image of the case.
void compare_patches(const GoldenCase& golden, const PatchProcessor& processor,
                     const std::vector<std::string>& files, const std::string& prefix) {
  std::vector<float> values, by_pillow;
  std::vector<std::int64_t> grids, unused;
  for (const std::string& file : files) {
    const Image image = golden.picture(file);
    append(process_image(processor, image), &values, &grids);
    append(process_by_pillow(processor, image), &by_pillow, &unused);
  }
  EXPECT_EQ(grids, golden.integers(prefix + ".image_grid_thw")) << prefix;
  EXPECT_LE(golden.difference(prefix + ".pixel_values", values), kExact) << prefix;
  if (golden.has(prefix + ".pixel_values_pil.sample_value")) {
    EXPECT_LE(golden.difference(prefix + ".pixel_values_pil", by_pillow), kExact) << prefix;
  }
}

class PatchGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(PatchGolden, PixelsAndGridsEqualTheReference) {
  const GoldenCase golden(GetParam());
  const nlohmann::json facts = golden.facts();
  int compared = 0;
  for (const auto& run : facts.at("runs")) {
    const auto files = run.at("images").get<std::vector<std::string>>();
    if (files.empty()) continue;
    compare_patches(golden, patches(94080), files, run.at("name"));
    ++compared;
  }
  for (const auto& image : facts.at("preprocess_only")) {
    compare_patches(golden, patches(94080), {image.at("image")}, image.at("tensor_prefix"));
    ++compared;
  }
  EXPECT_GE(compared, 3);
}

INSTANTIATE_TEST_SUITE_P(Cases, PatchGolden,
                         ::testing::Values("qwen25vl_a", "qwen25vl_b_tied_v5layout"));

TEST(ImageGolden, ColQwen2PagesEqualTheReference) {
  const GoldenCase golden("colqwen2_a");
  const std::vector<std::int64_t> shape = golden.shape("pages.pixel_values");
  const std::vector<float> expected = golden.floats("pages.pixel_values");
  const auto page = static_cast<std::size_t>(shape[1] * shape[2]);
  std::vector<std::int64_t> grids;
  for (std::size_t i = 0; i < 2; ++i) {
    const PixelInput input = process_image(
        patches(47040), golden.picture(i == 0 ? "input/page_a.png" : "input/page_b.png"));
    grids.insert(grids.end(), input.grid.begin(), input.grid.end());
    ASSERT_LE(input.values.size(), page);
    for (std::size_t k = 0; k < input.values.size(); ++k) {
      ASSERT_NEAR(input.values[k], expected[i * page + k], kExact) << "page " << i << " at " << k;
    }
  }
  EXPECT_EQ(grids, golden.integers("pages.image_grid_thw"));
}

TEST(ImageGolden, ColPaliPagesEqualPillowAndAreNearTorchvision) {
  const GoldenCase golden("colpali_a");
  SquareProcessor processor;
  processor.width = processor.height = 112;
  processor.tokens = 64;
  processor.norm = {{0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 0.5F}};
  std::vector<float> values;
  for (const char* file : {"input/page_a.png", "input/page_b.png"}) {
    const PixelInput input = process_image(processor, golden.picture(file));
    EXPECT_EQ(input.shape, (std::vector<std::int64_t>{1, 3, 112, 112}));
    EXPECT_EQ(input.tokens, 64);
    values.insert(values.end(), input.values.begin(), input.values.end());
  }
  EXPECT_LE(golden.difference("pages.pixel_values_pil", values), kExact);
  const double apart = golden.difference("pages.pixel_values", values);
  EXPECT_LE(apart, 0.016);
  RecordProperty("largest_difference_to_torchvision", format("{}", apart));
}

TileProcessor tiles(int max_tiles) {
  TileProcessor processor;
  processor.max_tiles = max_tiles;
  processor.norm = kClip;
  return processor;
}

TEST(ImageGolden, Phi3PaddedPagesEqualTheReferenceByteForByte) {
  const GoldenCase golden("phi3v_a");
  for (const char* page : {"page_a", "page_b", "page_c"}) {
    const Image padded = pad_to_tiles(tiles(4), golden.picture(format("input/{}.png", page)));
    const Image expected = golden.picture(format("expected/hd_{}.png", page));
    EXPECT_EQ(padded.width, expected.width) << page;
    EXPECT_EQ(padded.height, expected.height) << page;
    EXPECT_TRUE(padded.pixels == expected.pixels) << page;
  }
}

TEST(ImageGolden, Phi3ViewsEqualTheReference) {
  const GoldenCase golden("phi3v_a");
  for (const char* page : {"page_a", "page_b", "page_c"}) {
    const PixelInput input = process_image(tiles(4), golden.picture(format("input/{}.png", page)));
    const std::ptrdiff_t view = std::ptrdiff_t{3} * 336 * 336;
    ASSERT_EQ(static_cast<std::ptrdiff_t>(input.values.size()), input.shape[0] * view);
    const std::vector<float> global(input.values.begin(), input.values.begin() + view);
    const std::vector<float> crops(input.values.begin() + view, input.values.end());
    const std::string prefix = format("pre.{}.", page);
    EXPECT_LE(golden.difference(prefix + "global_view", global), 2e-6) << page;
    EXPECT_LE(golden.difference(prefix + "crops", crops), kExact) << page;
  }
}

TEST(ImageGolden, Phi3SizesAndTokensEqualTheTable) {
  const nlohmann::json rows = GoldenCase("phi3v_a").facts().at("hd_size_table").at("rows");
  ASSERT_GE(rows.size(), 60U);
  for (const auto& cells : rows) {
    const auto row = cells.get<std::vector<std::int64_t>>();
    const PixelInput input = plan_pixels(tiles(static_cast<int>(row[0])), static_cast<int>(row[1]),
                                         static_cast<int>(row[2]));
    const std::vector<std::int64_t> got{row[0],      row[1],       row[2],
                                        input.width, input.height, input.grid[1] * input.grid[2],
                                        input.tokens};
    EXPECT_EQ(got, row);
    EXPECT_EQ(input.shape[0], row[5] + 1);
  }
}

TEST(ImageGolden, Phi3SizesOfTheRunsEqualTheReference) {
  const GoldenCase golden("phi3v_a");
  const nlohmann::json facts = golden.facts();
  for (const auto& run : facts.at("runs")) {
    const std::string name = std::string(run.at("name")) + ".image_sizes";
    if (!golden.has(name)) continue;
    std::vector<std::int64_t> sizes;
    for (const std::string file : run.at("images")) {
      const Image image = golden.picture(file);
      const PixelInput input = plan_pixels(tiles(4), image.width, image.height);
      sizes.insert(sizes.end(), {input.height, input.width});
    }
    EXPECT_EQ(sizes, golden.integers(name));
  }
}

}  // namespace
}  // namespace fineprint::preprocess
