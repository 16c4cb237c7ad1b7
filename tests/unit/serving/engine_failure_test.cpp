// What the engine makes of lost memory, exceptions, and its own end.
#include <chrono>
#include <functional>
#include <latch>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/serving/engine.h"

#include "support/engine_batch.h"
#include "support/fake_step_network.h"

namespace fineprint::serving {
namespace {

using tests::Batch;
using tests::failure;
using tests::FakeNetwork;
using tests::FakeSequence;
using tests::generates;
using tests::make_sequence;

enum class Loss { refused, reserve_throws, step_throws, prepare_throws };

// Memory is short once, or three times, at each place in turn where it is asked for.
void lose_memory_everywhere(Loss loss) {
  for (const int times : {1, 3}) {
    bool reached = true;
    for (int place = 0; reached; ++place) {
      FakeNetwork network(60);
      network.keep(3);
      int asked = 0;
      const auto now = [&] {
        const int index = asked++;
        return index >= place && index < place + times;
      };
      if (loss == Loss::refused) network.on_reserve = [&](FakeSequence&) { return now(); };
      if (loss == Loss::reserve_throws) {
        network.on_reserve = [&](FakeSequence&) {
          if (now()) throw std::bad_alloc();
          return false;
        };
      }
      if (loss == Loss::step_throws) {
        network.on_step = [&](std::span<const StepPart>) {
          if (now()) throw std::bad_alloc();
        };
      }
      if (loss == Loss::prepare_throws) {
        network.on_prepare = [&](FakeSequence&) {
          if (now()) throw std::bad_alloc();
        };
      }
      Batch batch(3, 50, 6);
      for (FakeSequence& sequence : batch.sequences) sequence.units = 2;
      Engine engine(network, {.step_tokens = 30});
      const std::string failed = failure(engine, batch.calls());
      // Only a call that is alone, with nothing left to give up, may fail.
      if (failed.empty()) {
        batch.expect_right();
      } else {
        EXPECT_NE(failed.find("do not fit in the model's memory"), std::string::npos) << failed;
        EXPECT_EQ(times, 3) << "place " << place;
      }
      EXPECT_EQ(network.pool->free() + (network.kept.empty() ? 0 : 3), network.pool->size());
      reached = asked > place;
    }
  }
}

TEST(Engine, MemoryRefusedAtEveryPlace) { lose_memory_everywhere(Loss::refused); }
TEST(Engine, OutOfMemoryInEveryReserve) { lose_memory_everywhere(Loss::reserve_throws); }
TEST(Engine, OutOfMemoryInEveryStep) { lose_memory_everywhere(Loss::step_throws); }
TEST(Engine, OutOfMemoryInEveryPrepare) { lose_memory_everywhere(Loss::prepare_throws); }

TEST(Engine, StepsShrinkUntilTheyFit) {
  FakeNetwork network;
  network.on_step = [](std::span<const StepPart> parts) {
    std::int64_t tokens = 0;
    for (const StepPart& part : parts) tokens += part.count;
    if (tokens > 5) throw std::bad_alloc();
  };
  Engine engine(network, {.step_tokens = 512});
  Batch batch(8, 40, 5);
  engine.run(batch.calls());
  batch.expect_right();
}

TEST(Engine, NoMemoryForAnyStepFailsEveryCall) {
  FakeNetwork network;
  network.on_step = [](std::span<const StepPart>) { throw std::bad_alloc(); };
  Engine engine(network, {});
  for (int i = 0; i < 3; ++i) {
    Batch batch(1, 40, 5);
    EXPECT_NE(failure(engine, batch.calls()).find("40 tokens do not fit"), std::string::npos);
  }
  network.on_step = [](std::span<const StepPart>) {};
  Batch batch(4, 40, 5);
  engine.run(batch.calls());
  batch.expect_right();
}

// Two runs under way together; the first fails by `spoil`, the second must not notice.
void expect_only_first_fails(
    const std::function<void(FakeNetwork&, std::vector<EngineCall>&)>& spoil) {
  FakeNetwork network;
  Batch spoilt(3, 30, 8), sound(3, 30, 8);
  for (FakeSequence& sequence : sound.sequences) sequence.id += 100;
  std::vector<EngineCall> calls = spoilt.calls();
  spoil(network, calls);
  Engine engine(network, {});
  std::thread other([&] { engine.run(sound.calls()); });
  EXPECT_EQ(failure(engine, calls), "injected");
  other.join();
  for (FakeSequence& sequence : sound.sequences) sequence.id -= 100;
  sound.expect_right();
  EXPECT_EQ(network.pool->free(), network.pool->size());
}

TEST(Engine, AFailedPrepareEndsItsRunOnly) {
  expect_only_first_fails([](FakeNetwork& network, std::vector<EngineCall>&) {
    network.on_prepare = [](FakeSequence& sequence) {
      if (sequence.id == 1) throw std::runtime_error("injected");
    };
  });
}

TEST(Engine, AFailedReserveEndsItsRunOnly) {
  expect_only_first_fails([](FakeNetwork& network, std::vector<EngineCall>&) {
    network.on_reserve = [](FakeSequence& sequence) -> bool {
      if (sequence.id == 2) throw std::runtime_error("injected");
      return false;
    };
  });
}

TEST(Engine, AFailedNextEndsItsRunOnly) {
  expect_only_first_fails([](FakeNetwork&, std::vector<EngineCall>& calls) {
    calls[1].next = [next = calls[1].next, left = 4]() mutable {
      if (--left == 0) throw std::runtime_error("injected");
      return next();
    };
  });
}

TEST(Engine, TheOthersOfAFailedRunEnd) {
  FakeNetwork network;
  Engine engine(network, {.sequences = 2});
  Batch batch(3, 10, 5000);
  std::vector<EngineCall> calls = batch.calls();
  calls[0].next = []() -> bool { throw std::runtime_error("injected"); };
  EXPECT_EQ(failure(engine, calls), "injected");
  EXPECT_LE(batch.sequences[1].total(), 11);
  EXPECT_EQ(batch.sequences[2].total(), 10);
}

TEST(Engine, AFailedStepEndsThoseWhoWereInIt) {
  FakeNetwork network;
  network.on_step = [&](std::span<const StepPart>) {
    if (network.log.size() == 6) throw std::runtime_error("injected");
  };
  Engine engine(network, {});
  Batch batch(3, 30, 20);
  EXPECT_EQ(failure(engine, batch.calls()), "injected");
  network.on_step = [](std::span<const StepPart>) {};
  Batch again(3, 30, 20);
  engine.run(again.calls());
  again.expect_right();
}

TEST(Engine, EveryRunInAFailedStepIsTold) {
  FakeNetwork network;
  network.on_step = [](std::span<const StepPart> parts) {
    if (parts.size() == 3) throw std::runtime_error("injected");
  };
  Engine engine(network, {.threads = 3});
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    threads.emplace_back([&, seed] {
      FakeSequence sequence = make_sequence(5, seed);
      const auto next = generates(sequence, 1 << 30);
      EXPECT_EQ(failure(engine, {{&sequence, next, {}}}), "injected");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Engine, NextThatBringsNothingIsAMistake) {
  FakeNetwork network;
  Engine engine(network, {});
  FakeSequence sequence = make_sequence(3, 1);
  try {
    engine.run(std::vector<EngineCall>{{&sequence, [] { return true; }, {}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
  }
}

TEST(Engine, CallsUnderWayFailWhenItEnds) {
  FakeNetwork network;
  std::optional<Engine> engine(std::in_place, network, EngineOptions{.sequences = 2});
  std::latch started(2);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      FakeSequence sequence = make_sequence(5, seed);
      const auto next = generates(sequence, 1 << 30);
      bool first = true;
      Engine& its = *engine;
      try {
        its.run(std::vector<EngineCall>{{&sequence,
                                         [&] {
                                           if (std::exchange(first, false)) started.count_down();
                                           return next();
                                         },
                                         {}}});
        ADD_FAILURE() << "a call without an end ended";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::model);
      }
    });
  }
  started.wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that all four have called
  engine.reset();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fineprint::serving
