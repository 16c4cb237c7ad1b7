// Times late interaction on random unit vectors and prints one JSON object a line: first what the
// processor and the memory can do, then the scan.
//   benchmark_max_sim [--pages 1000] [--rows 1030] [--dim 128] [--query 20] [--type f32] [--k 10]
//                     [--threads 1] [--runs 5] [--kernel NAME] [--seed 1]
// --type: f32, f16, bf16, i8 (max_sim over rows of that type), or i8-exact (ExactMaxSim).
// Times are the shortest of --runs. Machine line: {"kernel", "fma_gflops", "read_gbps"}, of as many
// threads. Scan line: the options, "ms" (wall), "cpu_ms" (of the thread that took most), "gflops"
// (two a multiply-add) and "of_fma_peak" by the latter, "bytes_a_page", and "wrong": pages of the
// first k that differ from float32's.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/max_sim.h"

#include "support/exact_max_sim.h"

namespace fineprint::score {
namespace {

struct Settings {
  std::size_t pages = 1000;
  std::size_t rows = 1030;
  std::size_t dim = 128;
  std::size_t query = 20;
  std::size_t k = 10;
  std::size_t threads = 1;
  std::size_t runs = 5;
  unsigned seed = 1;
  std::string type = "f32";
  std::string kernel;
};

Settings read_options(const std::vector<std::string>& arguments) {
  Settings settings;
  const auto number = [](const std::string& text) { return std::stoul(text); };
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    const std::string& value = arguments[i + 1];
    if (name == "--pages")
      settings.pages = number(value);
    else if (name == "--rows")
      settings.rows = number(value);
    else if (name == "--dim")
      settings.dim = number(value);
    else if (name == "--query")
      settings.query = number(value);
    else if (name == "--k")
      settings.k = number(value);
    else if (name == "--threads")
      settings.threads = number(value);
    else if (name == "--runs")
      settings.runs = number(value);
    else if (name == "--seed")
      settings.seed = static_cast<unsigned>(number(value));
    else if (name == "--type")
      settings.type = value;
    else if (name == "--kernel")
      settings.kernel = value;
    else
      throw Error(ErrorCode::usage, format("unknown option {}", name));
  }
  if (arguments.size() % 2 != 0) throw Error(ErrorCode::usage, "every option takes a value");
  return settings;
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The shortest of the runs. `cpu_ms` is that of the thread that took most: time in which other
// programs had the core is not in it.
struct Times {
  double ms = 1e300;
  double cpu_ms = 1e300;
};

// Runs body(thread) on every thread.
Times fastest(const Settings& settings, const std::function<void(std::size_t)>& body) {
  Times best;
  for (std::size_t run = 0; run < settings.runs; ++run) {
    std::vector<double> cpu(settings.threads);
    const auto timed = [&](std::size_t thread) {
      const double begin = thread_seconds();
      body(thread);
      cpu[thread] = thread_seconds() - begin;
    };
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < settings.threads; ++t) others.emplace_back(timed, t);
    timed(0);
    for (std::thread& thread : others) thread.join();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
    best.ms = std::min(best.ms, wall.count());
    best.cpu_ms = std::min(best.cpu_ms, 1e3 * *std::max_element(cpu.begin(), cpu.end()));
  }
  return best;
}

// Eleven independent chains of multiply-adds in registers, whose latency that hides.
constexpr std::size_t kChains = 11;
constexpr std::size_t kSteps = 1'000'000;
using Lanes8 = float __attribute__((vector_size(32)));
using Lanes16 = float __attribute__((vector_size(64)));

#if defined(__x86_64__)
#define FINEPRINT_CHAINS(name, lanes, isa, instruction)                                      \
  __attribute__((target(isa))) void name() {                                                 \
    lanes sums[kChains] = {};                                                                \
    lanes factor = {};                                                                       \
    for (std::size_t i = 0; i < kSteps; ++i) {                                               \
      _Pragma("GCC unroll 11") for (auto& sum : sums) asm volatile(instruction : "+v"(sum) : \
                                                                   "v"(factor));             \
    }                                                                                        \
  }
FINEPRINT_CHAINS(chains_avx512, Lanes16, "avx512f", "vfmadd231ps %1, %1, %0")
FINEPRINT_CHAINS(chains_avx2, Lanes8, "avx2,fma", "vfmadd231ps %1, %1, %0")
#endif

// 0 where it is not known.
double fma_gflops(const Settings& settings) {
#if defined(__x86_64__)
  const std::string kernel = dense_kernel();
  const bool wide = kernel.starts_with("avx512");
  if (!wide && kernel != "avx2") return 0;
  const double ms =
      fastest(settings, [&](std::size_t) { wide ? chains_avx512() : chains_avx2(); }).cpu_ms;
  const double flops = 2.0 * (wide ? 16 : 8) * static_cast<double>(kChains * kSteps);
  return flops * static_cast<double>(settings.threads) / ms / 1e6;
#else
  return settings.threads == 0 ? 1 : 0;
#endif
}

// libc's own kernel reads every byte of 128 MiB a thread, looking for one that is not there.
double read_gbps(const Settings& settings) {
  const std::vector<char> bytes(std::size_t{128} << 20, 'a');
  volatile bool found = false;
  const double ms = fastest(settings, [&](std::size_t) {
                      if (std::memchr(bytes.data(), 'b', bytes.size()) != nullptr) found = true;
                    }).cpu_ms;
  return static_cast<double>(bytes.size() * settings.threads) / ms / 1e6;
}

std::vector<float> unit_vectors(std::size_t count, std::size_t dim, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count * dim);
  for (std::size_t r = 0; r < count; ++r) {
    float* row = values.data() + r * dim;
    double squares = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      row[d] = normal(random);
      squares += static_cast<double>(row[d]) * row[d];
    }
    for (std::size_t d = 0; d < dim; ++d) row[d] /= static_cast<float>(std::sqrt(squares));
  }
  return values;
}

