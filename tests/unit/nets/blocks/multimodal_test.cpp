// Tests of a whole model's states: a prompt read in pieces, forked or restored goes on alike.
#include "nets/multimodal.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

const Multimodal& small_model() {
  static const Multimodal model(
      models::read_model(std::string(FINEPRINT_TEST_DATA) + "/qwen25vl_b_tied_v5layout/model"),
      Device{});
  return model;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item().toDouble();
}

constexpr const char* kPrompt = "The footnote says what the table leaves out, page by page.";

at::Tensor read(const Multimodal& model, const std::vector<std::int64_t>& ids, SequenceState* state,
                bool last_only = true) {
  models::TokenSequence tokens;
  tokens.ids = ids;
  tokens.is_image.assign(ids.size(), 0);
  models::set_positions(model.spec().prompt, {}, 0, &tokens);
  return model.read_prompt(tokens, model.embed(tokens, {}), state, last_only);
}

TEST(Multimodal, TokenByTokenEqualsAllAtOnce) {
  const Running running(Device{});
  const Multimodal& model = small_model();
  const std::vector<std::int64_t> ids = model.tokenize(kPrompt, {}).ids;
  const auto whole = model.new_state(), steps = model.new_state();
  const at::Tensor together = read(model, ids, whole.get(), false);
  std::vector<at::Tensor> rows;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    rows.push_back(model.read_tokens({ids[t]}, static_cast<std::int64_t>(t), steps.get()));
  }
  EXPECT_LT(distance(at::cat(rows), together), 1e-4);
}

TEST(Multimodal, AForkDoesNotChangeItsOrigin) {
  const Running running(Device{});
  const Multimodal& model = small_model();
  const std::vector<std::int64_t> ids = model.tokenize(kPrompt, {}).ids;
  const auto next = static_cast<std::int64_t>(ids.size());
  const auto state = model.new_state(), alone = model.new_state();
  read(model, ids, state.get());
  read(model, ids, alone.get());
  const auto fork = state->fork();
  model.read_tokens({5}, next, fork.get());
  model.read_tokens({6}, next + 1, fork.get());
  EXPECT_EQ(distance(model.read_tokens({7}, next, state.get()),
                     model.read_tokens({7}, next, alone.get())),
            0);
}

TEST(Multimodal, ARestoredStateGoesOnAlike) {
  const Running running(Device{});
  const Multimodal& model = small_model();
  const std::vector<std::int64_t> ids = model.tokenize(kPrompt, {}).ids;
  const auto next = static_cast<std::int64_t>(ids.size());
  const auto beginning = model.new_state();
  read(model, {ids.begin(), ids.begin() + 5}, beginning.get());
  const auto state = beginning->fork();
  model.read_tokens({ids.begin() + 5, ids.end()}, 5, state.get());
  const auto restored = model.new_state();
  restored->restore(beginning->save(0));
  restored->restore(state->save(5));
  EXPECT_EQ(distance(model.read_tokens({7}, next, state.get()),
                     model.read_tokens({7}, next, restored.get())),
            0);
}

// Longer than what is read at once: the second piece looks back through a mask.
TEST(Multimodal, LongPromptsAreReadInPieces) {
  const Running running(Device{});
  const Multimodal& model = small_model();
  std::vector<std::int64_t> ids;
  for (int i = 0; i < 2300; ++i) ids.push_back(i * 7 % 800);
  const auto pieces = model.new_state(), steps = model.new_state();
  const at::Tensor last = read(model, ids, pieces.get());
  at::Tensor row;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    row = model.read_tokens({ids[t]}, static_cast<std::int64_t>(t), steps.get());
  }
  EXPECT_EQ(pieces->length(), 2300);
  EXPECT_LT(distance(last, row), 1e-3);
}

TEST(Multimodal, RefusesAPromptOverItsPositions) {
  models::ModelSpec spec = small_model().spec();
  std::get<models::Decoder>(spec.trunk).max_positions = 5;
  const Multimodal model(spec, Device{});
  EXPECT_THROW(model.tokenize(kPrompt, {}), Error);
}

}  // namespace
}  // namespace fineprint::nets
