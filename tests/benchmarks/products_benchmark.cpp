// Times products with stored matrices beside a plain read of memory and a loop of multiply-adds:
//   benchmark_products [threads [kernel [format [seconds]]]]   (0, "" or -: all cores, best, all)
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

#include "nets/products/product.h"

namespace fineprint::nets {
namespace {

using Clock = std::chrono::steady_clock;
using Words = std::uint64_t __attribute__((vector_size(64)));
using Floats = float __attribute__((vector_size(64)));

constexpr std::size_t kMemory = std::size_t{3} << 29;  // far more than any cache holds

struct Setup {
  int threads = 1;
  double seconds = 0.5;  // of each measurement
  std::unique_ptr<std::uint8_t, decltype(&std::free)> memory{nullptr, &std::free};
  double read = 0, flops = 0;  // bytes and floating-point operations a second
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

// Calls work(part) on as many threads as there are parts, as LibTorch does.
void on_threads(int parts, const std::function<void(int)>& work) {
#pragma omp parallel for num_threads(parts) schedule(static, 1)
  for (int part = 0; part < parts; ++part) work(part);
}

#if defined(__x86_64__)
#define FINEPRINT_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FINEPRINT_CLONES
#endif

FINEPRINT_CLONES void read_all(const std::uint8_t* at, std::size_t bytes) {
  Words sums[4] = {};
  for (std::size_t i = 0; i + 256 <= bytes; i += 256) {
    for (std::size_t j = 0; j < 4; ++j) {
      __builtin_prefetch(at + i + 64 * j + 1024);
      sums[j] ^= *reinterpret_cast<const Words*>(at + i + 64 * j);
    }
  }
  const Words all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  asm volatile("" : : "m"(all));
}

FINEPRINT_CLONES void multiply_add(std::int64_t rounds, float start) {
  Floats sums[12];
  for (int i = 0; i < 12; ++i) sums[i] = Floats{} + (start + static_cast<float>(i));
  const Floats factor = sums[0], term = sums[1];
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (auto& sum : sums) sum = sum * factor + term;
  }
  for (const auto& sum : sums) asm volatile("" : : "m"(sum));
}

// In short runs, of which some are undisturbed on a busy machine, as those of the products are.
void measure_machine(Setup* setup) {
  constexpr std::size_t kStretch = std::size_t{32} << 20;
  const std::size_t part = kStretch / static_cast<std::size_t>(setup->threads) / 256 * 256;
  std::size_t at = 0;
  setup->read = static_cast<double>(part) * setup->threads / shortest(2, [&] {
                  if (at + kStretch > kMemory) at = 0;
                  on_threads(setup->threads, [&](int t) {
                    read_all(setup->memory.get() + at + part * static_cast<std::size_t>(t), part);
                  });
                  at += kStretch;
                });
  constexpr std::int64_t kRounds = 100'000;
  setup->flops =
      2.0 * 16 * 12 * kRounds * setup->threads / shortest(1, [&] {
        on_threads(setup->threads, [](int t) { multiply_add(kRounds, static_cast<float>(t)); });
      });
}

struct Shape {
  std::int64_t rows, columns;
};

// Each call takes the next stretch of memory as its matrix, so that no cache holds any of it.
void measure(const Setup& setup, Shape shape, MatrixFormat format, std::int64_t vectors) {
  const std::size_t bytes = static_cast<std::size_t>(shape.rows * shape.columns) *
                            static_cast<std::size_t>(value_bytes(format));
  const auto count = static_cast<std::size_t>(vectors);
  const std::vector<float> x(count * static_cast<std::size_t>(shape.columns), 0.5F);
  const std::vector<float> scales(
      format == MatrixFormat::int8
          ? static_cast<std::size_t>(shape.rows * (shape.columns / kCodesPerScale))
          : 0,
      0.01F);
  std::vector<float> y(count * static_cast<std::size_t>(shape.rows));
  const std::int64_t size = arranged_size(vectors, shape.columns);
  std::unique_ptr<float, decltype(&std::free)> arranged(
      static_cast<float*>(std::aligned_alloc(64, static_cast<std::size_t>(size + 16) * 4)),
      &std::free);
  std::size_t at = 0;
  const double seconds = shortest(setup.seconds, [&] {
    if (at + bytes > kMemory) at = 0;
    const StoredMatrix weight = {format,        setup.memory.get() + at, shape.rows,
                                 shape.columns, shape.columns,           scales.data()};
    at += bytes;
    if (size > 0) {
      arrange_vectors(x.data(), vectors, shape.columns, 0, arranged_groups(vectors),
                      arranged.get());
    }
    const Product product = {weight, size > 0 ? arranged.get() : x.data(), vectors, nullptr,
                             y.data()};
    on_threads(setup.threads, [&](int t) {
      multiply_rows(product, shape.rows * t / setup.threads, shape.rows * (t + 1) / setup.threads);
    });
  });
  const double rate = static_cast<double>(bytes + 4 * scales.size()) / seconds;
  const double flops = 2.0 * static_cast<double>(shape.rows * shape.columns * vectors) / seconds;
  std::printf("| %ld x %ld | %s | %ld | %.2f | %.1f | %.0f%% | %.0f | %.0f%% |\n",
              static_cast<long>(shape.rows), static_cast<long>(shape.columns),
              std::vector<const char*>{"float32", "bfloat16", "float16",
                                       "int8"}[static_cast<std::size_t>(format)],
              static_cast<long>(vectors), seconds * 1e3, rate / 1e9, 100 * rate / setup.read,
              flops / 1e9, 100 * flops / setup.flops);
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
  std::printf("kernel %s, %d threads: reads %.1f GB/s, multiplies and adds %.0f GFLOP/s\n\n",
              product_kernel().c_str(), setup.threads, setup.read / 1e9, setup.flops / 1e9);
  std::printf("| matrix | stored as | vectors | ms | GB/s | of reading | GFLOP/s | of peak |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const Shape shape : {Shape{2048, 2048}, {11008, 2048}, {2048, 11008}, {152000, 2048}}) {
    for (const int format : {0, 1, 2, 3}) {
      if (argc > 3 && argv[3][0] != '-' && std::atoi(argv[3]) != format) continue;
      for (const std::int64_t vectors : {1, 2, 4, 8, 16, 64, 512}) {
        measure(setup, shape, static_cast<MatrixFormat>(format), vectors);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace fineprint::nets

int main(int argc, char** argv) { return fineprint::nets::run(argc, argv); }
