// Tests of rotary positions: known angles, and what a rotation must leave alone.
#include "nets/layers/rope.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

constexpr std::int64_t kDim = 8;

Positions at_positions(std::vector<std::int64_t> values) {
  const std::int64_t extent = *std::max_element(values.begin(), values.end()) + 1;
  return {{values, values, values}, extent};
}

Rotation plain(std::vector<std::int64_t> values, const models::Rope& rope = {}) {
  return decoder_rotation(rope, kDim, at_positions(std::move(values)), at::TensorOptions());
}

TEST(Rope, AnglesAreThoseOfTheFormula) {
  const Rotation rotation = plain({0, 3});
  for (std::int64_t i = 0; i < kDim; ++i) {
    const double angle = 3 * std::pow(10000.0, -2.0 * static_cast<double>(i % 4) / kDim);
    EXPECT_NEAR(rotation.cosine[1][i].item().toDouble(), std::cos(angle), 1e-6);
    EXPECT_NEAR(rotation.sine[1][i].item().toDouble(), std::sin(angle), 1e-6);
    EXPECT_EQ(rotation.cosine[0][i].item().toDouble(), 1);
  }
}

TEST(Rope, ProductsDependOnDistanceAlone) {
  const at::Tensor query = at::rand({1, 1, kDim}), key = at::rand({1, 1, kDim});
  const auto product = [&](std::int64_t a, std::int64_t b) {
    return (rotate(query, plain({a})) * rotate(key, plain({b}))).sum().item().toDouble();
  };
  EXPECT_NEAR(product(5, 2), product(105, 102), 1e-4);
  EXPECT_NEAR(product(0, 0), (query * key).sum().item().toDouble(), 1e-6);
  EXPECT_NEAR(rotate(query, plain({77})).norm().item().toDouble(), query.norm().item().toDouble(),
              1e-5);
}

TEST(Rope, SectionsFollowTheirOwnAxis) {
  models::Rope rope;
  rope.sections = {1, 1, 2};
  const Positions positions{{{{7}, {11}, {13}}}, 14};
  const Rotation rotation = decoder_rotation(rope, kDim, positions, at::TensorOptions());
  const std::int64_t axis_of[] = {7, 11, 13, 13};
  for (std::int64_t i = 0; i < kDim; ++i) {
    const double angle = static_cast<double>(axis_of[i % 4]) *
                         std::pow(10000.0, -2.0 * static_cast<double>(i % 4) / kDim);
    EXPECT_NEAR(rotation.cosine[0][i].item().toDouble(), std::cos(angle), 1e-5) << i;
  }
}

// As published: 24, 20 and 20 of 64, the last four time's.
TEST(Rope, InterleavedSectionsTakeTurns) {
  models::Rope rope;
  rope.sections = {24, 20, 20};
  rope.interleaved = true;
  constexpr std::int64_t kWide = 128;
  const Positions positions{{{{7}, {11}, {13}}}, 14};
  const Rotation rotation = decoder_rotation(rope, kWide, positions, at::TensorOptions());
  const std::int64_t axis_of[] = {7, 11, 13};
  for (std::int64_t i = 0; i < kWide; ++i) {
    const std::int64_t frequency = i % (kWide / 2);
    const std::int64_t place = frequency < 60 ? axis_of[frequency % 3] : 7;
    const double angle = static_cast<double>(place) *
                         std::pow(10000.0, -2.0 * static_cast<double>(frequency) / kWide);
    EXPECT_NEAR(rotation.cosine[0][i].item().toDouble(), std::cos(angle), 1e-5) << i;
    EXPECT_NEAR(rotation.sine[0][i].item().toDouble(), std::sin(angle), 1e-5) << i;
  }
}

TEST(Rope, LongFactorsTakeOverAfterTheOriginalPositions) {
  models::Rope rope;
  rope.short_factors = {1, 1, 1, 1};
  rope.long_factors = {2, 2, 2, 2};
  rope.original_positions = 10;
  rope.magnitude = 1.5;
  const auto first_sine = [&](std::int64_t position) {
    return plain({position}, rope).sine[0][0].item().toDouble();
  };
  EXPECT_NEAR(first_sine(9), 1.5 * std::sin(9.0), 1e-5);        // extent 10: not beyond
  EXPECT_NEAR(first_sine(10), 1.5 * std::sin(10.0 / 2), 1e-5);  // extent 11
}

TEST(Rope, PatchesTurnByRowAndColumn) {
  const Rotation rotation = patch_rotation({10000, kDim}, {2}, {5}, at::TensorOptions());
  const double angles[] = {2, 2 * std::pow(10000.0, -0.5), 5, 5 * std::pow(10000.0, -0.5)};
  for (std::int64_t i = 0; i < kDim; ++i) {
    EXPECT_NEAR(rotation.sine[0][i].item().toDouble(), std::sin(angles[i % 4]), 1e-6) << i;
  }
}

}  // namespace
}  // namespace fineprint::nets
