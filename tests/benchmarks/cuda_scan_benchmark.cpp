// Times scans over the vectors of all pages on a GPU and prints one JSON object a scan.
//
//   benchmark_cuda_scan [--pages 400000] [--dim 3072] [--type float32|float16|bfloat16] [--runs 20]
//                       [--late-pages 2000] [--late-rows 1030] [--late-dim 128] [--late-queries 20]
//                       [--device cuda|cpu]
//
// Line: {"benchmark":"cuda_scan","what" ("hybrid", "dot" or "max_sim"),"type","pages","dim","ms"
// (the best run, from the call to the scores in the program's memory),"gb_per_s" (bytes of the rows
// over that time),"apart" (the largest difference from the CPU's scores, over the first pages)}.
// Hybrid mask and products scan --pages of one row each, MaxSim --late-pages of --late-rows. The
// rows repeat 4096 random ones. --device cpu times the CPU's kernels on one thread. Exit code 77
// where there is no GPU or no library of kernels for it; 1 if scores are further apart than 1e-3.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/max_sim.h"
#include "fineprint/session/score_library.h"

namespace fineprint {
namespace {

constexpr int kNoGpu = 77;
constexpr std::size_t kDifferent = 4096;
constexpr std::size_t kCompared = 50;    // pages whose scores the CPU computes, too
constexpr double kFarthestApart = 1e-3;  // of scores of rows of a length of about 1

using Options = std::map<std::string, std::string>;

Options read_options(const std::vector<std::string>& arguments) {
  Options options = {{"--pages", "400000"}, {"--dim", "3072"},        {"--type", "float32"},
                     {"--runs", "20"},      {"--late-pages", "2000"}, {"--late-rows", "1030"},
                     {"--late-dim", "128"}, {"--late-queries", "20"}, {"--device", "cuda"}};
  if (arguments.size() % 2 != 0) throw Error(ErrorCode::usage, "every option takes a value");
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (!options.contains(arguments[i])) {
      throw Error(ErrorCode::usage, format("unknown option {}", arguments[i]));
    }
    options[arguments[i]] = arguments[i + 1];
  }
  return options;
}

score::VectorType type_named(const std::string& name) {
  for (const auto type :
       {score::VectorType::f32, score::VectorType::f16, score::VectorType::bf16}) {
    if (score::vector_type_name(type) == name) return type;
  }
  throw Error(ErrorCode::usage, format("--type: {} is none of float32, float16, bfloat16", name));
}

// Rows of a length of about 1.
std::vector<float> random_rows(std::size_t count, std::size_t dim) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(dim)));
  std::vector<float> values(count * dim);
  for (float& value : values) value = normal(random);
  return values;
}

// Pages of equally many rows.
struct Pages {
  score::EncodedRows rows;
  std::vector<std::uint32_t> first;

  std::size_t count() const { return first.size() - 1; }
  score::VectorBags view(std::size_t pages) const {
    return {rows.view().slice(0, first[pages]), std::span(first).first(pages + 1)};
  }
};

Pages make_pages(std::size_t count, std::size_t rows_each, std::size_t dim,
                 score::VectorType type) {
  const std::size_t rows = count * rows_each, different = std::min(rows, kDifferent);
  Pages pages{.rows = score::encode_rows(random_rows(different, dim), different, dim, type),
              .first = {}};
  const std::size_t row = dim * score::vector_type_bytes(pages.rows.type);
  pages.rows.values.resize(rows * row);
  for (std::size_t r = different; r < rows; ++r) {
    std::memcpy(pages.rows.values.data() + r * row, pages.rows.values.data() + r % different * row,
                row);
  }
  pages.rows.count = rows;
  for (std::size_t p = 0; p <= count; ++p) {
    pages.first.push_back(static_cast<std::uint32_t>(p * rows_each));
  }
  return pages;
}

double best_ms(int runs, const std::function<void()>& scan) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= runs; ++i) {  // the first sets up memory and does not count
    const auto start = std::chrono::steady_clock::now();
    scan();
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start;
    if (i > 0) best = std::min(best, passed.count());
  }
  return best;
}

// A way to score the pages of `there`, on the CPU and on a GPU.
struct Scan {
  std::string what;
  std::function<void(const score::VectorBags& pages, float* scores)> on_cpu;
  std::function<void(score::DeviceRows& there, float* scores)> on_gpu;
};

