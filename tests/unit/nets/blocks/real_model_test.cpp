// A published model, SmolLM2-135M-Instruct in blocks of four bits, against llama.cpp and against
// transformers in float32 (scripts/golden/make_smollm2.py).
#include "support/real_model.h"

#include <cmath>

#include <ATen/ops/log_softmax.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "nets/multimodal.h"

namespace fineprint::nets {
namespace {

// Where logits are nearer than this, sums in another order may choose otherwise.
constexpr double kSameLogits = 2e-3;
// llama.cpp rounds what it multiplies weights with to 8 bits: its logits are off the exact ones by
// 0.16 on average. Tokens whose logits, ours and llama.cpp's, are within this may change places.
constexpr double kRoundedLogits = 0.75;
// Where ours are rounded, too, by their own blocks.
constexpr double kBothRounded = 1;

// How far logits may be apart that choose another token: of ours and those of float32, and of ours
// and llama.cpp's.
struct Apart {
  double exact, rounded;
};

using Ids = std::vector<std::int64_t>;

Json golden_replies() {
  const std::string path = FINEPRINT_TEST_GOLDEN "/smollm2.json";
  return parse_json(read_file(path), path);
}

struct RealModel {
  explicit RealModel(const std::string& dtype)
      : device(resolve_device({.device = "cpu", .dtype = dtype, .threads = 2})),
        model(models::read_model(testing::real_model()), device) {}

  // Of each token, given those before it and itself: [T, vocabulary].
  at::Tensor logits(const Ids& ids) const {
    models::TokenSequence tokens;
    tokens.ids = ids;
    tokens.is_image.assign(ids.size(), 0);
    models::set_positions(model.spec().prompt, {}, 0, &tokens);
    return model.logits(model.read_prompt(tokens, model.embed(tokens, {}), nullptr, false));
  }

  // The mean negative logarithm of the tokens' probabilities.
  double loss(const Ids& ids) const {
    const auto count = static_cast<std::int64_t>(ids.size()) - 1;
    const at::Tensor rows = at::log_softmax(logits(ids), -1).narrow(0, 0, count);
    const at::Tensor next = at::tensor(Ids(ids.begin() + 1, ids.end()), at::kLong).unsqueeze(1);
    return -rows.gather(1, next).mean().item().toDouble();
  }

  Device device;
  Multimodal model;
};

// By llama.cpp: a logit among the five largest of a place, else NaN.
double logit_of(const Json& best, std::int64_t id) {
  for (const Json& pair : best) {
    if (pair.at(0) == id) return pair.at(1);
  }
  return NAN;
}

// Each token of llama.cpp's reply, given the reply so far: ours is the same, or both find it and
// ours as good as equal; and ours is the one of float32, or as good.
void expect_reply(const RealModel& real, const Json& golden, const Apart& apart, int* parted) {
  const std::string prompt = golden.at("prompt");
  const Ids ids = golden.at("ids"), reply = golden.at("reply");
  const std::string text =
      models::chat_text(real.model.spec().prompt, real.model.tokenizer(),
                        std::vector<models::Message>{{models::Role::user, prompt, {}}});
  ASSERT_EQ(real.model.tokenize(text, {}).ids, ids) << text;
  Ids all = ids;
  all.insert(all.end(), reply.begin(), reply.end());
  const at::Tensor rows = real.logits(all).narrow(0, static_cast<std::int64_t>(ids.size()) - 1,
                                                  static_cast<std::int64_t>(reply.size()));
  const at::Tensor chosen = rows.argmax(-1);
  for (std::size_t at = 0; at < reply.size(); ++at) {
    const auto place = static_cast<std::int64_t>(at);
    const std::int64_t ours = chosen[place].item().toLong();
    const auto logit = [&](std::int64_t id) { return rows[place][id].item().toDouble(); };
    const std::int64_t exact = golden.at("exact").at(at);
    EXPECT_LT(logit(ours) - logit(exact), apart.exact) << prompt << " " << at;
    if (ours == reply[at]) continue;
    ++*parted;
    const Json& best = golden.at("best").at(at);
    EXPECT_LT(logit(ours) - logit(reply[at]), apart.rounded) << prompt << " " << at;
    EXPECT_LT(logit_of(best, reply[at]) - logit_of(best, ours), apart.rounded)
        << prompt << " " << at;
  }
}

// All of the golden replies; how many of their tokens are others.
int parted_tokens(const RealModel& real, const Json& golden, const Apart& apart) {
  EXPECT_EQ(golden.at("prompts").size(), 20U);
  int parted = 0, tokens = 0;
  for (const Json& prompt : golden.at("prompts")) {
    expect_reply(real, prompt, apart, &parted);
    tokens += static_cast<int>(prompt.at("reply").size());
  }
  EXPECT_EQ(tokens, 618);
  return parted;
}

TEST(RealModel, RepliesAreThoseOfTheReferences) {
  const RealModel real("float32");
  const Running running(real.device);
  const Json golden = golden_replies();
  // transformers, too, parts with llama.cpp at 20.
  EXPECT_LT(parted_tokens(real, golden, {kSameLogits, kRoundedLogits}), 31);
  // The perplexity of float32 within 0.01%; llama.cpp's is 0.3% higher.
  const Json& text = golden.at("text");
  const double loss = real.loss(text.at("ids"));
  EXPECT_NEAR(std::exp(loss - text.at("exact_loss").get<double>()), 1, 1e-4);
  EXPECT_NEAR(std::exp(loss - text.at("loss").get<double>()), 1, 5e-3);
}

// As models are held when nothing is said: both round what they multiply, each in its own way.
TEST(RealModel, RepliesOfHeldWeightsAreThoseOfTheReferences) {
  const RealModel real("auto");
  const Running running(real.device);
  const Json golden = golden_replies();
  const int parted = parted_tokens(real, golden, {kBothRounded, kBothRounded});
  EXPECT_LT(parted, 31);
  const Json& text = golden.at("text");
  const double loss = real.loss(text.at("ids"));
  // The perplexity is llama.cpp's on the same file within 0.1%.
  EXPECT_NEAR(std::exp(loss - text.at("loss").get<double>()), 1, 1e-3);
  EXPECT_NEAR(std::exp(loss - text.at("exact_loss").get<double>()), 1, 5e-3);
  RecordProperty("parted_tokens", parted);
  RecordProperty("perplexity", std::to_string(std::exp(loss)));
}

}  // namespace
}  // namespace fineprint::nets