// The share of the pages that a thread scans.
VectorBags part(const VectorBags& pages, std::size_t thread, std::size_t threads) {
  const std::size_t begin = pages.pages() * thread / threads;
  const std::size_t end = pages.pages() * (thread + 1) / threads;
  return {pages.rows, pages.first.subspan(begin, end - begin + 1)};
}

class Scan {
 public:
  explicit Scan(const Settings& settings)
      : settings_(settings),
        values_(unit_vectors(settings.pages * settings.rows, settings.dim, settings.seed)),
        query_{settings.query, settings.dim,
               unit_vectors(settings.query, settings.dim, settings.seed + 1)},
        scores_(settings.pages, -INFINITY) {
    for (std::size_t p = 0; p <= settings.pages; ++p) {
      first_.push_back(static_cast<std::uint32_t>(p * settings.rows));
    }
    exact_ = {
        {VectorType::f32, values_.data(), nullptr, settings.pages * settings.rows, settings.dim},
        first_};
    encoded_ = encode_rows(values_, exact_.rows.count, settings.dim, type());
    coded_ = {encoded_.view(), first_};
    if (settings.type == "i8-exact") errors_ = fineprint::testing::page_errors(coded_, exact_);
  }

  nlohmann::ordered_json measure(double peak) {
    const bool rescored = settings_.type == "i8-exact";
    const Times times = rescored ? fastest(settings_, [&](std::size_t t) { top_pages(t); })
                                 : fastest(settings_, [&](std::size_t t) { all_pages(t); });
    const double gflops = 2e-6 * static_cast<double>(exact_.rows.count * settings_.dim) *
                          static_cast<double>(settings_.query) / times.cpu_ms;
    const std::size_t scale_bytes = encoded_.scales.empty() ? 0 : sizeof(float);
    return {{"type", settings_.type},
            {"kernel", dense_kernel()},
            {"pages", settings_.pages},
            {"rows", settings_.rows},
            {"dim", settings_.dim},
            {"query", settings_.query},
            {"k", settings_.k},
            {"threads", settings_.threads},
            {"runs", settings_.runs},
            {"ms", times.ms},
            {"cpu_ms", times.cpu_ms},
            {"gflops", gflops},
            {"of_fma_peak", peak > 0 ? gflops / peak : 0},
            {"bytes_a_page",
             settings_.rows * (settings_.dim * vector_type_bytes(type()) + scale_bytes)},
            {"wrong", wrong(rescored)}};
  }

 private:
  VectorType type() const {
    if (settings_.type == "f32") return VectorType::f32;
    if (settings_.type == "f16") return VectorType::f16;
    if (settings_.type == "bf16") return VectorType::bf16;
    if (settings_.type == "i8" || settings_.type == "i8-exact") return VectorType::i8;
    throw Error(ErrorCode::usage, format("unknown type {}", settings_.type));
  }

  std::size_t begin(std::size_t thread) const {
    return settings_.pages * thread / settings_.threads;
  }
  void all_pages(std::size_t thread) {
    max_sim(query_, part(coded_, thread, settings_.threads), scores_.data() + begin(thread));
  }
  // The k best of each thread's share hold the k best of all.
  void top_pages(std::size_t thread) {
    const VectorBags codes = part(coded_, thread, settings_.threads);
    const auto best = fineprint::testing::exact_max_sim_top_k(
        query_, codes, std::span(errors_).subspan(begin(thread), codes.pages()),
        part(exact_, thread, settings_.threads), settings_.k);
    for (const Scored& page : best) {
      scores_[begin(thread) + page.item] = static_cast<float>(page.score);
    }
  }

  std::vector<Scored> ranked(const std::vector<float>& scores) const {
    std::vector<Scored> items;
    for (std::uint32_t p = 0; p < scores.size(); ++p) items.push_back({p, scores[p]});
    return top_k(items, settings_.k);
  }
  // Exact scores must be float32's to the last bit.
  std::size_t wrong(bool rescored) const {
    std::vector<float> truth(settings_.pages);
    max_sim(query_, exact_, truth.data());
    const auto expected = ranked(truth);
    const auto found = ranked(scores_);
    std::size_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      count += rescored ? found[i] != expected[i] : found[i].item != expected[i].item;
    }
    return count;
  }

  Settings settings_;
  std::vector<float> values_;
  Matrix query_;
  std::vector<float> scores_;
  std::vector<std::uint32_t> first_;
  std::vector<float> errors_;
  EncodedRows encoded_;
  VectorBags exact_;
  VectorBags coded_;
};

int run(const std::vector<std::string>& arguments) {
  const Settings settings = read_options(arguments);
  use_kernel(settings.kernel);
  const double peak = fma_gflops(settings);
  const nlohmann::ordered_json machine{
      {"kernel", dense_kernel()}, {"fma_gflops", peak}, {"read_gbps", read_gbps(settings)}};
  std::puts(machine.dump().c_str());
  std::puts(Scan(settings).measure(peak).dump().c_str());
  return 0;
}

}  // namespace
}  // namespace fineprint::score

int main(int count, char** arguments) {
  try {
    return fineprint::score::run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
