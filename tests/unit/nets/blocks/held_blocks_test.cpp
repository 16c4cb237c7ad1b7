// Tests of matrices that stay in blocks of codes, on LibTorch's tensors.
#include "nets/weights/held_blocks.h"

#include <map>
#include <memory>
#include <string>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "nets/layers/layers.h"
#include "nets/weights/weights.h"

namespace fineprint::nets {
namespace {

HeldMatrix random_q8_0(std::int64_t rows, std::int64_t blocks) {
  HeldMatrix held;
  held.codec = Codec::q8_0;
  held.values = at::randint(0, 256, {rows, blocks, 34}, at::kByte);
  held.values.select(2, 1).fill_(0x24);  // scales near 1/64
  held.values = held.values.view({rows, blocks * 34});
  return held;
}

HeldMatrix random_groups(std::int64_t rows, std::int64_t columns, std::int64_t group) {
  HeldMatrix held;
  held.codec = Codec::grouped4;
  held.values = at::randint(0, 256, {rows, columns / 2}, at::kByte);
  held.scales = at::rand({rows, columns / group});
  held.leasts = at::randn({rows, columns / group});
  return held;
}

at::Tensor all_rows(const HeldMatrix& held) {
  return block_rows(held, at::arange(held.values.size(0), at::kLong));
}

TEST(HeldBlocks, MultiplyAsTheirWidenedRowsDo) {
  for (const HeldMatrix& weight : {random_q8_0(131, 9), random_groups(70, 384, 128)}) {
    const std::int64_t columns = columns_of_blocks(weight);
    const at::Tensor bias = at::randn({weight.values.size(0)});
    for (const std::int64_t n : {1, 8, 33}) {
      const at::Tensor x = at::randn({2, n, columns});
      ASSERT_TRUE(can_multiply(weight, x));
      const at::Tensor y = multiply(weight, bias, x);
      const at::Tensor expected =
          at::linear(x.to(at::kDouble), all_rows(weight).to(at::kDouble), bias.to(at::kDouble));
      ASSERT_EQ(y.sizes(), expected.sizes());
      // Codes of eight bits: the error is near 0.5% of a normal value, and 1% of an unlucky draw.
      EXPECT_LT(((y - expected).norm() / expected.norm()).item<double>(), 0.02);
    }
    EXPECT_EQ(multiply(weight, bias, at::randn({0, columns})).numel(), 0);
    EXPECT_THROW(multiply(weight, bias, at::randn({2, columns + 32})), c10::Error);
  }
}

TEST(HeldBlocks, OfARowDoNotDependOnItsCompanyOrTheThreads) {
  const HeldMatrix weight = random_q8_0(1003, 22);
  const at::Tensor x = at::randn({3, 11, 22 * 32});
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const at::Tensor together = multiply(weight, {}, x);  // [3, 11, 1003]
  at::set_num_threads(3);
  for (const std::int64_t row : {0, 4, 10}) {
    EXPECT_TRUE(at::equal(multiply(weight, {}, x[1][row]), together[1][row]));
  }
  EXPECT_TRUE(at::equal(multiply(weight, {}, x), together));
  EXPECT_TRUE(at::equal(multiply(weight, {}, x.transpose(0, 1)), together.transpose(0, 1)));
  at::set_num_threads(threads);
}

TEST(HeldBlocks, AreLookedUpByRows) {
  const HeldMatrix table = random_q8_0(40, 2);
  const at::Tensor index = at::tensor(std::vector<std::int64_t>{39, 0, 7, 7}, at::kLong);
  const at::Tensor rows = look_up({{table, {}}, 64}, index);  // [4, 64]
  const at::Tensor codes = table.values.view({40, 2, 34}).narrow(2, 2, 32).contiguous();
  const at::Tensor scales =
      table.values.view({40, 2, 34}).narrow(2, 0, 2).contiguous().view(at::kHalf);  // [40, 2, 1]
  const at::Tensor expected = (codes.view(at::kChar).to(at::kFloat) * scales.to(at::kFloat));
  EXPECT_TRUE(at::equal(rows, expected.view({40, 64}).index_select(0, index)));
  EXPECT_THROW(look_up({{table, {}}, 64}, at::tensor(std::vector<std::int64_t>{40}, at::kLong)),
               c10::Error);
}

// Every matrix of a file whose matrices are of all types: those in blocks stay, as the very values
// that float32 has, rows of queries and keys in their order.
TEST(HeldBlocks, StayBlocksWhereNoFormatIsAskedFor) {
  const models::ModelSpec spec = models::read_model(FINEPRINT_TEST_DATA "/llama_gguf/model.gguf");
  const auto checkpoint = std::make_shared<models::Checkpoint>(spec);
  const auto device = [](const char* dtype) {
    return resolve_device({.device = "cpu", .dtype = dtype, .threads = 2});
  };
  const Weights packed(checkpoint, device("auto")), exact(checkpoint, device("float32"));
  std::map<Codec, int> codecs;
  int reordered = 0;
  for (const models::PartTensors& part : spec.parts) {
    for (const models::TensorSpec& slot : part.tensors) {
      const models::Weight& weight = checkpoint->at(part.part, slot.name);
      if (weight.view->shape.size() != 2) continue;
      const HeldMatrix held = packed.take_matrix(part.part, slot.name);
      const HeldMatrix wide = exact.take_matrix(part.part, slot.name);
      EXPECT_FALSE(wide.codec) << slot.name;
      EXPECT_EQ(held.codec.has_value(), weight.view->blocks.has_value()) << slot.name;
      if (!held.codec) continue;
      ++codecs[*held.codec];
      EXPECT_TRUE(at::equal(all_rows(held), wide.values)) << slot.name;
      const void* mapped = weight.view->bytes.data();
      EXPECT_EQ(held.values.const_data_ptr() == mapped, weight.interleaved_heads == 0) << slot.name;
      reordered += weight.interleaved_heads > 0;
    }
  }
  EXPECT_EQ(codecs.size(), tensorfile::kBlockTypes.size());
  EXPECT_GT(reordered, 0);
}

}  // namespace
}  // namespace fineprint::nets
