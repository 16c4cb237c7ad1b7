// What the engine itself costs a step, beside a network that does nothing.
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "fineprint/serving/engine.h"

namespace fineprint::serving {
namespace {

struct IdleSequence : EngineSequence {
  std::int64_t tokens = 1, tokens_read = 0;
  std::int64_t total() const override { return tokens; }
  std::int64_t read() const override { return tokens_read; }
};

struct IdleNetwork : StepNetwork {
  Prepared prepare(EngineSequence&) override { return Prepared::ready; }
  std::int64_t smallest_part(const EngineSequence&) const override { return 1; }
  std::int64_t largest_part(const EngineSequence& sequence) const override {
    return sequence.total() - sequence.read();
  }
  bool reserve(EngineSequence&, std::int64_t) override { return true; }
  void release(EngineSequence&) override {}
  bool drop_kept() override { return false; }
  void step(std::span<const StepPart> parts) override {
    ++steps;
    for (const StepPart& part : parts) {
      static_cast<IdleSequence*>(part.sequence)->tokens_read += part.count;
    }
  }
  std::int64_t steps = 0;
};

// Sequences that generate 1000 tokens together; the time is that of one step.
void steps(benchmark::State& state) {
  constexpr std::int64_t kTokens = 1000;
  IdleNetwork network;
  Engine engine(network, {.threads = static_cast<int>(state.range(1))});
  for (auto _ : state) {
    std::vector<IdleSequence> sequences(static_cast<std::size_t>(state.range(0)));
    std::vector<EngineCall> calls;
    for (IdleSequence& sequence : sequences) {
      calls.push_back({&sequence, [&sequence] { return ++sequence.tokens <= kTokens; }, {}});
    }
    engine.run(calls);
  }
  state.counters["a_step"] =
      benchmark::Counter(static_cast<double>(network.steps),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(steps)
    ->ArgNames({"sequences", "threads"})
    ->Args({1, 1})
    ->Args({8, 1})
    ->Args({64, 1})
    ->Args({8, 2})
    ->Args({64, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// From a call's beginning to its end when there is one token to read: two threads are woken.
void short_call(benchmark::State& state) {
  IdleNetwork network;
  Engine engine(network, {});
  for (auto _ : state) {
    IdleSequence sequence;
    const EngineCall call{&sequence, [] { return false; }, {}};
    engine.run({&call, 1});
  }
}
BENCHMARK(short_call)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fineprint::serving

BENCHMARK_MAIN();
