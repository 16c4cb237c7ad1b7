// Times dot products, hybrid-mask scores, BM25, top-k and adaptive K. Floors: a plain read of the
// same rows
// (`of_read` is the share of its speed), an addition per posting, a copy of the list.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "fineprint/score/bm25.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/fusion.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/mixture.h"

namespace fineprint::score {
namespace {

constexpr std::size_t kDim = 384;
constexpr std::size_t kPageDim = 3072;

// Of this thread's processor time: other programs on the machine are not counted.
double seconds_of(const auto& body) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  body();
  return now() - begin;
}

// Adds up the words of the rows, which is less work than reading them.
void read_all(const std::vector<float>& rows) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, rows.data() + i, sizeof(word));
    total += word;
  }
  benchmark::DoNotOptimize(total);
}

// The rows are read once by the kernel and once by the floor in turns, so that whatever else
// uses the memory slows both.
void scan(benchmark::State& state, const std::string& kernel, std::size_t dim, const auto& body) {
  const auto count = static_cast<std::size_t>(state.range(0));
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> query(dim);
  for (float& value : query) value = normal(random);
  std::vector<float> values;
  for (std::size_t i = 0; i < count * dim; ++i) values.push_back(query[(i * 7919) % dim]);
  const VectorRows rows{VectorType::f32, values.data(), nullptr, count, dim};
  std::vector<float> scores(count);
  use_kernel(kernel);
  double scan_seconds = 0;
  double read_seconds = 0;
  for (auto iteration : state) {
    const double seconds = seconds_of([&] { body(query.data(), rows, scores.data()); });
    benchmark::DoNotOptimize(scores.data());
    state.SetIterationTime(seconds);
    scan_seconds += seconds;
    read_seconds += seconds_of([&] { read_all(values); });
  }
  use_kernel("");
  const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(float));
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["of_read"] = read_seconds / scan_seconds;
}

void read_rows(benchmark::State& state) {
  const std::vector<float> rows(static_cast<std::size_t>(state.range(0)) * kDim, 0.5F);
  for (auto iteration : state) read_all(rows);
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(rows.size() * sizeof(float)));
}
BENCHMARK(read_rows)->Arg(50'000)->Arg(500'000)->Unit(benchmark::kMillisecond);

constexpr std::uint32_t kUnits = 500'000;

// A term that one in `every` units holds.
std::vector<Posting> postings_of(std::int64_t every) {
  std::mt19937 random(1);
  std::vector<Posting> postings;
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
    if (random() % static_cast<std::uint64_t>(every) == 0) postings.push_back({unit, 1 + unit % 4});
  }
  return postings;
}

void add_bm25(benchmark::State& state) {
  const std::vector<Posting> postings = postings_of(state.range(0));
  const std::vector<float> damping(kUnits, 1.4F);
  std::vector<float> scores(kUnits);
  for (auto iteration : state) {
    bm25_add(postings, damping, 1, scores);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(postings.size()));
}
BENCHMARK(add_bm25)->Arg(2)->Arg(20)->Arg(1000)->Unit(benchmark::kMicrosecond);

void add_frequencies(benchmark::State& state) {
  const std::vector<Posting> postings = postings_of(state.range(0));
  std::vector<float> scores(kUnits);
  for (auto iteration : state) {
    for (const Posting& posting : postings) {
      scores[posting.unit] += static_cast<float>(posting.frequency);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(postings.size()));
}
BENCHMARK(add_frequencies)->Arg(2)->Arg(20)->Arg(1000)->Unit(benchmark::kMicrosecond);

std::vector<Scored> random_scores(std::int64_t count) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::vector<Scored> items;
  for (std::int64_t i = 0; i < count; ++i) {
    items.push_back({static_cast<std::uint32_t>(i), normal(random)});
  }
  return items;
}

void pick_top(benchmark::State& state) {
  const std::vector<Scored> items = random_scores(state.range(0));
  const auto k = static_cast<std::size_t>(state.range(1));
  for (auto iteration : state) benchmark::DoNotOptimize(top_k(items, k));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(pick_top)
    ->Args({10'000, 10})
    ->Args({500'000, 10})
    ->Args({500'000, 1000})
    ->Unit(benchmark::kMicrosecond);

void copy_scores(benchmark::State& state) {
  const std::vector<Scored> items = random_scores(state.range(0));
  for (auto iteration : state) {
    std::vector<Scored> copy = items;
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(copy_scores)->Arg(10'000)->Arg(500'000)->Unit(benchmark::kMicrosecond);

// A few good pages above many poor ones. `scores` is the number of scores times EM rounds done a
// second; the floor is one exponential each.
void choose_k(benchmark::State& state) {
  std::vector<double> scores;
  for (const Scored& item : random_scores(state.range(0))) {
    scores.push_back(item.score + (item.item % 50 == 0 ? 4 : 0));
  }
  std::sort(scores.rbegin(), scores.rend());
  AdaptiveKOptions options;
  options.window_all = state.range(1) != 0;
  AdaptiveK chosen;
  for (auto iteration : state) {
    chosen = adaptive_k(scores, options);
    benchmark::DoNotOptimize(chosen);
  }
  const double window = options.window_all ? static_cast<double>(scores.size()) : 20;
  state.counters["em_rounds"] = chosen.fit.iterations;
  state.counters["scores"] =
      benchmark::Counter(window * chosen.fit.iterations * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(choose_k)->Args({1000, 0})->Args({10'000, 1})->Unit(benchmark::kMicrosecond);

void exponentials(benchmark::State& state) {
  const std::vector<Scored> items = random_scores(10'000);
  for (auto iteration : state) {
    double sum = 0;
    for (const Scored& item : items) sum += std::exp(-item.score * item.score);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * 10'000);
}
BENCHMARK(exponentials)->Unit(benchmark::kMicrosecond);

void register_kernels() {
  for (const std::string& kernel : dense_kernels()) {
    benchmark::RegisterBenchmark(
        ("dot_rows/" + kernel).c_str(),
        [kernel](benchmark::State& state) { scan(state, kernel, kDim, dot_rows); })
        ->Arg(50'000)
        ->Arg(500'000)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(
        ("hybrid_mask_rows/" + kernel).c_str(),
        [kernel](benchmark::State& state) {
          scan(state, kernel, kPageDim,
               [](const float* query, const VectorRows& rows, float* scores) {
                 hybrid_mask_rows(query, rows, {}, scores);
               });
        })
        ->Arg(100)
        ->Arg(10'000)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace fineprint::score

int main(int argc, char** argv) {
  fineprint::score::register_kernels();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
