// The engine over a network of integers: results, sharing, fairness, memory.
#include "fineprint/serving/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <latch>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/engine_batch.h"
#include "support/fake_step_network.h"

namespace fineprint::serving {
namespace {

using tests::alone;
using tests::Batch;
using tests::chain;
using tests::failure;
using tests::FakeNetwork;
using tests::FakeSequence;
using tests::generates;
using tests::make_sequence;
using Tokens = std::vector<std::int64_t>;

TEST(Engine, OneCall) {
  FakeNetwork network;
  Engine engine(network, {});
  Batch batch(1, 100, 10);
  engine.run(batch.calls());
  batch.expect_right();
  EXPECT_EQ(network.log.size(), 11U);
  EXPECT_EQ(network.pool->free(), network.pool->size());
}

TEST(Engine, NothingToDo) {
  FakeNetwork network;
  Engine engine(network, {});
  engine.run({});
  FakeSequence empty = make_sequence(0, 1);
  engine.run(std::vector<EngineCall>{{&empty, [] { return false; }, {}}});
  EXPECT_TRUE(network.log.empty());
}

TEST(Engine, CallsFromManyThreads) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 64, .sequences = 16, .threads = 3});
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    threads.emplace_back([&engine, seed] {
      FakeSequence sequence = make_sequence(static_cast<std::int64_t>(seed) * 3 + 1, seed, 2);
      const FakeSequence before = make_sequence(static_cast<std::int64_t>(seed) * 3 + 1, seed, 2);
      engine.run(std::vector<EngineCall>{{&sequence, generates(sequence, 20, 3), {}}});
      EXPECT_EQ(sequence.tokens, alone(make_sequence(before.prompt, seed), 20, 3));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Engine, EightSharedGenerationsTakeAboutTheStepsOfOne) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 256});
  Batch batch(8, 32, 50);
  engine.run(batch.calls());
  batch.expect_right();
  EXPECT_LE(network.log.size(), 51U + 8);
}

TEST(Engine, AShortCallIsNotHeldUpByAHugePrompt) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 64});
  FakeSequence huge = make_sequence(20000, 1), brief = make_sequence(40, 2);
  std::size_t ended = 0;
  const auto next = generates(brief, 5);
  engine.run(std::vector<EngineCall>{{&huge, generates(huge, 1), {}},
                                     {&brief,
                                      [&] {
                                        const bool more = next();
                                        if (!more) ended = network.log.size();
                                        return more;
                                      },
                                      {}}});
  EXPECT_GT(ended, 0U);
  EXPECT_LE(ended, 10U);
  // It has half of a step for its prompt; then its tokens go ahead of the older prompt.
  std::vector<std::int64_t> counts;
  for (const auto& parts : network.log) {
    if (parts.size() < 2) continue;
    const bool generating = parts[0].id == 2;
    counts.push_back(parts[generating ? 0 : 1].count);
    EXPECT_EQ(generating, counts.size() > 2);
    EXPECT_EQ(parts[0].count + parts[1].count, 64);
  }
  EXPECT_EQ(counts, (Tokens{32, 8, 1, 1, 1, 1, 1}));
  // The huge one had the rest of every step: what the brief one took cost it but a few.
  EXPECT_LE(network.log.size(), 20000U / 64 + 10);
}

TEST(Engine, EqualCallsEndTogether) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 50});
  Batch batch(8, 300, 20);
  std::vector<EngineCall> calls = batch.calls();
  std::vector<std::size_t> ends;
  for (EngineCall& call : calls) {
    call.next = [&, next = call.next] {
      const bool more = next();
      if (!more) ends.push_back(network.log.size());
      return more;
    };
  }
  engine.run(calls);
  batch.expect_right();
  ASSERT_EQ(ends.size(), 8U);
  // On a busy machine they may be prepared one a turn, the last seven turns behind the first. One
  // after the other they would end 140 steps apart.
  EXPECT_LE(ends.back() - ends.front(), 12U);
}

