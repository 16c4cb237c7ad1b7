// Times products with stored matrices beside a plain read of memory and a loop of multiply-adds:
//   benchmark_products [threads [kernel [format [seconds]]]]   (0, "" or -: all cores, best, all)
// Formats are numbered from 0: float32, bfloat16, float16, int8, and 4: bfloat16 with x rounded to
// it, for which the peak is one of the processor's products of bfloat16, on float32 sums.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/threads.h"

#include "benchmarks/plain_read.h"
#include "nets/layers/openmp_loop.h"
#include "nets/products/product.h"
#include "nets/products/rounded.h"

namespace fineprint::nets {
namespace {

using Clock = std::chrono::steady_clock;
using Floats = float __attribute__((vector_size(64)));

constexpr std::size_t kMemory = std::size_t{3} << 29;  // far more than any cache holds

struct Setup {
  int threads = 1;
  double seconds = 0.5;  // of each measurement
  std::unique_ptr<std::uint8_t, decltype(&std::free)> memory{nullptr, &std::free};
  double read = 0, flops = 0;  // bytes and floating-point operations a second
  double rounded_flops = 0;    // of bfloat16
};

// The shortest of the runs that fit into the time; the machine may be doing other things too.
double shortest(double seconds, const std::function<void()>& work) {
  double best = 1e9;
  const auto start = Clock::now();
  for (int run = 0;
       run < 5 || std::chrono::duration<double>(Clock::now() - start).count() < seconds; ++run) {
    const auto before = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - before).count());
  }
  return best;
}

struct Parts {
  int count;
  const std::function<void(int)>& work;
};

// Calls work(part) for each part on the threads that LibTorch uses.
void on_threads(int parts, const std::function<void(int)>& work) {
  Parts all{parts, work};
  fineprint_on_openmp_threads(
      [](void* state, int thread, int threads) {
        const auto& [count, body] = *static_cast<Parts*>(state);
        for (int part = thread; part < count; part += threads) body(part);
      },
      &all);
}

#if defined(__x86_64__)
#define FINEPRINT_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FINEPRINT_CLONES
#endif

FINEPRINT_CLONES void multiply_add(std::int64_t rounds, float start) {
  Floats sums[12];
  for (int i = 0; i < 12; ++i) sums[i] = Floats{} + (start + static_cast<float>(i));
  const Floats factor = sums[0], term = sums[1];
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (auto& sum : sums) sum = sum * factor + term;
  }
  for (const auto& sum : sums) asm volatile("" : : "m"(sum));
}

#if defined(__x86_64__)
using Halves = std::int16_t __attribute__((vector_size(64)));

__attribute__((target("avx512f,avx512bf16"))) void multiply_pairs(std::int64_t rounds) {
  Floats sums[24] = {};  // as many as hide how long one takes
  const Halves ones = Halves{} + std::int16_t{0x3F80};
  for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 24
    for (auto& sum : sums) asm volatile("vdpbf16ps %1, %1, %0" : "+v"(sum) : "v"(ones));
  }
#pragma GCC unroll 24
  for (const auto& sum : sums) asm volatile("" : : "v"(sum));
}
#else
void multiply_pairs(std::int64_t) {}
#endif

// In short runs, of which some are undisturbed on a busy machine, as those of the products are.
void measure_machine(Setup* setup) {
  constexpr std::size_t kStretch = std::size_t{32} << 20;
  const std::size_t part = kStretch / static_cast<std::size_t>(setup->threads) / 256 * 256;
  std::size_t at = 0;
  setup->read =
      static_cast<double>(part) * setup->threads / shortest(2, [&] {
        if (at + kStretch > kMemory) at = 0;
        on_threads(setup->threads, [&](int t) {
          testing::plain_read(setup->memory.get() + at + part * static_cast<std::size_t>(t), part);
        });
        at += kStretch;
      });
  constexpr std::int64_t kRounds = 100'000;
  setup->flops =
      2.0 * 16 * 12 * kRounds * setup->threads / shortest(1, [&] {
        on_threads(setup->threads, [](int t) { multiply_add(kRounds, static_cast<float>(t)); });
      });
  if (rounded_kernel().empty()) return;
  setup->rounded_flops = 4.0 * 16 * 24 * kRounds * setup->threads / shortest(1, [&] {
                           on_threads(setup->threads, [](int) { multiply_pairs(kRounds); });
                         });
}

struct Shape {
  std::int64_t rows, columns;
};

// Vectors and room for what the kernels make of them.
struct Vectors {
  Vectors(std::int64_t how_many, std::int64_t columns, bool is_rounded)
      : count(how_many),
        rounds(is_rounded),
        x(static_cast<std::size_t>(how_many * columns), 0.5F),
        size(rounds ? rounded_size(count, columns) : arranged_size(count, columns)),
        room(std::aligned_alloc(64, static_cast<std::size_t>(size + 16) * 4), &std::free) {}

  std::int64_t count;
  bool rounds;
  std::vector<float> x;
  std::int64_t size;
  std::unique_ptr<void, decltype(&std::free)> room;
};

