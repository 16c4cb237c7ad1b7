// Tests of what a decoder remembers: copies go their own way, saved ones come back equal, what was
// not read to its end leaves nothing behind; for each kind of layer and for all together.
#include "nets/decoder/state.h"

#include <cstring>
#include <new>
#include <random>

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "nets/decoder/key_values.h"
#include "nets/decoder/recurrence.h"

namespace fineprint::nets {
namespace {

constexpr int kLayers = 2;
constexpr std::int64_t kHeads = 3, kHeadDim = 4, kWindow = 40;
constexpr std::int64_t kBlock = KvMemory::kBlockTokens;

KvShape shape(std::int64_t window) {
  return {kLayers, kHeads, kHeadDim, window, at::TensorOptions(at::kFloat)};
}

std::shared_ptr<KvMemory> memory(std::int64_t tokens = 4096, std::int64_t window = 0) {
  return std::make_shared<KvMemory>(shape(window), tokens);
}

RecurrenceShape recurrence_shape() {
  return {.layers = kLayers,
          .heads = 2,
          .key_dim = 3,
          .value_dim = 5,
          .channels = 22,
          .tail = 3,
          .options = at::TensorOptions(at::kBFloat16)};
}

// One model's memory, and states in it. Parts: 0 full, 1 windowed, 2 recurrent, those it has.
struct Memories {
  std::shared_ptr<KvMemory> full, windowed;
  std::shared_ptr<RecurrenceMemory> recurrent;

