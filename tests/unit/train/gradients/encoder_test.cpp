// Tests of encoders that are trained: PyTorch's gradients through whole networks.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/nets/trained.h"
#include "fineprint/nets/trained_encoder.h"

#include "train/gradients/gradient_cache.h"
#include "train/gradients/retriever_loss.h"
#include "unit/train/gradients/golden_training.h"

namespace fineprint::train {
namespace {

const std::vector<std::string> kTexts = {"When was the ferry built?",
                                         "Who sold the lamp?",
                                         "How long is the bridge?",
                                         "The ferry was built in 1962.",
                                         "A lamp of brass, sold by the museum to Ms Orr.",
                                         "The bridge is 420 metres long and has three arches."};

std::vector<nets::EncoderInput> items() {
  std::vector<nets::EncoderInput> all;
  for (const std::string& text : kTexts) all.push_back({&text, nullptr});
  return all;
}

at::Tensor pairs_loss(const at::Tensor& vectors) {
  return contrastive_loss(at::matmul(vectors.narrow(0, 0, 3), vectors.narrow(0, 3, 3).t()), 0.05);
}

struct Opened {
  nets::Trained trained;
  std::unique_ptr<nets::TrainedEncoder> encoder;

  Opened(const std::string& name, std::optional<nets::Lora> lora) {
    trained.lora = std::move(lora);
    encoder = nets::open_trained_encoder(
        models::read_model(FINEPRINT_TEST_DATA "/" + name + "/model"), {"cpu"}, &trained, nullptr);
  }
};

TEST(TrainedEncoder, EveryWeightsGradientIsPyTorchs) {
  const GoldenTraining golden;
  Opened opened("bert_mean_a", std::nullopt);
  const std::vector<nets::EncoderInput> all = items();
  const at::Tensor loss = pairs_loss(opened.encoder->encode(all));
  loss.backward();
  EXPECT_LT(apart(loss.detach(), golden.numbers("bert.loss")), 1e-5);
  double squares = 0;
  for (const auto& [name, tensor] : opened.trained.tensors) {
    if (!tensor.grad().defined()) continue;
    squares += tensor.grad().to(at::kDouble).square().sum().item<double>();
    if (!golden.has("bert." + name)) continue;
    const at::Tensor expected = golden.numbers("bert." + name);
    EXPECT_LT(apart(tensor.grad().narrow(0, 0, expected.size(0)), expected), 1e-4) << name;
  }
  EXPECT_NEAR(std::sqrt(squares), golden.numbers("bert.length").item<double>(), 1e-3);
}

TEST(TrainedEncoder, LowRankChangesGradientsArePyTorchs) {
  const GoldenTraining golden;
  Opened opened("qwen3_embed", nets::Lora{3, 12, 0, {"q_proj", "v_proj", "down_proj"}});
  ASSERT_EQ(opened.trained.tensors.size(), 12U);
  {
    const at::NoGradGuard no_gradients;
    for (auto& [name, tensor] : opened.trained.tensors) {
      tensor.copy_(golden.numbers("lora." + name));
    }
  }
  const std::vector<nets::EncoderInput> all = items();
  const at::Tensor loss = pairs_loss(opened.encoder->encode(all));
  loss.backward();
  EXPECT_LT(apart(loss.detach(), golden.numbers("lora.loss")), 1e-4);
  for (const auto& [name, tensor] : opened.trained.tensors) {
    const std::string base = name.substr(0, name.rfind('.'));
    EXPECT_LT(apart(tensor.grad(), golden.numbers("lora." + base + ".gradient")), 1e-3) << name;
  }
}

// New changes change nothing.
TEST(TrainedEncoder, BeginsAsTheModelItIs) {
  Opened whole("qwen3_embed", std::nullopt);
  Opened changed("qwen3_embed", nets::Lora{3, 12, 0, {"q_proj"}});
  const std::vector<nets::EncoderInput> all = items();
  EXPECT_LT(apart(changed.encoder->encode(all).detach(), whole.encoder->encode(all).detach()),
            1e-5);
}

// What is held back is measured with the model as it is used later.
TEST(TrainedEncoder, DropsNothingOnceItHasLearned) {
  const std::vector<nets::EncoderInput> all = items();
  const at::NoGradGuard no_gradients;
  const auto vectors_of = [&](double dropout, bool learning) {
    Opened opened("qwen3_embed", nets::Lora{3, 12, dropout, {"q_proj", "v_proj"}});
    for (auto& [name, tensor] : opened.trained.tensors) tensor.fill_(0.05);
    opened.trained.learning = learning;
    return opened.encoder->encode(all);
  };
  const at::Tensor expected = vectors_of(0, true);
  EXPECT_GT(apart(vectors_of(0.5, true), expected), 1e-3);
  EXPECT_LT(apart(vectors_of(0.5, false), expected), 1e-6);
}

TEST(GradientCache, GivesTheGradientsOfOnePass) {
  Opened opened("bert_mean_a", std::nullopt);
  const std::vector<nets::EncoderInput> all = items();
  const auto encode = [&](const Chunk& chunk) {
    return opened.encoder->encode(std::span(all).subspan(
        static_cast<std::size_t>(chunk.begin), static_cast<std::size_t>(chunk.end - chunk.begin)));
  };
  const Chunk whole[] = {{0, 6}};
  const double loss = add_gradients(whole, encode, pairs_loss);
  std::map<std::string, at::Tensor> expected;
  for (auto& [name, tensor] : opened.trained.tensors) {
    if (!tensor.grad().defined()) continue;
    expected[name] = tensor.grad().clone();
    tensor.mutable_grad().zero_();
  }
  const Chunk parts[] = {{0, 1}, {1, 4}, {4, 6}};
  EXPECT_NEAR(add_gradients(parts, encode, pairs_loss), loss, 1e-5);
  for (const auto& [name, gradient] : expected) {
    // Biases of keys have none: what there is, is rounding.
    if (gradient.abs().max().item<double>() < 1e-6) continue;
    EXPECT_LT(apart(opened.trained.tensors.at(name).grad(), gradient), 1e-4) << name;
  }
}

TEST(GradientCache, ChunksAreWithinTheirRoom) {
  const std::int64_t lengths[] = {3, 4, 5, 20, 1, 1, 9};
  std::int64_t next = 0;
  for (const Chunk& chunk : chunks_of(lengths, 10)) {
    EXPECT_EQ(chunk.begin, next);
    next = chunk.end;
    std::int64_t sum = 0;
    for (std::int64_t i = chunk.begin; i < chunk.end; ++i) sum += lengths[i];
    EXPECT_TRUE(sum <= 10 || chunk.end - chunk.begin == 1);
  }
  EXPECT_EQ(next, 7);
  EXPECT_EQ(chunks_of(lengths, 10).size(), 5U);
}

ErrorCode code_of(const std::string& name, std::optional<nets::Lora> lora) {
  try {
    Opened opened(name, std::move(lora));
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(TrainedEncoder, RefusesWhatCannotBeTrained) {
  const nets::Lora lora{2, 4, 0, {"q_proj"}};
  EXPECT_EQ(code_of("colpali_a", lora), ErrorCode::model);              // a vector a token
  EXPECT_EQ(code_of("rerank_bert_a", std::nullopt), ErrorCode::model);  // no vectors
  EXPECT_EQ(code_of("qwen3_embed", nets::Lora{2, 4, 0, {"nothing"}}), ErrorCode::usage);
}

// Its attention has modules of the same names.
TEST(TrainedEncoder, TheTowerStaysAsItIs) {
  const Opened opened("phi3v_a", nets::Lora{2, 4, 0, {"qkv_proj", "q_proj", "fc1"}});
  for (const auto& [name, tensor] : opened.trained.tensors) {
    EXPECT_EQ(name.find("vision"), std::string::npos) << name;
  }
}

TEST(TrainedEncoder, TextEncodersSeeNoPictures) {
  Opened opened("bert_mean_a", std::nullopt);
  const std::string name = "page.png";
  const nets::EncoderInput picture{nullptr, &name};
  EXPECT_THROW(opened.encoder->encode({&picture, 1}), Error);
}

}  // namespace
}  // namespace fineprint::train
