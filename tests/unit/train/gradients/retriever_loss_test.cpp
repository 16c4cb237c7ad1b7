// Tests of retrievers' losses: PyTorch's values and gradients, differences, and properties.
#include "train/gradients/retriever_loss.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "unit/train/gradients/golden_training.h"

namespace fineprint::train {
namespace {

RetrieverOptions golden_options() {
  RetrieverOptions options;
  options.temperature = 0.05;
  options.beta = 0.7;
  return options;
}

struct NamedOthers {
  std::string name;
  OthersMask others;
};
const std::vector<NamedOthers> kOthers = {
    {"own", OthersMask::own}, {"pairwise", OthersMask::pairwise}, {"anchor", OthersMask::anchor}};
struct NamedLoss {
  std::string name;
  RetrieverLoss loss;
};
const std::vector<NamedLoss> kLosses = {{"infonce", RetrieverLoss::contrastive},
                                        {"din", RetrieverLoss::masked},
                                        {"sin", RetrieverLoss::parted},
                                        {"both", RetrieverLoss::both}};

at::Tensor unit(const at::Tensor& rows) { return rows / rows.norm(2, -1, true); }

TEST(RetrieverLoss, ValuesAndGradientsArePyTorchs) {
  const GoldenTraining golden;
  for (const NamedOthers& others : kOthers) {
    const at::Tensor parts = golden.whole_numbers("part." + others.name);
    for (const NamedLoss& loss : kLosses) {
      RetrieverOptions options = golden_options();
      options.others = others.others;
      options.loss = loss.loss;
      // Whose length is 1 whatever the network gives: the gradients are those of cosines.
      const at::Tensor questions = golden.numbers("questions").set_requires_grad(true);
      const at::Tensor pages = golden.numbers("pages").set_requires_grad(true);
      const at::Tensor value =
          retriever_loss({unit(questions), unit(pages), golden.whole_numbers("of")}, options,
                         [&](const at::Tensor&) { return parts; });
      value.backward();
      const std::string name = others.name + "." + loss.name;
      EXPECT_LT(apart(value.detach(), golden.numbers(name)), 2e-5) << name;
      EXPECT_LT(apart(questions.grad(), golden.numbers(name + ".questions")), 1e-4) << name;
      EXPECT_LT(apart(pages.grad(), golden.numbers(name + ".pages")), 1e-4) << name;
    }
  }
}

TEST(RetrieverLoss, GradientsAreThoseOfDifferences) {
  const GoldenTraining golden;
  for (const NamedLoss& loss : kLosses) {
    RetrieverOptions options = golden_options();
    options.loss = loss.loss;
    const auto value_of = [&](const at::Tensor& questions) {
      const BatchVectors batch = {questions, golden.numbers("pages").to(at::kDouble),
                                  golden.whole_numbers("of")};
      return retriever_loss(batch, options,
                            [&](const at::Tensor&) { return golden.whole_numbers("part.own"); });
    };
    const at::Tensor questions = golden.numbers("questions").to(at::kDouble);
    const at::Tensor at = questions.clone().set_requires_grad(true);
    value_of(at).backward();
    for (const std::int64_t d : {0, 7, 23}) {
      const double step = 1e-6;
      at::Tensor moved = questions.clone();
      moved[1][d] += step;
      at::Tensor back = questions.clone();
      back[1][d] -= step;
      const double slope = (value_of(moved) - value_of(back)).item<double>() / (2 * step);
      EXPECT_NEAR(at.grad()[1][d].item<double>(), slope, 1e-5 * (1 + std::abs(slope)))
          << loss.name << " " << d;
    }
  }
}

TEST(HybridMask, IsTheEquationsInEachReading) {
  const GoldenTraining golden;
  const at::Tensor questions = golden.numbers("questions");
  const at::Tensor pages = golden.numbers("pages").narrow(0, 0, questions.size(0));
  using score::Spread;
  const std::vector<std::pair<std::string, Spread>> spreads = {
      {"std", Spread::standard_deviation},
      {"unbiased", Spread::unbiased_standard_deviation},
      {"var", Spread::variance}};
  for (const auto& [name, spread] : spreads) {
    for (const bool absolute : {true, false}) {
      RetrieverOptions options;
      options.mask.inner_spread = options.mask.outer_spread = spread;
      options.mask.absolute = absolute;
      EXPECT_TRUE(at::equal(hybrid_mask(questions, pages, options),
                            golden.numbers("mask." + name + (absolute ? ".1" : ".0"))))
          << name << absolute;
    }
  }
}

// The same as what scores pages.
TEST(HybridMask, IsTheScorersMask) {
  const std::int64_t d = 512;
  const at::Tensor question = at::randn({d}), page = at::randn({d}) + question;
  const at::Tensor q = question / question.norm(), p = page / page.norm();
  RetrieverOptions options;
  for (const bool swapped : {false, true}) {
    options.mask.swapped = swapped;
    const at::Tensor mask = hybrid_mask(q, p, options);
    const auto doubles = [](const at::Tensor& x) {
      const at::Tensor wide = x.to(at::kDouble);
      return std::vector<double>(wide.const_data_ptr<double>(),
                                 wide.const_data_ptr<double>() + wide.numel());
    };
    const score::MaskedPair pair = score::masked_pair(doubles(q), doubles(p), options.mask);
    for (std::int64_t i = 0; i < d; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(mask[i].item<double>(), (pair.dense[at] + pair.sparse[at]) / 2.0) << i;
    }
  }
}

TEST(HybridMask, GradientsGoThroughOnlyWhereAsked) {
  const at::Tensor question = at::randn({3, 32}), page = at::randn({3, 32});
  RetrieverOptions options;
  const at::Tensor leaf = question.clone().set_requires_grad(true);
  EXPECT_FALSE(hybrid_mask(leaf, page, options).requires_grad());
  options.mask_gradient = true;
  const at::Tensor soft = hybrid_mask(leaf, page, options);
  soft.sum().backward();
  EXPECT_GT(leaf.grad().abs().max().item<double>(), 0);
  options.mask_gradient = false;
  EXPECT_LT(apart(soft.detach(), hybrid_mask(question, page, options)), 1e-6);
}

TEST(MaskParts, AreDisjointAndOfEqualSize) {
  const at::Tensor masks = (at::randn({6, 40}) > 0).to(at::kFloat) / 2;
  at::Generator random = at::detail::createCPUGenerator(5);
  for (const MaskParts parted : {MaskParts::support, MaskParts::dimensions, MaskParts::blocks}) {
    RetrieverOptions options;
    options.parted = parted;
    options.parts = 3;
    const at::Tensor parts = mask_parts(masks, options, random);
    const at::Tensor whole = parted == MaskParts::support ? masks > 0 : masks >= 0;
    EXPECT_TRUE(at::equal(parts >= 0, whole));
    EXPECT_LT(parts.max().item<std::int64_t>(), 3);
    for (std::int64_t row = 0; row < masks.size(0); ++row) {
      const std::int64_t size = whole[row].sum().item<std::int64_t>();
      for (int part = 0; part < 3; ++part) {
        const std::int64_t own = (parts[row] == part).sum().item<std::int64_t>();
        EXPECT_GE(own, size / 3);
        EXPECT_LE(own, size / 3 + 1);
      }
    }
  }
}

TEST(MaskParts, AreDrawnForEachPairOrForTheBatch) {
  const at::Tensor masks = at::zeros({4, 64}) + 1;
  RetrieverOptions options;
  options.parted = MaskParts::dimensions;
  at::Tensor parts = mask_parts(masks, options, at::detail::createCPUGenerator(5));
  EXPECT_TRUE(at::equal(parts, mask_parts(masks, options, at::detail::createCPUGenerator(5))));
  EXPECT_FALSE(at::equal(parts[0], parts[1]));
  options.parts_of_batch = true;
  parts = mask_parts(masks, options, at::detail::createCPUGenerator(5));
  EXPECT_TRUE(at::equal(parts[0], parts[1]));
}

}  // namespace
}  // namespace fineprint::train