  std::unique_ptr<SequenceState> new_state() const {
    std::vector<std::unique_ptr<StatePart>> parts;
    if (full) parts.push_back(std::make_unique<KeyValues>(full));
    if (windowed) parts.push_back(std::make_unique<KeyValues>(windowed));
    if (recurrent) parts.push_back(std::make_unique<Recurrence>(recurrent));
    return std::make_unique<SequenceState>(std::move(parts));
  }
};

Memories full_only(std::int64_t tokens = 4096) { return {memory(tokens), nullptr, nullptr}; }
Memories windowed_only() { return {nullptr, memory(4096, kWindow), nullptr}; }
Memories hybrid(std::int64_t slots = 16, std::int64_t tokens = 4096) {
  return {memory(tokens), memory(tokens, kWindow),
          std::make_shared<RecurrenceMemory>(recurrence_shape(), slots)};
}

KeyValues& keys_of(SequenceState& state, std::size_t part = 0) {
  return dynamic_cast<KeyValues&>(state.part(part));
}

// What a step lays down, without its end.
void lay(const Memories& memories, SequenceState* state, std::int64_t tokens) {
  ASSERT_TRUE(state->reserve(tokens));
  const std::int64_t length = state->length();
  std::size_t part = 0;
  for (const auto& kv : {memories.full, memories.windowed}) {
    if (!kv) continue;
    for (int layer = 0; layer < kLayers; ++layer) {
      keys_of(*state, part)
          .append(layer, length, at::rand({kHeads, tokens, kHeadDim}),
                  at::rand({kHeads, tokens, kHeadDim}));
    }
    ++part;
  }
  if (!memories.recurrent) return;
  for (int layer = 0; layer < kLayers; ++layer) {
    const Recurrence::Layer to = dynamic_cast<Recurrence&>(state->part(part)).after(layer);
    at::Tensor(to.matrices).copy_(at::rand(to.matrices.sizes()));
    at::Tensor(to.tail).copy_(at::rand(to.tail.sizes()));
  }
}

void read(const Memories& memories, SequenceState* state, std::int64_t tokens) {
  lay(memories, state, tokens);
  state->advance(tokens);
}

at::Tensor keys(SequenceState& state, int layer) {
  return keys_of(state).view(layer, 0, state.length()).keys.clone();
}

TEST(SequenceState, KeepsEarlierTokensWhenItGrows) {
  const Memories memories = full_only();
  const auto state = memories.new_state();
  const at::Tensor first = at::rand({kHeads, 5, kHeadDim}),
                   values = at::rand({kHeads, 5, kHeadDim});
  ASSERT_TRUE(state->reserve(5));
  for (int layer = 0; layer < kLayers; ++layer) keys_of(*state).append(layer, 0, first, values);
  state->advance(5);
  read(memories, state.get(), 1000);
  EXPECT_EQ(state->length(), 1005);
  const KeyValues::View seen = keys_of(*state).view(1, 0, 1005);
  EXPECT_TRUE(at::equal(seen.keys.narrow(1, 0, 5), first));
  EXPECT_TRUE(at::equal(seen.values.narrow(1, 0, 5), values));
}

TEST(SequenceState, CopiesGoTheirOwnWay) {
  const Memories memories = hybrid();
  const auto state = memories.new_state();
  read(memories, state.get(), 71);
  const auto fork = state->fork();
  const auto before = state->save(0);
  EXPECT_EQ(fork->save(0), before);
  read(memories, fork.get(), 33);
  EXPECT_EQ(state->save(0), before);
  const auto other = fork->save(0);
  read(memories, state.get(), 2);
  EXPECT_EQ(fork->save(0), other);
  EXPECT_TRUE(at::equal(keys(*state, 0).narrow(1, 0, 71), keys(*fork, 0).narrow(1, 0, 71)));
  EXPECT_FALSE(at::equal(keys(*state, 0).narrow(1, 71, 2), keys(*fork, 0).narrow(1, 71, 2)));
}

TEST(SequenceState, CopiesShareMemory) {
  const Memories memories = full_only(kBlock * 4);
  const auto state = memories.new_state();
  read(memories, state.get(), kBlock * 3 - 1);
  std::vector<std::unique_ptr<SequenceState>> copies;
  for (int i = 0; i < 50; ++i) copies.push_back(state->fork());
  EXPECT_EQ(memories.full->blocks()->free(), 1);
  EXPECT_TRUE(copies[0]->reserve(1));
  EXPECT_FALSE(copies[1]->reserve(1));
  copies.clear();
  EXPECT_TRUE(state->reserve(kBlock));
}

// A step that fails, anywhere, leaves the state as it was.
TEST(SequenceState, WhatIsNotAdvancedIsNotThere) {
  const Memories memories = hybrid();
  const auto state = memories.new_state();
  for (const std::int64_t tokens : {1, 37, 64, 5}) {
    const auto before = state->save(0);
    const auto fork = state->fork();
    lay(memories, state.get(), tokens + 10);
    EXPECT_EQ(state->save(0), before);
    EXPECT_EQ(state->fork()->save(0), before);
    read(memories, state.get(), tokens);
    EXPECT_EQ(fork->save(0), before);
  }
}

TEST(SequenceState, SavedPartsComeBackEqual) {
  for (const Memories& memories : {full_only(), windowed_only(), hybrid()}) {
    const auto state = memories.new_state();
    std::vector<std::vector<std::uint8_t>> saved;
    for (const std::int64_t tokens : {7, 20, 90, 3, 1}) {
      const std::int64_t before = state->length();
      read(memories, state.get(), tokens);
      saved.push_back(state->save(before));
      // Each place is gone on from like the state itself, from copies too.
      std::unique_ptr<SequenceState> restored = memories.new_state();
      for (const auto& bytes : saved) {
        restored = restored->fork();
        restored->restore(bytes);
      }
      EXPECT_EQ(restored->length(), state->length());
      EXPECT_EQ(restored->save(0), state->save(0));
      read(memories, restored.get(), 2);
      EXPECT_EQ(restored->length(), state->length() + 2);
    }
  }
}

// Of a window no more is saved, counted or held than what can still be seen.
TEST(SequenceState, AWindowForgetsWhatItDoesNotSee) {
  const Memories memories = windowed_only();
  const auto state = memories.new_state();
  const auto a_token = static_cast<std::size_t>(shape(kWindow).bytes_per_token());
  read(memories, state.get(), 30);
  EXPECT_EQ(state->bytes(0), 30 * a_token);
  EXPECT_EQ(state->bytes(20), 10 * a_token);
  read(memories, state.get(), 500);
  EXPECT_EQ(state->bytes(0), (kWindow - 1) * a_token);
  EXPECT_EQ(state->bytes(525), 5 * a_token);
  EXPECT_LT(state->save(0).size(), kWindow * a_token + 200);
  const auto& pool = *memories.windowed->blocks();
  EXPECT_LE(pool.size() - pool.free(), kWindow / kBlock + 2);
  const KeyValues::View seen = keys_of(*state).view(0, 530 - kWindow + 1, 530);
  const auto restored = memories.new_state();
  restored->restore(state->save(0));
  const KeyValues::View again = keys_of(*restored).view(0, 530 - kWindow + 1, 530);
  EXPECT_TRUE(at::equal(seen.keys, again.keys));
  EXPECT_TRUE(at::equal(seen.values, again.values));
}

TEST(SequenceState, BytesAreThoseOfAllParts) {
  const Memories memories = hybrid();
  const auto state = memories.new_state();
  EXPECT_EQ(state->bytes(0), 0U);
  read(memories, state.get(), 100);
  const auto a_token = static_cast<std::size_t>(shape(0).bytes_per_token());
  const auto whole = static_cast<std::size_t>(recurrence_shape().bytes());
  EXPECT_EQ(state->bytes(0), (100 + kWindow - 1) * a_token + whole);
  EXPECT_EQ(state->bytes(90), (10 + 10) * a_token + whole);
  const std::size_t headers = sizeof(SavedState) + 4 * sizeof(SavedHeader);
  EXPECT_EQ(state->save(0).size(), state->bytes(0) + headers);
  EXPECT_EQ(state->save(90).size(), state->bytes(90) + headers);
}

TEST(SequenceState, AnEmptyStateCanBeSaved) {
  const Memories memories = hybrid();
  const auto state = memories.new_state();
  state->restore(hybrid().new_state()->save(0));
  EXPECT_EQ(state->length(), 0);
  read(memories, state.get(), 3);
  EXPECT_EQ(state->length(), 3);
}

TEST(SequenceState, RefusesDamagedBytes) {
  const Memories memories = hybrid();
  const auto state = memories.new_state();
  read(memories, state.get(), 4);
  const std::vector<std::uint8_t> bytes = state->save(0);
  const auto refused = [&](const std::vector<std::uint8_t>& other) {
    const auto restored = memories.new_state();
    EXPECT_THROW(restored->restore(other), Error);
    EXPECT_EQ(restored->length(), 0);
    restored->restore(bytes);  // as good as new
    EXPECT_EQ(restored->save(0), bytes);
  };
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 8) {
    refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  refused(longer);
  // Every number that stands before values, made larger and absurd.
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sizeof(SavedState) / 8; ++i) numbers.push_back(i * 8);
  for (std::size_t at = sizeof(SavedState); at < bytes.size();) {
    for (std::size_t i = 0; i < sizeof(SavedHeader) / 8; ++i) numbers.push_back(at + i * 8);
    SavedHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof(header));
    at += sizeof(header) + header.bytes();
  }
  EXPECT_EQ(numbers.size(), 3U + 4 * 7);
  for (const std::size_t at : numbers) {
    for (const std::size_t byte : {0, 1, 3, 5, 7}) {
      std::vector<std::uint8_t> other = bytes;
      other[at + byte] ^= 0x41;
      refused(other);
    }
  }
  EXPECT_THROW(full_only().new_state()->restore(bytes), Error);
}