TEST(Engine, ImagesDoNotStarveThoseWhoGenerate) {
  FakeNetwork network;
  network.on_prepare = [](FakeSequence& sequence) {
    if (sequence.units > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  Engine engine(network, {});
  // The first goes on generating until all the others' 45 units are done.
  Batch batch(10, 20, 60);
  for (std::size_t i = 1; i < 10; ++i) batch.sequences[i].units = 5;
  engine.run(batch.calls());
  batch.expect_right();
  std::size_t in_turn = 0;
  for (std::size_t i = 1; i < network.prepared.size(); ++i) {
    in_turn = network.prepared_before[i] == network.prepared_before[i - 1] ? in_turn + 1 : 0;
    EXPECT_LE(in_turn, 2U);
  }
}

TEST(Engine, ACallIsPreparedOnceATurn) {
  FakeNetwork network;
  network.on_step = [](std::span<const StepPart>) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  Engine engine(network, {});
  Batch batch(3, 20, 10);
  batch.sequences[1].units = batch.sequences[2].units = 4;
  engine.run(batch.calls());
  batch.expect_right();
  std::vector<std::pair<std::size_t, std::uint64_t>> units;
  for (std::size_t i = 0; i < network.prepared.size(); ++i) {
    if (network.prepared_before[i] > 0) {
      units.emplace_back(network.prepared_before[i], network.prepared[i]);
    }
  }
  EXPECT_GE(units.size(), 6U);
  std::sort(units.begin(), units.end());
  EXPECT_EQ(std::adjacent_find(units.begin(), units.end()), units.end());
}

TEST(Engine, WhoWaitsForAnotherHoldsNobodyUp) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 40});
  Batch batch(4, 100, 5);
  batch.sequences[1].after = &batch.sequences[0];
  batch.sequences[2].after = &batch.sequences[0];
  engine.run(batch.calls());
  batch.expect_right();
  std::vector<std::size_t> begins(4, 1000);
  for (std::size_t i = 0; i < network.log.size(); ++i) {
    for (const auto& part : network.log[i]) begins[part.id] = std::min(begins[part.id], i);
  }
  EXPECT_LE(begins[3], 3U);
  EXPECT_GT(begins[1], 3U);
  EXPECT_GT(begins[2], 3U);
}

TEST(Engine, WaitingForEachOtherIsAMistake) {
  struct Waiting : FakeNetwork {
    Prepared prepare(EngineSequence&) override { return Prepared::waits; }
  } network;
  Engine engine(network, {});
  Batch batch(2, 10, 5);
  EXPECT_EQ(failure(engine, batch.calls()), "every call under way waits for another one");
}

TEST(Engine, APromptThatSeesItselfBothWaysIsReadInOnePiece) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 50});
  Batch batch(3, 70, 4);
  batch.sequences[1].both_ways = true;
  batch.sequences[2].both_ways = true;
  engine.run(batch.calls());
  batch.expect_right();
}

TEST(Engine, CallsBeyondTheLimitWaitInOrderOfArrival) {
  FakeNetwork network;
  Engine engine(network, {.sequences = 1});
  Batch batch(5, 10, 3);
  engine.run(batch.calls());
  batch.expect_right();
  std::uint64_t last = 0;
  for (const auto& parts : network.log) {
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_GE(parts[0].id, last);
    last = parts[0].id;
  }
}

TEST(Engine, NextRunsOnSeveralThreads) {
  FakeNetwork network;
  Engine engine(network, {.threads = 4});
  Batch batch(4, 10, 3);
  std::latch together(4);
  std::vector<EngineCall> calls = batch.calls();
  for (EngineCall& call : calls) {
    call.next = [&together, next = call.next, first = true]() mutable {
      if (std::exchange(first, false)) together.arrive_and_wait();
      return next();
    };
  }
  // Nobody reads before all four can.
  network.on_reserve = [&network](FakeSequence&) { return network.prepared.size() < 4; };
  engine.run(calls);
  batch.expect_right();
}

TEST(Engine, ACancelledCallEndsAtOnce) {
  FakeNetwork network;
  Engine engine(network, {.sequences = 2});
  const StopSource early, late, waits;
  early.request_stop();
  Batch batch(4, 10, 1000);
  std::vector<EngineCall> calls = batch.calls();
  calls[0].stop_token = early.token();
  calls[1].stop_token = late.token();
  calls[1].next = [&, next = calls[1].next] {
    if (batch.sequences[1].total() >= 20) late.request_stop();
    if (batch.sequences[1].total() >= 15) waits.request_stop();
    return next();
  };
  calls[3].stop_token = waits.token();
  engine.run(calls);
  EXPECT_EQ(batch.sequences[0].total(), 10);
  EXPECT_LE(batch.sequences[1].total(), 21);
  EXPECT_EQ(batch.sequences[2].tokens, alone(make_sequence(10, 2), 1000));
  EXPECT_EQ(batch.sequences[3].total(), 10);
  EXPECT_EQ(network.pool->free(), network.pool->size());
}

