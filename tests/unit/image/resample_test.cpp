// Resizing against Pillow's and PyTorch's own results, and sizes that cannot be.
#include "fineprint/image/resample.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "support/golden_tensors.h"

namespace fineprint::image {
namespace {

using testing::GoldenTensors;

// Made by scripts/golden/make_pixels.py.
const GoldenTensors& golden() {
  static const GoldenTensors tensors(FINEPRINT_TEST_GOLDEN "/pixels.safetensors");
  return tensors;
}

Image picture(const std::string& name) {
  const std::vector<std::int64_t> shape = golden().shape(name);
  return {static_cast<int>(shape[1]), static_cast<int>(shape[0]), 3, golden().bytes(name)};
}

int compare_all(const std::string& filter_name, Filter filter, const std::string& arithmetic_name,
                Arithmetic arithmetic) {
  int compared = 0;
  for (int i = 0; golden().has(format("in.{}", i)); ++i) {
    const std::string name = format("{}.{}.{}", filter_name, arithmetic_name, i);
    if (!golden().has(name)) continue;
    const Image source = picture(format("in.{}", i));
    const Image expected = picture(name);
    const Image got = resample(source, expected.width, expected.height, filter, arithmetic);
    EXPECT_EQ(got.pixels, expected.pixels) << name << ": " << source.width << " x " << source.height
                                           << " to " << got.width << " x " << got.height;
    ++compared;
  }
  return compared;
}

TEST(ResampleTest, EqualsPillow) {
  EXPECT_EQ(compare_all("bilinear", Filter::bilinear, "pillow", Arithmetic::pillow), 25);
  EXPECT_EQ(compare_all("bicubic", Filter::bicubic, "pillow", Arithmetic::pillow), 25);
  EXPECT_EQ(compare_all("lanczos", Filter::lanczos, "pillow", Arithmetic::pillow), 25);
}

TEST(ResampleTest, EqualsTorchvision) {
  EXPECT_EQ(compare_all("bilinear", Filter::bilinear, "torchvision", Arithmetic::torchvision), 23);
  EXPECT_EQ(compare_all("bicubic", Filter::bicubic, "torchvision", Arithmetic::torchvision), 23);
  EXPECT_EQ(compare_all("lanczos", Filter::lanczos, "torchvision", Arithmetic::torchvision), 23);
}

TEST(ResampleTest, KeepsFlatPicturesFlat) {
  const Image grey{9, 7, 3, std::vector<std::uint8_t>(9 * 7 * 3, 201)};
  for (const Arithmetic arithmetic : {Arithmetic::pillow, Arithmetic::torchvision}) {
    const Image got = resample(grey, 31, 3, Filter::bicubic, arithmetic);
    EXPECT_EQ(got.pixels, std::vector<std::uint8_t>(31 * 3 * 3, 201));
  }
}

TEST(ResampleTest, ShrinksALongRowToOnePixel) {
  Image row{1 << 20, 1, 3, {}};
  row.pixels.assign(row.stride(), 255);
  for (const Arithmetic arithmetic : {Arithmetic::pillow, Arithmetic::torchvision}) {
    const Image got = resample(row, 1, 1, Filter::bicubic, arithmetic);
    EXPECT_NEAR(got.pixels[0], 255, 64);  // weights this small are rounded away in part
  }
}

TEST(ResampleTest, RefusesSizesThatCannotBe) {
  const Image dot{1, 1, 3, {1, 2, 3}};
  for (const auto& [width, height] : {std::pair{0, 1}, {1, -1}, {(1 << 20) + 1, 1}, {1, 1 << 30}}) {
    try {
      resample(dot, width, height, Filter::bicubic, Arithmetic::pillow);
      ADD_FAILURE() << width << " x " << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
    }
  }
  EXPECT_THROW(resample({1, 1, 1, {1}}, 2, 2, Filter::bicubic, Arithmetic::pillow), Error);
  EXPECT_THROW(resample({}, 2, 2, Filter::bicubic, Arithmetic::pillow), Error);
}

TEST(SampleBicubicTest, EqualsPyTorch) {
  for (int i = 0; i < 5; ++i) {
    const std::string in = format("plain.in.{}", i), out = format("plain.out.{}", i);
    const auto from = golden().shape(in), to = golden().shape(out);
    const std::vector<float> planes = golden().floats(in), expected = golden().floats(out);
    const std::vector<float> got =
        sample_bicubic(planes, {static_cast<int>(from[2]), static_cast<int>(from[1])},
                       {static_cast<int>(to[2]), static_cast<int>(to[1])});
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], expected[k], 2e-6) << out;
  }
}

TEST(SampleBicubicTest, RefusesSizesThatCannotBe) {
  EXPECT_THROW(sample_bicubic(std::vector<float>{1}, {1, 1}, {0, 1}), Error);
  EXPECT_THROW(sample_bicubic({}, {0, 0}, {1, 1}), Error);
  EXPECT_THROW(sample_bicubic(std::vector<float>{1, 2, 3}, {2, 1}, {1, 1}), Error);
}

TEST(ToRgbTest, LaysOnWhiteOrDropsAlpha) {
  const Image rgba{2, 1, 4, {10, 20, 30, 0, 100, 50, 200, 128}};
  EXPECT_EQ(to_rgb(rgba, Alpha::dropped).pixels,
            (std::vector<std::uint8_t>{10, 20, 30, 100, 50, 200}));
  // By Pillow's alpha_composite over white.
  EXPECT_EQ(to_rgb(rgba, Alpha::on_white).pixels,
            (std::vector<std::uint8_t>{255, 255, 255, 177, 152, 227}));
  EXPECT_EQ(to_rgb({2, 1, 1, {7, 9}}, Alpha::dropped).pixels,
            (std::vector<std::uint8_t>{7, 7, 7, 9, 9, 9}));
}

TEST(TransposeTest, TurnsRowsIntoColumns) {
  const Image wide{2, 1, 3, {1, 2, 3, 4, 5, 6}};
  const Image tall = transpose(wide);
  EXPECT_EQ(tall.width, 1);
  EXPECT_EQ(tall.height, 2);
  EXPECT_EQ(tall.pixels, wide.pixels);
  const Image big = picture("in.17");
  EXPECT_EQ(transpose(transpose(big)).pixels, big.pixels);
}

}  // namespace
}  // namespace fineprint::image
