// Tests of language models that are trained to reply: PEFT's losses and gradients.
#include "fineprint/nets/trained_generator.h"

#include <map>

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "train/gradients/replies.h"
#include "unit/train/gradients/drawn_picture.h"
#include "unit/train/gradients/golden_training.h"

namespace fineprint::train {
namespace {

const std::vector<std::string> kMarks = {"1", "2", "3", "4", "5"};

models::Request asked(const std::string& question, const std::string& picture) {
  models::Request request;
  request.images.emplace_back(drawn_picture(picture));
  request.messages = {{models::Role::system, "You judge pages.", {}},
                      {models::Role::user, question, {0}, {"Page 0: "}}};
  return request;
}

std::vector<nets::WantedReply> judged() {
  return {{asked("How many lamps were sold?", "0"), "4"}, {asked("Who owns the ferry?", "1"), "1"}};
}

struct OpenedJudge {
  nets::Trained trained;
  std::unique_ptr<nets::TrainedGenerator> judge;

  OpenedJudge() {
    trained.lora = nets::Lora{3, 12, 0, {"q_proj", "v_proj", "down_proj"}};
    judge = nets::open_trained_generator(
        models::read_model(FINEPRINT_TEST_DATA "/qwen25vl_b_tied_v5layout/model"), {"cpu"},
        &trained);
  }
};

TEST(TrainedGenerator, LossAndGradientsArePefts) {
  const GoldenTraining golden("training_pages");
  OpenedJudge opened;
  ASSERT_EQ(opened.trained.tensors.size(), 18U);
  {
    const at::NoGradGuard no_gradients;
    for (auto& [name, tensor] : opened.trained.tensors) {
      tensor.copy_(golden.numbers("judging." + name));
    }
    for (const char* number : {"0", "1"}) {
      const models::Request request = judged()[static_cast<std::size_t>(number[0] - '0')].request;
      EXPECT_LT(apart(opened.judge->log_odds(request, kMarks),
                      golden.numbers(std::string("judge.odds") + number)),
                1e-4);
    }
  }
  const at::Tensor loss = opened.judge->surprise(judged()).mean();
  EXPECT_LT(apart(loss.detach(), golden.numbers("judge.loss")), 1e-5);
  loss.backward();
  for (const auto& [name, tensor] : opened.trained.tensors) {
    EXPECT_LT(apart(tensor.grad(), golden.numbers("judge.gradient." + name)), 1e-3) << name;
  }
}

TEST(TrainedGenerator, LengthsCountPicturesAndReplies) {
  const OpenedJudge opened;
  models::Request blind = asked("How many lamps were sold?", "0");
  const std::int64_t whole = opened.judge->length({blind, "4"});
  EXPECT_EQ(opened.judge->length({blind, "44"}), whole + 1);
  blind.messages.back().images.clear();
  // 84 x 112 pixels are 3 x 4 tokens; a label and marks around them go with them.
  EXPECT_GE(whole - opened.judge->length({blind, "4"}), 12);
}

// With changes of rank 3 that begin at 0, the loss is that of the model itself.
TEST(TrainedGenerator, GradientsOfRepliesAreThoseOfTheirMeanInAnyPieces) {
  const std::vector<nets::WantedReply> wanted = judged();
  std::map<std::string, at::Tensor> gradients;
  double whole = 0;
  for (const std::int64_t most : {std::int64_t{4096}, std::int64_t{1}}) {
    const OpenedJudge opened;
    const double loss = add_gradients_of_replies(*opened.judge, wanted, most, 7);
    double mean = 0;
    for (const nets::WantedReply& one : wanted) {
      const at::NoGradGuard no_gradients;
      mean += opened.judge->surprise({&one, 1}).item<double>() / 2;
    }
    EXPECT_NEAR(loss, mean, 1e-4);
    if (gradients.empty()) whole = loss;
    EXPECT_NEAR(loss, whole, 1e-4);
    for (const auto& [name, tensor] : opened.trained.tensors) {
      if (gradients.contains(name)) {
        EXPECT_LT(apart(tensor.grad(), gradients[name]), 1e-3) << name;
      }
      gradients[name] = tensor.grad().clone();
    }
  }
}

// Features are kept by name, so a picture under a known name is not looked at again.
TEST(TrainedGenerator, FeaturesOfNamedPagesAreComputedOnce) {
  const OpenedJudge opened;
  const at::NoGradGuard no_gradients;
  const auto surprise = [&](const std::string& picture, const std::vector<std::string>& names) {
    nets::WantedReply wanted{asked("How many lamps were sold?", picture), "4"};
    wanted.request.pages = names;
    return opened.judge->surprise({&wanted, 1}).item<double>();
  };
  const double first = surprise("0", {}), other = surprise("1", {});
  EXPECT_NE(first, other);
  EXPECT_EQ(surprise("0", {"a.pdf:1"}), first);
  EXPECT_EQ(surprise("1", {"a.pdf:1"}), first);
  EXPECT_EQ(surprise("1", {"a.pdf:2"}), other);
  EXPECT_EQ(surprise("1", {}), other);
}

ErrorCode refusal_of_judging(const std::string& folder) {
  nets::Trained trained;
  trained.lora = nets::Lora{2, 4, 0, {"q_proj"}};
  try {
    nets::open_trained_generator(models::read_model(FINEPRINT_TEST_DATA "/" + folder), {"cpu"},
                                 &trained)
        ->surprise(judged());
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(TrainedGenerator, WhatCannotBeTrainedToJudgeIsRefused) {
  EXPECT_EQ(refusal_of_judging("colqwen2_a/model"), ErrorCode::model);       // vectors alone
  EXPECT_EQ(refusal_of_judging("qwen25vl_lora/adapter"), ErrorCode::model);  // an adapter
  EXPECT_EQ(refusal_of_judging("qwen3_a/model"), ErrorCode::model);          // sees nothing
  EXPECT_EQ(refusal_of_judging("llama_gptq/model"), ErrorCode::model);       // codes
}

}  // namespace
}  // namespace fineprint::train
