// What narrower numbers cost: the odds of the next token beside those of float32, over a text.
#include <cstdio>
#include <string>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/log_softmax.h>
#include <gtest/gtest.h>

#include "nets/multimodal.h"

namespace fineprint::nets {
namespace {

constexpr std::int64_t kPositions = 200;

Device cpu(const char* dtype) { return resolve_device({"cpu", dtype, 2}); }

Device cpu_with(Rounding rounding) {
  Device device = cpu("bfloat16");
  device.rounding = rounding;
  return device;
}

// [kPositions, vocabulary] log-probabilities in float64.
at::Tensor log_odds(const std::string& model_name, const Device& device) {
  const Running running(device);
  const Multimodal model(
      models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + model_name + "/model"), device);
  models::TokenSequence tokens;
  for (std::int64_t i = 0; i < kPositions; ++i) tokens.ids.push_back((i * i * 7 + i * 31) % 800);
  tokens.is_image.assign(tokens.ids.size(), 0);
  models::set_positions(model.spec().prompt, {}, 0, &tokens);
  const at::Tensor hidden =
      model.read_prompt(tokens, model.embed(tokens, {}), model.new_state().get(), false);
  return at::log_softmax(model.logits(hidden).to(at::kDouble), -1);
}

struct Loss {
  double divergence = 0;  // mean of Kullback and Leibler's, in nats
  double same_best = 0;   // share of the positions with the same likeliest token
};

Loss loss_of(const at::Tensor& exact, const at::Tensor& other) {
  const at::Tensor same = at::argmax(exact, -1).eq(at::argmax(other, -1));
  return {(exact.exp() * (exact - other)).sum(-1).mean().item<double>(),
          same.to(at::kDouble).mean().item<double>()};
}

class FormatLoss : public testing::TestWithParam<const char*> {};

// The fixtures' weights are random: likeliest tokens are only just so. Trained models are surer.
TEST_P(FormatLoss, IsSmall) {
  const at::Tensor exact = log_odds(GetParam(), cpu("float32"));
  struct Case {
    const char* name;
    Device device;
    double most_divergence, least_same;
  };
  // As on processors with AMX: others have the same results, not as fast.
  const Device library =
      cpu_with(rounded_kernel().empty() ? Rounding::none : Rounding::bfloat16_and_results);
  const Case cases[] = {{"float16", cpu("float16"), 1e-5, 0.98},
                        {"bfloat16, exact products", cpu_with(Rounding::none), 2e-3, 0.95},
                        {"bfloat16", cpu("bfloat16"), 2e-3, 0.95},
                        {"bfloat16, by LibTorch", library, 4e-3, 0.93},
                        {"int8", cpu("int8"), 1e-2, 0.85}};
  for (const Case& each : cases) {
    const Loss loss = loss_of(exact, log_odds(GetParam(), each.device));
    std::printf("%s as %s: divergence %.2e nats, %.1f%% the same likeliest token\n", GetParam(),
                each.name, loss.divergence, 100 * loss.same_best);
    EXPECT_GE(loss.divergence, -1e-12) << each.name;
    EXPECT_LT(loss.divergence, each.most_divergence) << each.name;
    EXPECT_GE(loss.same_best, each.least_same) << each.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, FormatLoss,
                         testing::Values("qwen2vl_gen", "qwen25vl_a", "qwen25vl_b_tied_v5layout",
                                         "phi3v_a", "paligemma_gen"));

}  // namespace
}  // namespace fineprint::nets
