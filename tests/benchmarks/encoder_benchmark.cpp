// Times the text encoder on 64 passages of about 120 tokens. Floor: multiply-adds that never leave
// the registers (`of_peak` is the share of their speed, a core, that the encoder reaches).
//   benchmark_encoder made-texts N            prints N made-up texts of 20 to 250 words, as JSON
//   benchmark_encoder turns SPEC THREADS FILE embeds the texts of a JSON list once for each line
//                                             that it reads, and prints a line of JSON each time
// The first line of `turns` tells the number of tokens and the peak of one core.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/session/load.h"

#include "benchmarks/made_text.h"

namespace fineprint {
namespace {

constexpr std::size_t kPassages = 64;
constexpr std::size_t kTokens = 120;

// Passages of 118 to 120 tokens by the encoder's own tokenizer, the special ones counted.
std::vector<std::string> make_passages(const tokenizer::Tokenizer& tokenizer) {
  std::vector<std::string> passages;
  for (unsigned i = 0; i < kPassages; ++i) {
    const std::string text = testing::made_text(kTokens, i);
    const std::vector<tokenizer::Token> tokens = tokenizer.encode(text, false);
    passages.push_back(text.substr(0, tokens[kTokens - 3].end));  // the text is ASCII
  }
  return passages;
}

template <class Vector>
[[gnu::always_inline]] inline double multiply_add(long rounds) {
  constexpr int kChains = 12;  // enough to hide the latency, few enough for the registers
  Vector sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = Vector{} + static_cast<float>(i);  // none alike
  const volatile float unknown = 0.5F;  // so that no compiler computes the loop in advance
  const Vector factor = Vector{} + unknown;
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = sums[i] * factor + factor;
  }
  for (int i = 1; i < kChains; ++i) sums[0] += sums[i];
  float first = sums[0][0];
  benchmark::DoNotOptimize(first);
  return 2.0 * kChains * static_cast<double>(sizeof(Vector) / sizeof(float)) *
         static_cast<double>(rounds);
}

using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));
[[gnu::target("avx2,fma")]] double multiply_add_avx2(long rounds) {
  return multiply_add<Floats8>(rounds);
}
[[gnu::target("avx512f")]] double multiply_add_avx512(long rounds) {
  return multiply_add<Floats16>(rounds);
}

// Operations a second of processor time, as the encoder's are counted: other programs on the
// machine do not matter. 0 on a machine without AVX2.
double peak_flops() {
  constexpr long kRounds = 50'000'000;
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  if (!wide && __builtin_cpu_supports("avx2") == 0) return 0;
  const std::clock_t begin = std::clock();
  const double operations = wide ? multiply_add_avx512(kRounds) : multiply_add_avx2(kRounds);
  return operations * CLOCKS_PER_SEC / static_cast<double>(std::clock() - begin);
}

// Two operations a weight of the matrices, and the two products of attention.
double operations_a_token(const models::TextEncoder& facts) {
  const double hidden = facts.hidden;
  return 2.0 * facts.layers *
         (4 * hidden * hidden + 2 * hidden * facts.intermediate +
          2 * static_cast<double>(kTokens) * hidden);
}

std::unique_ptr<models::TextOnlyEncoder> load(const std::string& spec, int threads) {
  session::ModelOptions options;
  options.device.device = "cpu";
  options.device.threads = threads;
  return session::load_text_encoder(spec, options);
}

void embed_passages(benchmark::State& state) {
  const std::string dir = FINEPRINT_BENCHMARK_MODEL;
  const auto encoder = load(dir, 0);
  const std::vector<std::string> passages = make_passages(encoder->tokenizer());
  std::size_t tokens = 0;
  for (const std::string& passage : passages) {
    tokens += encoder->tokenizer().encode(passage, true).size();
  }
  encoder->embed(passages, models::TextRole::passage);  // the first call sets up threads and memory
  const double peak = peak_flops();
  const std::clock_t begin = std::clock();  // of all threads
  for (auto iteration : state) {
    benchmark::DoNotOptimize(encoder->embed(passages, models::TextRole::passage));
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double total = static_cast<double>(tokens) * static_cast<double>(state.iterations());
  const double operations =
      operations_a_token(std::get<models::TextEncoder>(models::read_model(dir).trunk));
  state.SetItemsProcessed(static_cast<std::int64_t>(total));
  state.counters["passages"] = benchmark::Counter(
      static_cast<double>(kPassages * state.iterations()), benchmark::Counter::kIsRate);
  state.counters["peak_gflops"] = peak / 1e9;
  if (peak > 0) state.counters["of_peak"] = total * operations / seconds / peak;
}
BENCHMARK(embed_passages)->UseRealTime()->MinTime(5)->Unit(benchmark::kMillisecond);

void print_made_texts(unsigned count) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> words(20, 250);
  Json texts = Json::array();
  for (unsigned i = 0; i < count; ++i) texts.push_back(testing::made_text(words(random), i));
  std::cout << texts << "\n";
}

// As the model reads them: cut at its limit.
std::size_t count_tokens(const models::TextOnlyEncoder& encoder, const std::string& spec,
                         const std::vector<std::string>& texts) {
  const auto limit = static_cast<std::size_t>(models::read_encoder(spec).prompt.max_tokens);
  std::size_t tokens = 0;
  for (const std::string& text : texts) {
    tokens += std::min(limit, encoder.tokenizer().encode(text, true).size());
  }
  return tokens;
}

void take_turns(const std::string& spec, int threads, const std::string& file) {
  const auto texts = Json::parse(read_file(file)).get<std::vector<std::string>>();
  const auto encoder = load(spec, threads);
  const std::size_t tokens = count_tokens(*encoder, spec, texts);
  std::cout << Json{{"tokens", tokens}, {"flops", peak_flops()}} << "\n" << std::flush;
  for (std::string line; std::getline(std::cin, line);) {
    const std::clock_t cpu = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    const Matrix rows = encoder->embed(texts, models::TextRole::passage);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const double seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    const std::span<const float> first = rows.row(0);
    std::cout << Json{{"wall", wall.count()},
                      {"cpu", seconds},
                      {"first", std::vector<float>(first.begin(), first.end())}}
              << "\n"
              << std::flush;
  }
}

}  // namespace
}  // namespace fineprint

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "made-texts" && argc == 3) {
    fineprint::print_made_texts(static_cast<unsigned>(std::stoul(argv[2])));
    return 0;
  }
  if (what == "turns" && argc == 5) {
    fineprint::take_turns(argv[2], std::stoi(argv[3]), argv[4]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
