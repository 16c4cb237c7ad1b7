// Tests of replies: candidates scored in one pass, the end of a reply, being called off.
#include "nets/generation/generator.h"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/serving/sampling.h"

namespace fineprint::nets {
namespace {

models::ModelSpec small_spec() {
  return models::read_model(std::string(FINEPRINT_TEST_DATA) + "/qwen25vl_b_tied_v5layout/model");
}

const NativeGenerator& generator() {
  static const NativeGenerator made(small_spec(), Device{});
  return made;
}

models::Request question() {
  return {{{models::Role::user, "Is the total on this page?", {}}}, {}};
}

std::vector<float> to_floats(const at::Tensor& row) {
  const at::Tensor whole = row.contiguous();
  return {whole.const_data_ptr<float>(), whole.const_data_ptr<float>() + whole.numel()};
}

// Token by token, as a reply would be decoded.
double stepwise(const Multimodal& model, std::vector<std::int64_t> ids) {
  const models::TokenSequence prompt = model.tokenize(
      models::chat_text(model.spec().prompt, model.tokenizer(), question().messages), {});
  const auto state = model.new_state();
  at::Tensor hidden = model.read_prompt(prompt, model.embed(prompt, {}), state.get(), true);
  double total = 0;
  std::int64_t position = prompt.next_position;
  for (const std::int64_t id : ids) {
    total += serving::score_token(to_floats(model.logits(hidden)), id).log_probability;
    hidden = model.read_tokens({id}, position++, state.get());
  }
  return total;
}

std::vector<std::int64_t> ids_of(const Multimodal& model, const std::string& text) {
  std::vector<std::int64_t> ids;
  for (const tokenizer::Token& token : model.tokenizer().encode(text, false))
    ids.push_back(token.id);
  return ids;
}

TEST(Choose, CandidatesScoreAsIfDecoded) {
  const std::vector<std::string> candidates = {"yes", "no", "the licence does not say", "5"};
  const models::Choice choice = generator().choose(question(), candidates);
  const Running running(Device{});
  const Multimodal model(small_spec(), Device{});
  double sum = 0, best = -INFINITY;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    EXPECT_NEAR(choice.log_probabilities[i], stepwise(model, ids_of(model, candidates[i])), 1e-3)
        << candidates[i];
    sum += choice.probabilities[i];
    best = std::max(best, choice.probabilities[i]);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(choice.probabilities[choice.best], best);
}

// "the licence" would else gain from every reply that goes on after it.
TEST(Choose, AReplyThatBeginsAnotherCountsWhereItEnds) {
  const std::vector<std::string> candidates = {"the licence", "the licence does not say"};
  const models::Choice choice = generator().choose(question(), candidates);
  const Running running(Device{});
  const Multimodal model(small_spec(), Device{});
  std::vector<std::int64_t> ended = ids_of(model, candidates[0]);
  ended.push_back(model.spec().generation.end_tokens.at(0));
  EXPECT_NEAR(choice.log_probabilities[0], stepwise(model, ended), 1e-3);
  EXPECT_NEAR(choice.log_probabilities[1], stepwise(model, ids_of(model, candidates[1])), 1e-3);
}

TEST(Choose, RefusesNothingToChooseFrom) {
  EXPECT_THROW(generator().choose(question(), {}), Error);
  const std::vector<std::string> empty = {""};
  EXPECT_THROW(generator().choose(question(), empty), Error);
}

TEST(Generate, ScoresAreThoseOfTheWholeDistribution) {
  models::SamplingOptions options;
  options.max_new_tokens = 5;
  options.temperature = 0;
  const models::Reply reply = generator().generate(question(), options);
  ASSERT_FALSE(reply.tokens.empty());
  for (const models::TokenScore& token : reply.tokens) {
    EXPECT_LE(token.log_probability, 0);
    EXPECT_GE(token.entropy, 0);
    EXPECT_LE(token.entropy, std::log(960.0));
  }
}

TEST(Generate, PiecesMakeTheText) {
  models::SamplingOptions options;
  options.max_new_tokens = 20;
  options.temperature = 1;
  options.seed = 3;
  std::string pieces;
  options.on_text = [&](std::string_view piece) { pieces += piece; };
  const models::Reply reply = generator().generate(question(), options);
  EXPECT_EQ(pieces, reply.text);
  options.on_text = {};
  EXPECT_EQ(generator().generate(question(), options).text, reply.text);  // the same seed
}

TEST(Generate, CanBeCalledOff) {
  models::SamplingOptions options;
  options.max_new_tokens = 1000;
  const StopSource source;
  options.stop_token = source.token();
  options.on_text = [&](std::string_view) { source.request_stop(); };
  const models::Reply reply = generator().generate(question(), options);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_LT(reply.tokens.size(), 1000U);
}

TEST(Generate, AStopEndsAReplyWithinOneStep) {
  models::SamplingOptions options;
  options.max_new_tokens = 60;
  options.temperature = 1;
  options.seed = 5;
  const models::Reply whole = generator().generate(question(), options);
  ASSERT_GT(whole.tokens.size(), 30U);
  const StopSource source;
  options.stop_token = source.token();
  std::string shown;
  int pieces_after = 0;
  options.on_text = [&](std::string_view piece) {
    if (source.token().stop_requested()) ++pieces_after;
    shown += piece;
    if (shown.size() > 8) source.request_stop();
  };
  const models::Reply cut = generator().generate(question(), options);
  EXPECT_EQ(cut.finish, models::Finish::cancelled);
  EXPECT_LE(pieces_after, 1) << "no more than what was held back";
  EXPECT_LT(cut.tokens.size(), whole.tokens.size());
  EXPECT_EQ(cut.text, shown);
  for (std::size_t i = 0; i < cut.tokens.size(); ++i)
    EXPECT_EQ(cut.tokens[i].id, whole.tokens[i].id);
}

TEST(Generate, OfTwoRepliesOneIsStopped) {
  models::SamplingOptions options;
  options.max_new_tokens = 100;
  options.temperature = 0;
  const models::Reply alone = generator().generate(question(), options);
  const StopSource first, second;
  models::SamplingOptions stopped = options;
  stopped.stop_token = first.token();
  stopped.on_text = [&](std::string_view) { first.request_stop(); };
  options.stop_token = second.token();
  models::Reply one, other;
  std::thread one_thread([&] { one = generator().generate(question(), stopped); });
  std::thread other_thread([&] { other = generator().generate(question(), options); });
  one_thread.join();
  other_thread.join();
  EXPECT_EQ(one.finish, models::Finish::cancelled);
  EXPECT_NE(other.finish, models::Finish::cancelled);
  EXPECT_EQ(other.text, alone.text);
}

TEST(Generate, AfterADeadlineNothingIsRead) {
  models::SamplingOptions options;
  options.stop_token = StopToken().until(StopToken::Clock::now());
  const models::Reply reply = generator().generate(question(), options);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_TRUE(reply.tokens.empty());
  EXPECT_EQ(reply.text, "");
  const std::vector<std::string> candidates = {"yes", "no"};
  try {
    generator().choose(question(), candidates, options.stop_token);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::timed_out) << error.what();
  }
}

TEST(Generate, RefusesAModelThatOnlyMakesVectors) {
  const models::ModelSpec spec =
      models::read_model(std::string(FINEPRINT_TEST_DATA) + "/colbert_a/model");
  try {
    const NativeGenerator made(spec, Device{});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    EXPECT_NE(std::string(error.what()).find("cannot write replies"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::nets