// Returns false if the scores differ too much from the CPU's.
bool time_scan(const Scan& scan, const Pages& pages, score::DeviceRows* there, int runs) {
  std::vector<float> scores(pages.count());
  const double ms = best_ms(runs, [&] {
    if (there != nullptr) {
      scan.on_gpu(*there, scores.data());
    } else {
      scan.on_cpu(pages.view(pages.count()), scores.data());
    }
  });
  std::vector<float> expected(std::min(pages.count(), kCompared));
  scan.on_cpu(pages.view(expected.size()), expected.data());
  double apart = 0;
  for (std::size_t p = 0; p < expected.size(); ++p) {
    const double difference = std::abs(static_cast<double>(expected[p]) - scores[p]);
    if (!(difference <= apart)) apart = difference;  // also if it is NaN
  }
  const score::EncodedRows& rows = pages.rows;
  std::printf(
      "{\"benchmark\":\"cuda_scan\",\"what\":\"%s\",\"type\":\"%s\",\"pages\":%zu,\"dim\":%zu,"
      "\"ms\":%.4f,\"gb_per_s\":%.1f,\"apart\":%.3g}\n",
      scan.what.c_str(), std::string(score::vector_type_name(rows.type)).c_str(), pages.count(),
      rows.dim, ms, static_cast<double>(rows.values.size()) / ms / 1e6, apart);
  std::fflush(stdout);
  return apart <= kFarthestApart;
}

using Uploaded = std::unique_ptr<score::DeviceRows, void (*)(score::DeviceRows*)>;

Uploaded upload(const score::CudaTable* cuda, const Pages& pages) {
  if (cuda == nullptr) return {nullptr, [](score::DeviceRows*) {}};
  Uploaded there(cuda->upload(0, pages.view(pages.count())), cuda->release);
  if (there == nullptr) throw Error(ErrorCode::input, "the GPU's memory does not hold the pages");
  return there;
}

int run(const Options& options) {
  const std::string& device = options.at("--device");
  if (device != "cuda" && device != "cpu") {
    throw Error(ErrorCode::usage, format("--device: {} is neither cuda nor cpu", device));
  }
  const score::CudaTable* cuda = device == "cpu" ? nullptr : session::cuda_scoring();
  if (device == "cuda" && cuda == nullptr) {
    std::fprintf(stderr, "no GPU, or no %s in the folder of this program\n", score::kCudaLibrary);
    return kNoGpu;
  }
  const auto number = [&](const char* name) { return std::stoul(options.at(name)); };
  const score::VectorType type = type_named(options.at("--type"));
  const int runs = std::stoi(options.at("--runs"));
  bool agree = true;
  {
    const Pages pages = make_pages(number("--pages"), 1, number("--dim"), type);
    const Uploaded there = upload(cuda, pages);
    const std::vector<float> query = random_rows(1, pages.rows.dim);
    for (const Scan& scan : {Scan{"hybrid",
                                  [&](const score::VectorBags& some, float* scores) {
                                    score::hybrid_mask_rows(query.data(), some.rows, {}, scores);
                                  },
                                  [&](score::DeviceRows& rows, float* scores) {
                                    cuda->hybrid_mask_rows(rows, query.data(), {}, scores);
                                  }},
                             Scan{"dot",
                                  [&](const score::VectorBags& some, float* scores) {
                                    score::dot_rows(query.data(), some.rows, scores);
                                  },
                                  [&](score::DeviceRows& rows, float* scores) {
                                    cuda->dot_rows(rows, query.data(), scores);
                                  }}}) {
      agree = time_scan(scan, pages, there.get(), runs) && agree;
    }
  }
  const Pages pages =
      make_pages(number("--late-pages"), number("--late-rows"), number("--late-dim"), type);
  const Uploaded there = upload(cuda, pages);
  Matrix query{number("--late-queries"), pages.rows.dim, {}};
  query.values = random_rows(query.rows, query.cols);
  const Scan max_sim{
      "max_sim",
      [&](const score::VectorBags& some, float* scores) { score::max_sim(query, some, scores); },
      [&](score::DeviceRows& rows, float* scores) { cuda->max_sim(rows, query, scores); }};
  agree = time_scan(max_sim, pages, there.get(), runs) && agree;
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace fineprint

int main(int count, char** arguments) {
  try {
    return fineprint::run(fineprint::read_options({arguments + 1, arguments + count}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
