// Tests of pages that are taught by their texts: PyTorch's losses and gradients, and differences.
#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/nets/trained.h"
#include "fineprint/nets/trained_encoder.h"

#include "train/gradients/gradient_cache.h"
#include "train/gradients/retriever_loss.h"
#include "unit/train/gradients/drawn_picture.h"
#include "unit/train/gradients/golden_training.h"

namespace fineprint::train {
namespace {

constexpr double kTemperature = 0.05;
constexpr std::int64_t kMostTokens = 12;
const std::vector<std::string> kWritten = {
    "The ferry was built in 1962 and sold in 1971 to the harbour of Orrby, which has it still.",
    "Lamps: 420"};
const std::vector<std::string> kPages = {"0", "1"};

std::vector<nets::EncoderInput> seen_items(bool written) {
  std::vector<nets::EncoderInput> all;
  for (const std::string& text : kWritten) {
    all.push_back({&text, nullptr, models::TextRole::query, kMostTokens});
  }
  for (std::size_t i = 0; i < kPages.size(); ++i) {
    all.push_back({nullptr, &kPages[i], models::TextRole::passage, kMostTokens,
                   written ? &kWritten[i] : nullptr});
  }
  return all;
}

struct Seeing {
  nets::Trained trained;
  std::unique_ptr<nets::TrainedEncoder> encoder;

  explicit Seeing(const std::string& name,
                  std::vector<std::string> targets = {"q_proj", "v_proj", "down_proj"}) {
    trained.lora = nets::Lora{3, 12, 0, std::move(targets)};
    models::ModelSpec spec = models::read_model(FINEPRINT_TEST_DATA "/" + name + "/model");
    spec.raster.stretch_to = 0;  // pages of few tiles
    encoder = nets::open_trained_encoder(spec, {"cpu"}, &trained, drawn_picture);
  }

  void begin_at(const GoldenTraining& golden) {
    const at::NoGradGuard no_gradients;
    for (auto& [name, tensor] : trained.tensors)
      tensor.copy_(golden.numbers("compression." + name));
  }
  void forget_gradients() {
    for (auto& [name, tensor] : trained.tensors) tensor.mutable_grad() = at::Tensor();
  }
};

at::Tensor retrieved(const at::Tensor& vectors) {
  return contrastive_loss(at::matmul(vectors.narrow(0, 0, 2), vectors.narrow(0, 2, 2).t()),
                          kTemperature);
}

void expect_gradients(const nets::Trained& trained, const GoldenTraining& golden,
                      const std::string& loss) {
  for (const auto& [name, tensor] : trained.tensors) {
    EXPECT_LT(apart(tensor.grad(), golden.numbers(loss + ".gradient." + name)), 1e-3)
        << loss << " " << name;
  }
}

TEST(WrittenPages, LossesAndGradientsArePyTorchs) {
  const GoldenTraining golden("training_pages");
  Seeing opened("dse_qwen2");
  ASSERT_EQ(opened.trained.tensors.size(), 12U);
  opened.begin_at(golden);
  const std::vector<nets::EncoderInput> all = seen_items(true);
  const nets::EncodedInputs encoded = opened.encoder->encode_and_write(all);
  ASSERT_EQ(encoded.surprise.size(0), 2);
  const at::Tensor rcr = retrieved(encoded.vectors), rcg = encoded.surprise.mean();
  EXPECT_LT(apart(rcr.detach(), golden.numbers("rcr.loss")), 1e-4);
  EXPECT_LT(apart(rcg.detach(), golden.numbers("rcg.loss")), 1e-5);
  rcr.backward({}, /*retain_graph=*/true);
  expect_gradients(opened.trained, golden, "rcr");
  opened.forget_gradients();
  rcg.backward();
  expect_gradients(opened.trained, golden, "rcg");
}

// What is written behind a page is not seen by it.
TEST(WrittenPages, VectorsAreThoseWithoutTexts) {
  const Seeing opened("dse_qwen2");
  const at::Tensor written = opened.encoder->encode_and_write(seen_items(true)).vectors;
  EXPECT_LT(apart(written.detach(), opened.encoder->encode(seen_items(false)).detach()), 1e-5);
}

TEST(WrittenPages, PiecesGiveTheGradientsOfOnePass) {
  const GoldenTraining golden("training_pages");
  Seeing opened("dse_qwen2");
  opened.begin_at(golden);
  const std::vector<nets::EncoderInput> all = seen_items(true);
  const auto encode = [&](const Chunk& chunk) -> Encoded {
    const auto count = static_cast<std::size_t>(chunk.end - chunk.begin);
    const nets::EncodedInputs encoded = opened.encoder->encode_and_write(
        std::span(all).subspan(static_cast<std::size_t>(chunk.begin), count));
    if (!encoded.surprise.defined()) return encoded.vectors;
    return {encoded.vectors, encoded.surprise.sum() / 2};
  };
  const Chunk parts[] = {{0, 1}, {1, 3}, {3, 4}};
  const auto none = [](const at::Tensor&) { return at::Tensor(); };
  EXPECT_NEAR(add_gradients(parts, encode, none), golden.numbers("rcg.loss").item<double>(), 1e-3);
  expect_gradients(opened.trained, golden, "rcg");
  opened.forget_gradients();
  const double both =
      golden.numbers("rcr.loss").item<double>() + golden.numbers("rcg.loss").item<double>();
  EXPECT_NEAR(add_gradients(parts, encode, retrieved), both, 1e-3);
  for (const auto& [name, tensor] : opened.trained.tensors) {
    const at::Tensor sum =
        golden.numbers("rcr.gradient." + name) + golden.numbers("rcg.gradient." + name);
    EXPECT_LT(apart(tensor.grad(), sum), 1e-3) << name;
  }
}

// Phi-3-vision, whose matrices are fused and whose pages are tiles.
TEST(WrittenPages, GradientsAreThoseOfDifferences) {
  Seeing opened("phi3v_a", {"qkv_proj", "down_proj"});
  const std::vector<nets::EncoderInput> all = seen_items(true);
  const auto surprise = [&] {
    return opened.encoder->encode_and_write(std::span(all).subspan(2, 1)).surprise.sum();
  };
  surprise().backward();
  double square = 0;
  for (const auto& [name, tensor] : opened.trained.tensors) {
    square += tensor.grad().square().sum().item<double>();
  }
  ASSERT_GT(square, 0);
  const at::NoGradGuard no_gradients;
  const auto go = [&](double steps) {
    for (auto& [name, tensor] : opened.trained.tensors) tensor.add_(tensor.grad(), steps);
  };
  const double step = 0.01 / std::sqrt(square);
  go(step);
  const double above = surprise().item<double>();
  go(-2 * step);
  const double below = surprise().item<double>();
  EXPECT_NEAR((above - below) / (2 * step), square, 0.02 * square);
}

ErrorCode refusal_of_writing(const std::string& name, std::optional<nets::Lora> lora) {
  nets::Trained trained;
  trained.lora = std::move(lora);
  const auto encoder = nets::open_trained_encoder(
      models::read_model(FINEPRINT_TEST_DATA "/" + name + "/model"), {"cpu"}, &trained, nullptr);
  try {
    encoder->require_writing();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(WrittenPages, ModelsThatDoNotWriteAreRefused) {
  EXPECT_EQ(refusal_of_writing("bert_mean_a", std::nullopt), ErrorCode::model);
  EXPECT_EQ(refusal_of_writing("qwen3_embed", nets::Lora{2, 4, 0, {"q_proj"}}), ErrorCode::model);
}

}  // namespace
}  // namespace fineprint::train
