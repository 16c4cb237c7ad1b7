// Times scans over the vectors of all pages on a GPU and prints one JSON object a scan.
//
//   benchmark_cuda_scan [--pages 400000] [--dim 3072] [--type float32|float16|bfloat16] [--runs 20]
//
// Line: {"benchmark":"cuda_scan","what" ("hybrid" or "dot"),"type","pages","dim","ms" (the best
// run, from the call to the scores in the program's memory),"gb_per_s" (bytes of the rows over that
// time)}. The rows repeat 4096 random ones. Exit code 77 where there is no GPU or no library of
// kernels for it.
#include <algorithm>
#include <chrono>
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
#include "fineprint/session/score_library.h"

namespace fineprint {
namespace {

constexpr int kNoGpu = 77;
constexpr std::size_t kDifferent = 4096;

using Options = std::map<std::string, std::string>;

Options read_options(const std::vector<std::string>& arguments) {
  Options options = {
      {"--pages", "400000"}, {"--dim", "3072"}, {"--type", "float32"}, {"--runs", "20"}};
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

std::vector<float> random_values(std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

// Every page has one row.
struct Pages {
  score::EncodedRows rows;
  std::vector<std::uint32_t> first;
};

Pages make_pages(const Options& options) {
  const std::size_t count = std::stoul(options.at("--pages"));
  const std::size_t dim = std::stoul(options.at("--dim"));
  const std::size_t different = std::min(count, kDifferent);
  Pages pages{.rows = score::encode_rows(random_values(different * dim), different, dim,
                                         type_named(options.at("--type"))),
              .first = {}};
  const std::size_t row = dim * score::vector_type_bytes(pages.rows.type);
  pages.rows.values.resize(count * row);
  for (std::size_t r = different; r < count; ++r) {
    std::memcpy(pages.rows.values.data() + r * row, pages.rows.values.data() + r % different * row,
                row);
  }
  pages.rows.count = count;
  for (std::uint32_t i = 0; i <= count; ++i) pages.first.push_back(i);
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

void print(const std::string& what, const score::EncodedRows& rows, double ms) {
  std::printf(
      "{\"benchmark\":\"cuda_scan\",\"what\":\"%s\",\"type\":\"%s\",\"pages\":%zu,\"dim\":%zu,"
      "\"ms\":%.4f,\"gb_per_s\":%.1f}\n",
      what.c_str(), std::string(score::vector_type_name(rows.type)).c_str(), rows.count, rows.dim,
      ms, static_cast<double>(rows.values.size()) / ms / 1e6);
  std::fflush(stdout);
}

int run(const Options& options) {
  const score::CudaTable* cuda = session::cuda_scoring();
  if (cuda == nullptr) {
    std::fprintf(stderr, "no GPU, or no %s beside this program\n", score::kCudaLibrary);
    return kNoGpu;
  }
  const Pages pages = make_pages(options);
  const int runs = std::stoi(options.at("--runs"));
  const std::unique_ptr<score::DeviceRows, void (*)(score::DeviceRows*)> there(
      cuda->upload(0, {pages.rows.view(), pages.first}), cuda->release);
  if (there == nullptr) throw Error(ErrorCode::input, "the GPU's memory does not hold the pages");
  const std::vector<float> query = random_values(pages.rows.dim);
  std::vector<float> scores(pages.rows.count);
  print("hybrid", pages.rows,
        best_ms(runs, [&] { cuda->hybrid_mask_rows(*there, query.data(), {}, scores.data()); }));
  print("dot", pages.rows,
        best_ms(runs, [&] { cuda->dot_rows(*there, query.data(), scores.data()); }));
  return 0;
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