TEST(Engine, ShortOfMemoryCallsWait) {
  FakeNetwork network(40);  // 160 tokens
  Engine engine(network, {.step_tokens = 64});
  Batch batch(6, 60, 40);
  engine.run(batch.calls());
  batch.expect_right();
  EXPECT_EQ(network.pool->free(), network.pool->size());
}

TEST(Engine, KeptMemoryGoesBeforeACallIsPutBack) {
  FakeNetwork network(40);
  for (int i = 0; i < 5; ++i) network.keep(5);
  Engine engine(network, {});
  Batch batch(1, 100, 20);
  engine.run(batch.calls());
  batch.expect_right();
  EXPECT_EQ(network.kept.size(), 2U);  // 30 of 40 blocks were needed
  EXPECT_EQ(network.releases, 1);      // at its end
}

TEST(Engine, TheYoungestIsPutBackAndReadAgain) {
  FakeNetwork network(30);  // either fits alone: 100 of 120 tokens
  Engine engine(network, {.step_tokens = 20});
  Batch batch(2, 60, 40);
  engine.run(batch.calls());
  batch.expect_right();
  EXPECT_EQ(network.releases, 3);
  std::int64_t read_by_first = 0;
  for (const auto& parts : network.log) {
    for (const auto& part : parts) read_by_first += part.id == 0 ? part.count : 0;
  }
  EXPECT_EQ(read_by_first, 100);  // the older never has to read again
}

TEST(Engine, WhatDoesNotFitAloneFailsAndNobodyElse) {
  FakeNetwork network(30);
  Engine engine(network, {});
  FakeSequence large = make_sequence(500, 9);
  std::string message;
  std::thread other([&] {
    try {
      engine.run(std::vector<EngineCall>{{&large, generates(large, 5), {}}});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
      message = error.what();
    }
  });
  Batch batch(3, 40, 10);
  engine.run(batch.calls());
  other.join();
  batch.expect_right();
  EXPECT_NE(message.find("500 tokens do not fit"), std::string::npos) << message;
  EXPECT_NE(message.find("smaller images, fewer pages or more memory"), std::string::npos);
}

// Small calls that come later do not keep a large one from memory for ever.
TEST(Engine, ALargeCallIsNotPassedBy) {
  FakeNetwork network(12);
  Engine engine(network, {.step_tokens = 200, .sequences = 3});
  Batch batch(100, 10, 5);
  batch.sequences[2] = make_sequence(40, 2, 0, true);
  std::vector<EngineCall> calls = batch.calls();
  // Of different lengths, so that some are always under way.
  for (std::size_t i = 1; i < calls.size(); i += 2) {
    calls[i].next = generates(batch.sequences[i], 8);
  }
  engine.run(calls);
  EXPECT_EQ(batch.sequences[2].tokens, alone(make_sequence(40, 2), 5));
  std::set<std::uint64_t> before;
  for (std::size_t i = 0; network.log[i][0].id != 2; ++i) {
    for (const auto& part : network.log[i]) before.insert(part.id);
  }
  EXPECT_LE(before.size(), 3U);
}

TEST(Engine, WhoIsPutBackComesBeforeWhoHasNotBegun) {
  FakeNetwork network(60);  // two of three fit
  Engine engine(network, {.step_tokens = 60, .sequences = 3});
  Batch batch(6, 60, 40);
  engine.run(batch.calls());
  batch.expect_right();
  EXPECT_GT(network.releases, 6);
  // By their last tokens, calls end in the order of arrival.
  std::vector<std::size_t> ends(6);
  for (std::size_t i = 0; i < network.log.size(); ++i) {
    for (const auto& part : network.log[i]) ends[part.id] = i;
  }
  EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
}

