// Tests of language models that are trained to reply: PEFT's losses and gradients.
#include "fineprint/nets/trained_generator.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

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
