// Tests of matrices that stay in blocks on a GPU: what its lanes do, done by the CPU; and the
// kernels themselves where there is a GPU and the program has them.
#include "nets/weights/gpu_blocks.h"

#include <vector>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "nets/products/cuda/block_lanes.h"
#include "nets/weights/held_blocks.h"

namespace fineprint::nets {
namespace {

const char* widen_on_host(const StoredBlocks& matrix, const std::int64_t* index, std::int64_t first,
                          std::int64_t count, void* out, void*) {
  cuda::with_layout(matrix.codec, [&](auto layout) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t row = index == nullptr ? first + i : index[i];
      for (int lane = 0; lane < cuda::kLanes; ++lane) {
        cuda::widen_lane<decltype(layout)>(matrix, row, lane,
                                           static_cast<at::BFloat16*>(out) + i * matrix.columns);
      }
    }
  });
  return nullptr;
}

const char* multiply_on_host(const StoredBlocks& matrix, const void* x, std::int64_t vectors,
                             void* y, void*) {
  cuda::with_layout(matrix.codec, [&](auto layout) {
    for (std::int64_t v = 0; v < vectors; ++v) {
      for (std::int64_t row = 0; row < matrix.rows; ++row) {
        float sums[1] = {};
        for (int lane = 0; lane < cuda::kLanes; ++lane) {
          cuda::multiply_lane<decltype(layout), 1>(
              matrix, row, lane, static_cast<const at::BFloat16*>(x) + v * matrix.columns, sums);
        }
        static_cast<at::BFloat16*>(y)[v * matrix.rows + row] = sums[0];
      }
    }
  });
  return nullptr;
}

const char* refuse_to_widen(const StoredBlocks&, const std::int64_t*, std::int64_t, std::int64_t,
                            void*, void*) {
  return "no such kernel";
}
const char* refuse_to_multiply(const StoredBlocks&, const void*, std::int64_t, void*, void*) {
  return "no such kernel";
}

constexpr BlockKernels kOnHost{widen_on_host, multiply_on_host};
constexpr BlockKernels kRefusing{refuse_to_widen, refuse_to_multiply};

struct Place {
  const BlockKernels& kernels;
  at::Device device;
};

std::vector<Place> places() {
  std::vector<Place> all = {{kOnHost, at::kCPU}};
  if (at::hasCUDA() && block_kernels_of_gpu() != nullptr) {
    all.push_back({*block_kernels_of_gpu(), at::kCUDA});
  }
  return all;
}

bool steps_lie_apart(Codec codec) { return codec == Codec::grouped4 || codec == Codec::grouped8; }

// Codes at random; scales, wherever they lie, are about as large as those of a trained model.
HeldMatrix random_matrix(Codec codec, std::int64_t rows, std::int64_t columns) {
  const CodecFacts facts = codec_facts(codec);
  HeldMatrix held;
  held.codec = codec;
  held.values = at::randint(0, 256, {rows, columns / facts.values * facts.bytes}, at::kByte);
  if (steps_lie_apart(codec)) {
    held.scales = at::rand({rows, columns / 128});
    held.leasts = at::randn({rows, columns / 128});
    return held;
  }
  at::Tensor blocks = held.values.view({rows, columns / facts.values, facts.bytes});
  const auto byte = [&](int place, int value) { blocks.select(2, place).fill_(value); };
  for (int place = 1; place < 4; place += 2) byte(place, 0x24);  // halves near 1/64
  if (codec == Codec::q2_k) byte(81, 0x24), byte(83, 0x24);
  if (codec == Codec::q3_k) byte(109, 0x24);
  if (codec == Codec::q6_k) byte(209, 0x24);
  if (codec == Codec::mxfp4) byte(0, 120);
  return held;
}

constexpr int kCodecs = static_cast<int>(Codec::grouped8) + 1;

TEST(GpuBlocks, RowsAreThoseOfTheCpuRoundedOnce) {
  for (const Place& place : places()) {
    for (int codec = 0; codec < kCodecs; ++codec) {
      const HeldMatrix held = random_matrix(static_cast<Codec>(codec), 40, 512);
      const at::Tensor index = at::tensor({39, 0, 7, 7}, at::kLong);
      const at::Tensor rows =
          rows_on_gpu(place.kernels, blocks_on(place.device, held), index.to(place.device));
      EXPECT_TRUE(at::equal(rows.cpu(), block_rows(held, index).to(at::kBFloat16)))
          << place.device << " " << codec;
    }
  }
}

void expect_products(const Place& place, const HeldMatrix& held, std::int64_t vectors) {
  const std::int64_t rows = held.values.size(0), columns = columns_of_blocks(held);
  const at::Tensor bias = at::randn({rows}).to(at::kBFloat16);
  const at::Tensor x = at::randn({2, vectors, columns}).to(at::kBFloat16);
  const at::Tensor y = multiply_on_gpu(place.kernels, blocks_on(place.device, held),
                                       bias.to(place.device), x.to(place.device));
  const at::Tensor matrix = block_rows(held, at::arange(rows, at::kLong));
  const at::Tensor expected = at::linear(x.to(at::kFloat), matrix, bias.to(at::kFloat));
  ASSERT_EQ(y.sizes(), expected.sizes());
  EXPECT_LT(((y.cpu() - expected).norm() / expected.norm()).item<double>(), 0.005)
      << place.device << " " << static_cast<int>(*held.codec) << " " << vectors;
}

// By few vectors, and by many.
TEST(GpuBlocks, ProductsAreThoseOfTheWidenedMatrix) {
  for (const Place& place : places()) {
    for (int codec = 0; codec < kCodecs; ++codec) {
      const HeldMatrix held = random_matrix(static_cast<Codec>(codec), 48, 768);
      for (const std::int64_t vectors : {1, 3, 11}) expect_products(place, held, vectors);
    }
  }
}

TEST(GpuBlocks, LargeMatricesAreWidenedInPieces) {
  const HeldMatrix held = random_matrix(Codec::q8_0, 9000, 4096);  // 70 MB of bfloat16
  for (const Place& place : places()) expect_products(place, held, kFewVectors);
}

TEST(GpuBlocks, WhatTheGpuRefusesIsSaid) {
  const HeldMatrix held = random_matrix(Codec::q4_0, 32, 64);
  const at::Tensor x = at::randn({1, 64}).to(at::kBFloat16);
  EXPECT_THROW(multiply_on_gpu(kRefusing, held, {}, x), c10::Error);
  EXPECT_THROW(multiply_on_gpu(kRefusing, held, {}, x.expand({20, 64})), c10::Error);
  EXPECT_THROW(rows_on_gpu(kRefusing, held, at::tensor({0}, at::kLong)), c10::Error);
  EXPECT_THROW(multiply_on_gpu(kOnHost, held, {}, x.narrow(1, 0, 32)), c10::Error);
}

}  // namespace
}  // namespace fineprint::nets
