// Tests of what a decoder reads: features of one and of several depths, laid into their slots.
#include "nets/decoder/decoder_input.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

// Values count up from `first`: each is at one place only.
ImageFeatures features_from(std::int64_t first, std::int64_t depths, std::int64_t tokens) {
  const std::int64_t count = depths * tokens * 2;
  return {at::arange(first, first + count, at::kFloat).view({depths, tokens, 2})};
}

std::vector<std::int64_t> slots_of(const DecoderInput& input) {
  const at::Tensor slots = input.slots.contiguous();
  return {slots.const_data_ptr<std::int64_t>(),
          slots.const_data_ptr<std::int64_t>() + slots.numel()};
}

TEST(DecoderInput, OneDepthTakesTheSlotsAndAddsNothing) {
  const ImageFeatures image = features_from(10, 1, 2);
  const DecoderInput input = with_images(at::zeros({4, 2}), {1, 3}, {&image, 1});
  EXPECT_TRUE(at::equal(input.embeddings[1], image.depths[0][0]));
  EXPECT_TRUE(at::equal(input.embeddings[3], image.depths[0][1]));
  EXPECT_EQ(input.embeddings.index_select(0, at::tensor({0, 2})).sum().item().toDouble(), 0);
  EXPECT_EQ(input.layers_added_to(), 0);
}

TEST(DecoderInput, FurtherDepthsAreAddedToTheSlotsOfAllImages) {
  const ImageFeatures images[] = {features_from(0, 3, 2), features_from(100, 3, 1)};
  const DecoderInput input = with_images(at::zeros({6, 2}), {1, 2, 5}, images);
  EXPECT_EQ(input.layers_added_to(), 2);
  EXPECT_EQ(slots_of(input), (std::vector<std::int64_t>{1, 2, 5}));
  EXPECT_TRUE(at::equal(input.embeddings[5], images[1].depths[0][0]));
  for (std::int64_t layer = 0; layer < 2; ++layer) {
    EXPECT_TRUE(at::equal(input.added[layer].narrow(0, 0, 2), images[0].depths[layer + 1]));
    EXPECT_TRUE(at::equal(input.added[layer].narrow(0, 2, 1), images[1].depths[layer + 1]));
  }
}

TEST(DecoderInput, APieceHasTheSlotsThatLieInIt) {
  const ImageFeatures image = features_from(0, 2, 3);
  const DecoderInput input = with_images(at::zeros({8, 2}), {2, 3, 6}, {&image, 1});
  const DecoderInput piece = input.narrow(3, 4);
  EXPECT_TRUE(at::equal(piece.embeddings, input.embeddings.narrow(0, 3, 4)));
  EXPECT_EQ(slots_of(piece), (std::vector<std::int64_t>{0, 3}));
  EXPECT_TRUE(at::equal(piece.added, input.added.narrow(1, 1, 2)));
  EXPECT_EQ(input.narrow(0, 2).layers_added_to(), 0);
  // Part of an image, as a step of an engine reads it.
  EXPECT_TRUE(at::equal(image.narrow(1, 2).depths, image.depths.narrow(1, 1, 2)));
}

TEST(DecoderInput, JoinedSlotsAreCountedThrough) {
  const ImageFeatures image = features_from(0, 2, 1);
  const DecoderInput with = with_images(at::zeros({3, 2}), {2}, {&image, 1});
  const DecoderInput without = with_images(at::zeros({4, 2}), {}, {});
  const DecoderInput inputs[] = {with, without, with};
  const DecoderInput all = join(inputs);
  EXPECT_EQ(all.embeddings.size(0), 10);
  EXPECT_EQ(slots_of(all), (std::vector<std::int64_t>{2, 9}));
  EXPECT_TRUE(at::equal(all.added, at::cat({with.added, with.added}, 1)));
}

TEST(DecoderInput, RefusesOtherNumbersOfFeaturesThanSlots) {
  const ImageFeatures image = features_from(0, 1, 2);
  EXPECT_THROW(with_images(at::zeros({4, 2}), {1}, {&image, 1}), Error);
  EXPECT_THROW(with_images(at::zeros({4, 2}), {}, {&image, 1}), Error);
}

}  // namespace
}  // namespace fineprint::nets
