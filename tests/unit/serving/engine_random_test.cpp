// Random calls from 1 to 64 threads, with too little memory, failures and cancelling: every run
// returns, and what it returns is what each call gives alone.
#include <atomic>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/serving/engine.h"

#include "support/fake_step_network.h"

namespace fineprint::serving {
namespace {

using tests::alone;
using tests::FakeNetwork;
using tests::FakeSequence;
using tests::generates;
using tests::make_sequence;

// True once in `n` times; never for 0.
bool one_in(std::mt19937& random, unsigned n) { return n > 0 && random() % n == 0; }

std::int64_t below(std::mt19937& random, unsigned end) {
  return static_cast<std::int64_t>(random() % end);
}

// How often what goes wrong.
struct Mishaps {
  unsigned refuse = 0, no_memory = 0, fail = 0, cancel = 0;
};

void go_wrong(FakeNetwork& network, const Mishaps& mishaps, std::mt19937& random) {
  const auto strike = [mishaps, &random] {
    if (one_in(random, mishaps.no_memory)) throw std::bad_alloc();
    if (one_in(random, mishaps.fail)) throw Error(ErrorCode::model, "injected");
  };
  network.on_prepare = [strike](FakeSequence&) { strike(); };
  network.on_step = [strike](std::span<const StepPart>) { strike(); };
  network.on_reserve = [mishaps, strike, &random](FakeSequence&) {
    strike();
    return one_in(random, mishaps.refuse);
  };
}

struct RandomCall {
  FakeSequence sequence, untouched;
  std::int64_t count, at_a_time;
  const StopSource stop = StopSource();
};

std::unique_ptr<RandomCall> random_call(std::mt19937& random) {
  auto made = std::make_unique<RandomCall>();
  made->sequence =
      make_sequence(1 + below(random, 80), random(), below(random, 4), one_in(random, 5));
  if (!made->sequence.both_ways && one_in(random, 2)) {
    for (std::int64_t at = 0; at < made->sequence.prompt; at += 1 + below(random, 30)) {
      if (at > 0) made->sequence.fork_points.push_back(at);
    }
  }
  made->untouched = make_sequence(made->sequence.prompt, made->sequence.id);
  made->count = below(random, 25);
  made->at_a_time = one_in(random, 4) ? 1 + below(random, 20) : 1;
  return made;
}

// A run of 1 to 4 calls; counts those that came through.
void run_some(Engine& engine, const Mishaps& mishaps, std::mt19937& random,
              std::atomic<int>& finished) {
  std::vector<std::unique_ptr<RandomCall>> calls;
  std::vector<EngineCall> wanted;
  for (std::int64_t i = below(random, 4); i >= 0; --i) {
    calls.push_back(random_call(random));
    RandomCall& call = *calls.back();
    if (calls.size() > 1 && one_in(random, 4)) {
      call.sequence.after = &calls[calls.size() - 2]->sequence;
    }
    // What cancels: a token of this call or of another one in the run.
    RandomCall& struck = *calls[static_cast<std::size_t>(random()) % calls.size()];
    const std::int64_t when = one_in(random, mishaps.cancel) ? below(random, 20) : -1;
    const std::int64_t fails = one_in(random, mishaps.fail) ? below(random, 20) : -1;
    wanted.push_back(
        {&call.sequence,
         [&, when, fails, next = generates(call.sequence, call.count, call.at_a_time)] {
           const std::int64_t made = call.sequence.total() - call.sequence.prompt;
           if (when >= 0 && made >= when) struck.stop.request_stop();
           if (fails >= 0 && made >= fails) throw std::runtime_error("injected");
           return next();
         },
         call.stop.token()});
  }
  try {
    engine.run(wanted);
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::model)
        << error.what();
    return;
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "injected");
    return;
  }
  for (const auto& call : calls) {
    if (call->stop.token().stop_requested()) continue;
    EXPECT_EQ(call->sequence.tokens,
              alone(std::move(call->untouched), call->count, call->at_a_time));
    ++finished;
  }
}

// Calls that came through, of those wanted by `callers` threads.
int run_many(unsigned seed, int callers, int runs, std::int64_t blocks, const Mishaps& mishaps) {
  std::mt19937 random(seed);
  FakeNetwork network(blocks);
  go_wrong(network, mishaps, random);
  std::atomic<int> finished = 0;
  {
    Engine engine(network, {.step_tokens = 1 + below(random, 200),
                            .sequences = 1 + static_cast<int>(below(random, 40)),
                            .threads = 1 + static_cast<int>(below(random, 4))});
    std::vector<std::thread> threads;
    for (int caller = 0; caller < callers; ++caller) {
      threads.emplace_back([&, caller] {
        std::mt19937 own(seed * 1000 + static_cast<unsigned>(caller));
        for (int run = 0; run < runs; ++run) run_some(engine, mishaps, own, finished);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(network.pool->free(), network.pool->size());
  return finished;
}

TEST(EngineRandom, EnoughOfEverything) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    run_many(seed, 1 << seed % 7, 5, 1 << 20, {});
  }
}

// Nothing fails: any call fits alone, so all of them come through.
TEST(EngineRandom, LittleMemory) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int callers = 1 << seed % 7;
    SCOPED_TRACE(seed);
    EXPECT_GE(run_many(seed, callers, 4, 32 + seed * 3, {}), callers * 4);
  }
}

TEST(EngineRandom, LittleMemoryThatComesAndGoes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    run_many(seed, 1 << seed % 7, 4, 32 + seed * 3, {.refuse = 6, .no_memory = 20});
  }
}

// Some calls are too large even alone.
TEST(EngineRandom, EverythingGoesWrong) {
  int finished = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    finished += run_many(seed, 1 << seed % 7, 4, 18 + seed,
                         {.refuse = 8, .no_memory = 30, .fail = 120, .cancel = 6});
  }
  EXPECT_GT(finished, 100);
}

}  // namespace
}  // namespace fineprint::serving
