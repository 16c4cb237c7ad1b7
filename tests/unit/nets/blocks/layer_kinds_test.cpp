// Tests of decoders whose layers are of several kinds: a prompt read in any pieces, failed steps,
// states that go on elsewhere, and what they take.
#include <algorithm>
#include <random>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include "fineprint/models/state_bytes.h"

#include "nets/generation/shelf_bytes.h"
#include "nets/multimodal.h"

namespace fineprint::nets {
namespace {

// Long enough for windows to pass over it and for several chunks of the delta rule.
std::vector<std::int64_t> some_ids(std::int64_t count) {
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < count; ++i) ids.push_back(10 + i * 37 % 800);
  return ids;
}

class LayerKinds : public ::testing::TestWithParam<const char*> {
 protected:
  LayerKinds() : model_(load()), running_(Device{}) {}
  static Multimodal load() {
    return {models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + GetParam() + "/model"),
            Device{}};
  }
  // Reads ids[begin, end) into a state that has read those before.
  static at::Tensor read(const Multimodal& model, SequenceState* state, std::int64_t begin,
                         std::int64_t end) {
    const std::vector<std::int64_t> ids = some_ids(end);
    return model.read_tokens({ids.begin() + begin, ids.end()}, begin, state);
  }
  static double farthest(const at::Tensor& a, const at::Tensor& b) {
    return (a - b).abs().max().item().toDouble();
  }

  Multimodal model_;
  Running running_;
};

TEST_P(LayerKinds, AnyPiecesOfAPromptGiveTheSame) {
  constexpr std::int64_t kTotal = 180;
  const auto whole_state = model_.new_state();
  const at::Tensor whole = read(model_, whole_state.get(), 0, kTotal);
  const at::Tensor next = read(model_, whole_state.get(), kTotal, kTotal + 1);
  std::mt19937 random(7);
  for (const unsigned longest : {1U, 7U, 40U, 100U}) {
    const auto state = model_.new_state();
    std::vector<at::Tensor> rows;
    while (state->length() < kTotal) {
      const auto count = static_cast<std::int64_t>(1 + random() % longest);
      const std::int64_t end = std::min(kTotal, state->length() + count);
      rows.push_back(read(model_, state.get(), state->length(), end));
    }
    EXPECT_LT(farthest(at::cat(rows), whole), 2e-4) << longest;
    EXPECT_LT(farthest(read(model_, state.get(), kTotal, kTotal + 1), next), 2e-4) << longest;
  }
}

// Several sequences in one step, of which some generate.
TEST_P(LayerKinds, SequencesReadTogetherAreAsAlone) {
  const auto first = model_.new_state(), second = model_.new_state(), third = model_.new_state();
  read(model_, first.get(), 0, 90);
  read(model_, second.get(), 0, 20);
  const auto first_alone = first->fork(), second_alone = second->fork();
  const std::vector<std::int64_t> ids = some_ids(120);
  std::vector<std::int64_t> together;
  std::vector<DecoderPart> parts;
  const auto add = [&](SequenceState* state, std::int64_t begin, std::int64_t count) {
    std::vector<std::int64_t> places(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) places[static_cast<std::size_t>(i)] = begin + i;
    together.insert(together.end(), ids.begin() + begin, ids.begin() + begin + count);
    parts.push_back({state, {{places, places, places}, begin + count}});
  };
  add(first.get(), 90, 1);
  add(second.get(), 20, 70);
  add(third.get(), 0, 33);
  const at::Tensor hidden =
      model_.decoder().read({model_.decoder().embed(together), {}, {}}, parts);
  for (const DecoderPart& part : parts) part.state->advance(part.tokens());
  EXPECT_LT(farthest(hidden.narrow(0, 0, 1), read(model_, first_alone.get(), 90, 91)), 2e-4);
  EXPECT_LT(farthest(hidden.narrow(0, 1, 70), read(model_, second_alone.get(), 20, 90)), 2e-4);
  const auto third_alone = model_.new_state();
  EXPECT_LT(farthest(hidden.narrow(0, 71, 33), read(model_, third_alone.get(), 0, 33)), 2e-4);
}

// What was read and not advanced, as by a step that lost memory at its end, leaves nothing.
TEST_P(LayerKinds, AStepThatFailedLeavesNothing) {
  const auto state = model_.new_state(), calm = model_.new_state();
  for (const std::int64_t end : {1, 30, 100, 101}) {
    const std::vector<std::int64_t> other(static_cast<std::size_t>(5 + end), 3);
    std::vector<std::int64_t> places(other.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = state->length() + static_cast<std::int64_t>(i);
    }
    const DecoderPart part{state.get(), {{places, places, places}, places.back() + 1}};
    model_.decoder().read({model_.decoder().embed(other), {}, {}}, {&part, 1});
    const std::int64_t begin = state->length();
    EXPECT_EQ(farthest(read(model_, state.get(), begin, end), read(model_, calm.get(), begin, end)),
              0);
  }
}

// Exact: a state saved one fork point after another goes on in another process as it would have
// here.
TEST_P(LayerKinds, ASavedStateGoesOnInANewModel) {
  const auto state = model_.new_state();
  const Multimodal other = load();
  auto restored = other.new_state();
  for (const std::int64_t end : {9, 70, 75, 160}) {
    const std::int64_t begin = state->length();
    read(model_, state.get(), begin, end);
    const auto shelved = to_shelf_bytes(state->save(begin), "auto");
    restored = restored->fork();
    restored->restore(from_shelf_bytes(shelved));
    const auto here = state->fork(), there = restored->fork();
    for (std::int64_t t = end; t < end + 3; ++t) {
      EXPECT_EQ(farthest(model_.logits(read(model_, here.get(), t, t + 1)),
                         other.logits(read(other, there.get(), t, t + 1))),
                0);
    }
  }
}

TEST_P(LayerKinds, NarrowerStatesAreNear) {
  const auto state = model_.new_state();
  read(model_, state.get(), 0, 90);
  const at::Tensor next = read(model_, state->fork().get(), 90, 91);
  for (const char* dtype : {"float16", "bfloat16", "int8"}) {
    const auto shelved = to_shelf_bytes(state->save(0), dtype);
    EXPECT_LT(shelved.size(), state->bytes(0) * 2 / 3) << dtype;
    const auto restored = model_.new_state();
    restored->restore(from_shelf_bytes(shelved));
    const double far = farthest(read(model_, restored.get(), 90, 91), next);
    EXPECT_GT(far, 0) << dtype;
    EXPECT_LT(far, 0.3) << dtype;
    for (std::size_t size = 0; size < shelved.size(); size += 1 + size / 4) {
      EXPECT_THROW(model_.new_state()->restore(from_shelf_bytes(std::span(shelved).first(size))),
                   Error);
    }
  }
}

// What is counted is what is held and saved.
TEST_P(LayerKinds, TakesTheBytesThatAreTold) {
  const auto state = model_.new_state();
  for (const std::int64_t end : {1, 10, 100}) {
    read(model_, state.get(), state->length(), end);
    const auto told = static_cast<std::size_t>(models::state_bytes(model_.decoder_spec(), end, 4));
    EXPECT_EQ(state->bytes(0), told) << end;
    const std::size_t saved = state->save(0).size();
    EXPECT_GE(saved, told);
    EXPECT_LT(saved, told + 500);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LayerKinds,
                         ::testing::Values("gemma3_a", "qwen35_a", "qwen3_a", "llama_a", "qwen2_a",
                                           "gemma2_a", "smollm3_a", "granite_a", "qwen3moe_a"));

}  // namespace
}  // namespace fineprint::nets