// How many calls are prepared in a turn depends on the clock, and so does who is put back: a run
// alone may read a quarter more than there is. An engine that forgets how many fitted reads half
// more.
TEST(Engine, LittleIsReadTwice) {
  constexpr int kRuns = 10;
  std::int64_t read = 0;
  for (int run = 0; run < kRuns; ++run) {
    FakeNetwork network(80);  // three of 100 tokens fit
    Engine engine(network, {.step_tokens = 100});
    Batch batch(40, 60, 40);
    engine.run(batch.calls());
    batch.expect_right();
    for (const auto& parts : network.log) {
      for (const auto& part : parts) read += part.count;
    }
  }
  EXPECT_LE(read, kRuns * 40 * 100 * 4 / 3);
}

TEST(Engine, AnIdleEngineTakesNoTime) {
  FakeNetwork network;
  Engine engine(network, {.threads = 4});
  Batch batch(4, 10, 3);
  engine.run(batch.calls());
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}

// A token that is asked for during one step ends the call before the next.
TEST(Engine, AStoppedCallTakesNoFurtherStep) {
  FakeNetwork network;
  Engine engine(network, {.step_tokens = 16});
  for (const std::size_t steps : {1U, 3U, 9U}) {  // in its prompt of 64 tokens, or behind it
    network.log.clear();
    const StopSource source;
    FakeSequence sequence = make_sequence(64, steps);
    network.on_step = [&](std::span<const StepPart>) {
      if (network.log.size() + 1 == steps) source.request_stop();
    };
    engine.run(std::vector<EngineCall>{{&sequence, generates(sequence, 1000), source.token()}});
    EXPECT_EQ(network.log.size(), steps);
  }
  EXPECT_EQ(network.pool->free(), network.pool->size());
}

TEST(Engine, AStoppedCallPreparesNothingMore) {
  FakeNetwork network;
  Engine engine(network, {});
  const StopSource source;
  FakeSequence sequence = make_sequence(10, 1, 50);
  int prepared = 0;
  network.on_prepare = [&](FakeSequence&) {
    if (++prepared == 3) source.request_stop();
  };
  engine.run(std::vector<EngineCall>{{&sequence, generates(sequence, 5), source.token()}});
  EXPECT_EQ(prepared, 3);
  EXPECT_TRUE(network.log.empty());
}

TEST(Engine, ADeadlineEndsACallAndNotItsNeighbour) {
  FakeNetwork network;
  Engine engine(network, {});
  network.on_step = [](std::span<const StepPart>) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  Batch batch(2, 10, 60);
  std::vector<EngineCall> calls = batch.calls();
  calls[0].stop_token = StopToken().until(StopToken::Clock::now() + std::chrono::milliseconds(20));
  calls[0].next = generates(batch.sequences[0], 1'000'000'000);
  engine.run(calls);
  EXPECT_LT(batch.sequences[0].total(), 1'000'000);
  EXPECT_EQ(batch.sequences[1].tokens, alone(make_sequence(10, 1), 60));
}

// Each token comes with three proposals, all of them wrong. The network takes them back before or
// after it has read them, and the engine reads what is left.
TEST(Engine, ProposalsMayBeTakenBack) {
  for (const bool before : {true, false}) {
    FakeNetwork network;
    const auto take_back = [&](FakeSequence& sequence) {
      while (sequence.total() > sequence.prompt && sequence.tokens.back() < 0) {
        sequence.tokens.pop_back();
      }
      return false;
    };
    if (before) network.on_reserve = take_back;
    Batch batch(3, 10, 12);
    std::vector<EngineCall> calls = batch.calls();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      FakeSequence& sequence = batch.sequences[i];
      calls[i].next = [&, next = calls[i].next] {
        if (!before && sequence.tokens.back() < 0) {
          take_back(sequence);
          // The state as if they had never been read.
          sequence.state = 0;
          for (const std::int64_t id : sequence.tokens) sequence.state = chain(sequence.state, id);
          sequence.tokens_read = sequence.total();
        }
        if (!next()) return false;
        for (int proposal = 0; proposal < 3; ++proposal) sequence.tokens.push_back(-5);
        return true;
      };
    }
    Engine engine(network, {.step_tokens = 16});
    engine.run(calls);
    for (FakeSequence& sequence : batch.sequences) take_back(sequence);
    batch.expect_right();
  }
}

}  // namespace
}  // namespace fineprint::serving