TEST(SequenceState, SaysWhenThereIsNoMemory) {
  const Memories memories = full_only(), small = full_only(kBlock);
  const auto large = memories.new_state(), state = small.new_state();
  read(memories, large.get(), 100);
  EXPECT_FALSE(state->reserve(kBlock + 1));
  EXPECT_THROW(state->restore(large->save(0)), std::bad_alloc);
  EXPECT_EQ(state->length(), 0);
  EXPECT_TRUE(state->reserve(kBlock));
}

// One slot for where a sequence is, one for where it goes.
TEST(SequenceState, SlotsAreMemoryToo) {
  const Memories memories = hybrid(2);
  const auto state = memories.new_state();
  read(memories, state.get(), 5);
  const auto fork = state->fork();
  read(memories, state.get(), 5);
  const std::int64_t blocks = memories.full->blocks()->free();
  EXPECT_FALSE(state->reserve(1000));
  EXPECT_EQ(memories.full->blocks()->free(), blocks) << "nothing is held that cannot be used";
  EXPECT_FALSE(fork->reserve(1));
  EXPECT_EQ(state->length(), 10);
}

// Steps, failed steps, copies and restored copies in any order against plain lists of what was
// read.
TEST(SequenceState, AnyOrderOfStepsAndCopies) {
  const Memories memories = hybrid(64, 1 << 15);
  std::mt19937 random(11);
  struct Held {
    std::unique_ptr<SequenceState> state;
    std::vector<std::uint8_t> as_saved;
  };
  std::vector<Held> held;
  held.push_back({memories.new_state(), {}});
  held[0].as_saved = held[0].state->save(0);
  for (int turn = 0; turn < 400; ++turn) {
    Held& one = held[random() % held.size()];
    const auto tokens = static_cast<std::int64_t>(1 + random() % 70);
    switch (random() % 4) {
      case 0:
        if (one.state->length() > 1500) break;
        read(memories, one.state.get(), tokens);
        one.as_saved = one.state->save(0);
        break;
      case 1:
        lay(memories, one.state.get(), tokens);
        break;
      case 2:
        if (held.size() < 12) {
          auto fork = one.state->fork();
          auto saved = one.as_saved;
          held.push_back({std::move(fork), std::move(saved)});
        } else {
          held.erase(held.begin() + static_cast<std::ptrdiff_t>(random() % held.size()));
        }
        break;
      default:
        auto restored = memories.new_state();
        restored->restore(one.as_saved);
        one.state = std::move(restored);
    }
    for (const Held& each : held) ASSERT_EQ(each.state->save(0), each.as_saved) << turn;
  }
  held.clear();
  EXPECT_EQ(memories.full->blocks()->free(), memories.full->blocks()->size());
  EXPECT_EQ(memories.windowed->blocks()->free(), memories.windowed->blocks()->size());
  EXPECT_EQ(memories.recurrent->slots()->free(), memories.recurrent->slots()->size());
}

}  // namespace
}  // namespace fineprint::nets
