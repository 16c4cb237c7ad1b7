// Tests of what a decoder remembers: copies go their own way, saved ones come back equal.
#include "nets/decoder/state.h"

#include <new>

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

constexpr int kLayers = 2;
constexpr std::int64_t kHeads = 3, kHeadDim = 4;

std::shared_ptr<KvMemory> memory(std::int64_t tokens = 4096) {
  return std::make_shared<KvMemory>(
      KvShape{kLayers, kHeads, kHeadDim, at::TensorOptions(at::kFloat)}, tokens);
}

// Reads `tokens` tokens of random keys and values in every layer.
void read(KvState* state, std::int64_t tokens) {
  ASSERT_TRUE(state->reserve(tokens));
  for (int layer = 0; layer < kLayers; ++layer) {
    state->append(layer, at::rand({kHeads, tokens, kHeadDim}),
                  at::rand({kHeads, tokens, kHeadDim}));
  }
  state->advance(tokens);
}

KvState* kv(const std::unique_ptr<SequenceState>& state) {
  return static_cast<KvState*>(state.get());
}

at::Tensor keys(const KvState& state, int layer) {
  return state.view(layer, state.length()).keys.clone();
}

TEST(KvState, KeepsEarlierTokensWhenItGrows) {
  KvState state(memory());
  const at::Tensor first = at::rand({kHeads, 5, kHeadDim}),
                   values = at::rand({kHeads, 5, kHeadDim});
  ASSERT_TRUE(state.reserve(5));
  for (int layer = 0; layer < kLayers; ++layer) state.append(layer, first, values);
  state.advance(5);
  read(&state, 1000);
  EXPECT_EQ(state.length(), 1005);
  const KvState::View seen = state.view(1, 1005);
  EXPECT_TRUE(at::equal(seen.keys.narrow(1, 0, 5), first));
  EXPECT_TRUE(at::equal(seen.values.narrow(1, 0, 5), values));
}

TEST(KvState, CopiesGoTheirOwnWay) {
  KvState state(memory());
  read(&state, 71);
  const at::Tensor before = keys(state, 0);
  const auto fork = state.first(71), shorter = state.first(40);
  read(kv(fork), 33);
  read(kv(shorter), 60);
  read(&state, 2);
  EXPECT_TRUE(at::equal(keys(state, 0).narrow(1, 0, 71), before));
  EXPECT_TRUE(at::equal(keys(*kv(fork), 0).narrow(1, 0, 71), before));
  EXPECT_EQ(shorter->length(), 100);
  EXPECT_TRUE(at::equal(keys(*kv(shorter), 0).narrow(1, 0, 40), before.narrow(1, 0, 40)));
  EXPECT_FALSE(at::equal(keys(*kv(shorter), 0).narrow(1, 40, 31), before.narrow(1, 40, 31)));
}

TEST(KvState, CopiesShareMemory) {
  const auto shared = memory(KvMemory::kBlockTokens * 4);
  KvState state(shared);
  read(&state, KvMemory::kBlockTokens * 3);
  std::vector<std::unique_ptr<SequenceState>> copies;
  for (int i = 0; i < 50; ++i) copies.push_back(state.first(KvMemory::kBlockTokens * 2));
  EXPECT_EQ(shared->blocks()->free(), 1);
  EXPECT_TRUE(copies[0]->reserve(1));
  EXPECT_FALSE(copies[1]->reserve(1));
  copies.clear();
  EXPECT_TRUE(state.reserve(KvMemory::kBlockTokens));
}

TEST(KvState, SavedPartsComeBackEqual) {
  KvState state(memory());
  read(&state, 75);
  KvState restored(memory());
  restored.restore(state.save(0, 40));
  restored.restore(state.save(40, 75));
  EXPECT_EQ(restored.length(), 75);
  for (int layer = 0; layer < kLayers; ++layer) {
    EXPECT_TRUE(at::equal(keys(restored, layer), keys(state, layer)));
    EXPECT_TRUE(at::equal(restored.view(layer, 75).values, state.view(layer, 75).values));
  }
  EXPECT_EQ(restored.save(0, 75), state.save(0, 75));
}

TEST(KvState, AnEmptyStateCanBeSaved) {
  KvState state(memory());
  state.restore(KvState(memory()).save(0, 0));
  EXPECT_EQ(state.length(), 0);
}

TEST(KvState, RefusesDamagedBytes) {
  KvState state(memory());
  read(&state, 4);
  const std::vector<std::uint8_t> bytes = state.save(0, 4);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{48}, bytes.size() - 1}) {
    const std::vector<std::uint8_t> cut(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(size));
    KvState restored(memory());
    EXPECT_THROW(restored.restore(cut), Error) << size;
    EXPECT_EQ(restored.length(), 0);
  }
  for (std::size_t field = 0; field < 6; ++field) {
    std::vector<std::uint8_t> other = bytes;
    other[field * 8 + 1] ^= 1;
    KvState restored(memory());
    EXPECT_THROW(restored.restore(other), Error) << field;
  }
}

TEST(KvState, SaysWhenThereIsNoMemory) {
  KvState state(memory()), small(memory(KvMemory::kBlockTokens));
  read(&state, 100);
  EXPECT_FALSE(small.reserve(KvMemory::kBlockTokens + 1));
  EXPECT_THROW(small.restore(state.save(0, 100)), std::bad_alloc);
  EXPECT_EQ(small.length(), 0);
  EXPECT_TRUE(small.reserve(KvMemory::kBlockTokens));
}

}  // namespace
}  // namespace fineprint::nets
