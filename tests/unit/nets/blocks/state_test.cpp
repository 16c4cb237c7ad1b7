// Tests of what a decoder remembers: copies go their own way, saved ones come back equal.
#include "nets/state.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

constexpr int kLayers = 2;
constexpr std::int64_t kHeads = 3, kDim = 4;

KvState empty_state() { return {kLayers, kHeads, kDim, at::TensorOptions(at::kFloat)}; }

// Reads `tokens` tokens of random keys and values in every layer.
void read(KvState* state, std::int64_t tokens) {
  for (int layer = 0; layer < kLayers; ++layer) {
    state->append(layer, at::rand({kHeads, tokens, kDim}), at::rand({kHeads, tokens, kDim}));
  }
  state->advance(tokens);
}

KvState::View view(KvState* state, int layer) {
  const at::Tensor none = at::rand({kHeads, 0, kDim});
  return state->append(layer, none, none);
}

TEST(KvState, KeepsEarlierTokensWhenItGrows) {
  KvState state = empty_state();
  const at::Tensor keys = at::rand({kHeads, 5, kDim}), values = at::rand({kHeads, 5, kDim});
  for (int layer = 0; layer < kLayers; ++layer) state.append(layer, keys, values);
  state.advance(5);
  read(&state, 1000);
  EXPECT_EQ(state.length(), 1005);
  const KvState::View seen = view(&state, 1);
  EXPECT_EQ(seen.keys.size(1), 1005);
  EXPECT_TRUE(at::equal(seen.keys.narrow(1, 0, 5), keys));
  EXPECT_TRUE(at::equal(seen.values.narrow(1, 0, 5), values));
}

TEST(KvState, ForksGoTheirOwnWay) {
  KvState state = empty_state();
  read(&state, 7);
  const at::Tensor before = view(&state, 0).keys.clone();
  const auto fork = state.fork();
  read(static_cast<KvState*>(fork.get()), 3);
  read(&state, 2);
  EXPECT_EQ(fork->length(), 10);
  EXPECT_EQ(state.length(), 9);
  EXPECT_TRUE(at::equal(view(&state, 0).keys.narrow(1, 0, 7), before));
  EXPECT_TRUE(at::equal(view(static_cast<KvState*>(fork.get()), 0).keys.narrow(1, 0, 7), before));
}

TEST(KvState, SavedStatesComeBackEqual) {
  KvState state = empty_state();
  read(&state, 11);
  const auto restored = KvState::restore(empty_state(), state.save());
  ASSERT_EQ(restored->length(), 11);
  for (int layer = 0; layer < kLayers; ++layer) {
    EXPECT_TRUE(at::equal(view(restored.get(), layer).keys, view(&state, layer).keys));
    EXPECT_TRUE(at::equal(view(restored.get(), layer).values, view(&state, layer).values));
  }
  EXPECT_EQ(restored->save(), state.save());
}

TEST(KvState, AnEmptyStateIsSavedToo) {
  EXPECT_EQ(KvState::restore(empty_state(), empty_state().save())->length(), 0);
}

TEST(KvState, RefusesBytesOfAnotherShapeOrLength) {
  KvState state = empty_state();
  read(&state, 4);
  const std::vector<std::uint8_t> bytes = state.save();
  const auto refused = [&](std::vector<std::uint8_t> damaged) {
    EXPECT_THROW(KvState::restore(empty_state(), damaged), Error);
  };
  refused({});
  refused({bytes.begin(), bytes.begin() + 39});
  refused({bytes.begin(), bytes.end() - 1});
  for (const std::size_t place : {0, 8, 16, 24, 32, 39}) {  // each field of the header
    std::vector<std::uint8_t> damaged = bytes;
    damaged[place] ^= 0x80;
    refused(damaged);
  }
  const KvState other(kLayers, kHeads, kDim, at::TensorOptions(at::kBFloat16));
  EXPECT_THROW(KvState::restore(other, bytes), Error);
}

}  // namespace
}  // namespace fineprint::nets