void multiply(const Setup& setup, const StoredMatrix& weight, const Vectors& vectors, float* y) {
  const std::int64_t parts = setup.threads;
  if (vectors.rounds) {
    auto* words = static_cast<std::uint32_t*>(vectors.room.get());
    const std::int64_t groups = rounded_groups(vectors.count);
    on_threads(setup.threads, [&](int t) {
      round_vectors(vectors.x.data(), vectors.count, weight.columns, groups * t / parts,
                    groups * (t + 1) / parts, words);
    });
    const RoundedProduct product = {weight, words, vectors.count, nullptr, y};
    on_threads(setup.threads, [&](int t) {
      multiply_rounded(product, weight.rows * t / parts, weight.rows * (t + 1) / parts);
    });
    return;
  }
  auto* arranged = static_cast<float*>(vectors.room.get());
  if (vectors.size > 0) {
    arrange_vectors(vectors.x.data(), vectors.count, weight.columns, 0,
                    arranged_groups(vectors.count), arranged);
  }
  const Product product = {weight, vectors.size > 0 ? arranged : vectors.x.data(), vectors.count,
                           nullptr, y};
  on_threads(setup.threads, [&](int t) {
    multiply_rows(product, weight.rows * t / parts, weight.rows * (t + 1) / parts);
  });
}

constexpr int kRounded = 4;
constexpr const char* kFormats[] = {"float32", "bfloat16", "float16", "int8", "bfloat16, rounded"};

// Each call takes the next stretch of memory as its matrix, so that no cache holds any of it.
void measure(const Setup& setup, Shape shape, int number, std::int64_t count) {
  const bool rounds = number == kRounded;
  const MatrixFormat format = rounds ? MatrixFormat::bfloat16 : static_cast<MatrixFormat>(number);
  const std::size_t bytes = static_cast<std::size_t>(shape.rows * shape.columns) *
                            static_cast<std::size_t>(value_bytes(format));
  const Vectors vectors(count, shape.columns, rounds);
  const std::vector<float> scales(
      format == MatrixFormat::int8
          ? static_cast<std::size_t>(shape.rows * (shape.columns / kCodesPerScale))
          : 0,
      0.01F);
  std::vector<float> y(static_cast<std::size_t>(count * shape.rows));
  std::size_t at = 0;
  const double seconds = shortest(setup.seconds, [&] {
    if (at + bytes > kMemory) at = 0;
    const StoredMatrix weight = {format,        setup.memory.get() + at, shape.rows,
                                 shape.columns, shape.columns,           scales.data()};
    at += bytes;
    multiply(setup, weight, vectors, y.data());
  });
  const double rate = static_cast<double>(bytes + 4 * scales.size()) / seconds;
  const double flops = 2.0 * static_cast<double>(shape.rows * shape.columns * count) / seconds;
  std::printf("| %ld x %ld | %s | %ld | %.2f | %.1f | %.0f%% | %.0f | %.0f%% |\n",
              static_cast<long>(shape.rows), static_cast<long>(shape.columns), kFormats[number],
              static_cast<long>(count), seconds * 1e3, rate / 1e9, 100 * rate / setup.read,
              flops / 1e9, 100 * flops / (rounds ? setup.rounded_flops : setup.flops));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  const auto argument = [&](int i) { return argc > i ? std::string(argv[i]) : std::string(); };
  Setup setup;
  setup.threads = std::atoi(argument(1).c_str());
  if (setup.threads <= 0) setup.threads = usable_cores();
  if (!use_product_kernel(argument(2))) {
    std::fprintf(stderr, "this machine cannot run the kernel %s\n", argv[2]);
    return 2;
  }
  if (argc > 4) setup.seconds = std::atof(argv[4]);
  setup.memory.reset(static_cast<std::uint8_t*>(std::aligned_alloc(4096, kMemory)));
  // Values near 1 in each of the formats.
  for (std::size_t i = 0; i < kMemory; i += 2) {
    setup.memory.get()[i] = static_cast<std::uint8_t>(i * 40503 >> 7);
    setup.memory.get()[i + 1] = 0x3C;
  }
  measure_machine(&setup);
  std::printf("kernel %s, %d threads: reads %.1f GB/s, multiplies and adds %.0f GFLOP/s",
              product_kernel().c_str(), setup.threads, setup.read / 1e9, setup.flops / 1e9);
  if (setup.rounded_flops > 0) {
    std::printf("; %s: %.0f", rounded_kernel().c_str(), setup.rounded_flops / 1e9);
  }
  std::printf("\n\n");
  std::printf("| matrix | stored as | vectors | ms | GB/s | of reading | GFLOP/s | of peak |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const Shape shape : {Shape{2048, 2048}, {11008, 2048}, {2048, 11008}, {152000, 2048}}) {
    for (const int format : {0, 1, 2, 3, kRounded}) {
      if (argc > 3 && argv[3][0] != '-' && std::atoi(argv[3]) != format) continue;
      if (format == kRounded && rounded_kernel().empty()) continue;
      for (const std::int64_t vectors : {1, 2, 4, 8, 16, 32, 64, 512}) {
        measure(setup, shape, format, vectors);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace fineprint::nets

int main(int argc, char** argv) { return fineprint::nets::run(argc, argv); }
