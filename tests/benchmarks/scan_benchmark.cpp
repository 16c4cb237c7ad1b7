// Times scans over the vectors of all pages beside the plain speed of memory, one JSON line a
// figure, for a script that runs peers on the same machine.
//
//   benchmark_scan [--pages 10000] [--dim 3072] [--type float32|float16|bfloat16|int8]
//                  [--what bandwidth,dot,many,hybrid] [--threads 1] [--runs 7]
//                  [--queries 32] [--mode hybrid] [--kernel NAME]
//
// --what       any of: bandwidth (a read of the rows' memory and nothing else), dot (one query),
//              many (--queries at once), hybrid (--mode cosine|hybrid|dense|sparse|blend|split)
// --threads    share the rows in equal parts
// --runs       of which best and median are told
// --kernel     avx512, avx2 or portable; the best that the machine has when absent
//
// A line: {"benchmark":"scan","what","type","pages","dim","threads","queries","kernel","runs",
// "best_ns_per_page","median_ns_per_page","cpu_ns_per_page","gb_per_s","of_bandwidth"}. best and
// median are of wall-clock times; cpu is the least processor time of a run, all threads together,
// which other programs on the machine disturb less. gb_per_s: bytes of the rows over the best time.
// of_bandwidth: the processor time of the best plain read, which takes turns with the scan and has
// as many threads, over that of the scan.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "fineprint/core/threads.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/hybrid_mask.h"

#include "benchmarks/plain_read.h"
#include "score/vector_rows_aligned.h"

namespace fineprint::score {
namespace {

struct Settings {
  std::size_t pages = 10'000;
  std::size_t dim = 3072;
  VectorType type = VectorType::f32;
  std::string what = "bandwidth,dot,many,hybrid";
  int threads = 1;
  int runs = 7;
  std::size_t queries = 32;
  std::string mode = "hybrid";
};

[[noreturn]] void refuse(const std::string& text) {
  std::cerr << "benchmark_scan: " << text << "; the options are in the head of its source\n";
  std::exit(2);
}

VectorType type_of(const std::string& name) {
  for (const VectorType type :
       {VectorType::f32, VectorType::f16, VectorType::bf16, VectorType::i8}) {
    if (vector_type_name(type) == name) return type;
  }
  refuse("no type " + name);
}

MaskMode mode_of(const std::string& name) {
  static const std::map<std::string, MaskMode> modes = {
      {"cosine", MaskMode::cosine}, {"hybrid", MaskMode::hybrid}, {"dense", MaskMode::dense},
      {"sparse", MaskMode::sparse}, {"blend", MaskMode::blend},   {"split", MaskMode::split}};
  const auto found = modes.find(name);
  if (found == modes.end()) refuse("no mode " + name);
  return found->second;
}

Settings read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) refuse(name + " has no value");
    const std::string value = argv[i + 1];
    if (name == "--pages") {
      settings.pages = std::stoull(value);
    } else if (name == "--dim") {
      settings.dim = std::stoull(value);
    } else if (name == "--type") {
      settings.type = type_of(value);
    } else if (name == "--what") {
      settings.what = value;
    } else if (name == "--threads") {
      settings.threads = std::stoi(value);
    } else if (name == "--runs") {
      settings.runs = std::stoi(value);
    } else if (name == "--queries") {
      settings.queries = std::stoull(value);
    } else if (name == "--mode") {
      settings.mode = value;
    } else if (name == "--kernel") {
      use_kernel(value);
    } else {
      refuse("no option " + name);
    }
  }
  return settings;
}

// `count` vectors of unit length in a random direction, aligned as in a file of the store.
AlignedFloats random_rows(std::size_t count, std::size_t dim, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  // A ring of numbers, entered anywhere: drawing each would take longer than all measuring.
  std::vector<float> ring(1'000'003);
  for (float& value : ring) value = normal(random);
  AlignedFloats values(count * dim);
  for (std::size_t row = 0; row < count; ++row) {
    float* out = values.data() + row * dim;
    std::size_t at = random() % ring.size();
    double squares = 0;
    for (std::size_t i = 0; i < dim; ++i) {
      out[i] = ring[at];
      squares += static_cast<double>(out[i]) * out[i];
      at = at + 1 == ring.size() ? 0 : at + 1;
    }
    const auto length = static_cast<float>(std::sqrt(squares));
    for (std::size_t i = 0; i < dim; ++i) out[i] /= length;
  }
  return values;
}

std::size_t bytes_of(const VectorRows& rows) {
  return rows.count * rows.dim * vector_type_bytes(rows.type);
}

// Calls body(part of rows, its first row) on every thread.
void share(const VectorRows& rows, int threads,
           const std::function<void(const VectorRows&, std::size_t)>& body) {
  const auto parts = static_cast<std::size_t>(threads);
  parallel_for(parts, threads, [&](std::size_t part) {
    const std::size_t first = rows.count * part / parts;
    const std::size_t last = rows.count * (part + 1) / parts;
    body(rows.slice(first, last - first), first);
  });
}

void read_all(const VectorRows& rows, int threads) {
  const std::size_t bytes = bytes_of(rows);
  parallel_for((bytes - 1) / testing::kReadPiece + 1, threads, [&](std::size_t piece) {
    const std::size_t begin = piece * testing::kReadPiece;
    testing::plain_read(rows.row(0) + begin, std::min(testing::kReadPiece, bytes - begin));
  });
}

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Sorted times of one thing, in seconds.
struct Times {
  std::vector<double> wall;
  std::vector<double> cpu;

  void take(const std::function<void()>& body) {
    const double wall_begin = now(CLOCK_MONOTONIC);
    const double cpu_begin = now(CLOCK_PROCESS_CPUTIME_ID);
    body();
    cpu.push_back(now(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin);
    wall.push_back(now(CLOCK_MONOTONIC) - wall_begin);
  }
  void sort() {
    std::sort(wall.begin(), wall.end());
    std::sort(cpu.begin(), cpu.end());
  }
};

struct Measured {
  Times scan;
  Times read;
};

// In turns, so that whatever else uses the memory slows both.
Measured measure(const Settings& settings, const VectorRows& rows,
                 const std::function<void()>& scan) {
  read_all(rows, settings.threads);
  scan();  // once for the caches and the page tables
  Measured measured;
  for (int run = 0; run < settings.runs; ++run) {
    measured.read.take([&] { read_all(rows, settings.threads); });
    measured.scan.take(scan);
  }
  measured.scan.sort();
  measured.read.sort();
  return measured;
}

void report(const Settings& settings, const std::string& what, const VectorRows& rows,
            const std::function<void()>& scan) {
  const auto [scans, reads] = measure(settings, rows, scan);
  const double ns_per_page = 1e9 / static_cast<double>(rows.count);
  const std::size_t queries = what == "many" ? settings.queries : 1;
  std::printf(
      "{\"benchmark\":\"scan\",\"what\":\"%s\",\"type\":\"%s\",\"pages\":%zu,\"dim\":%zu,"
      "\"threads\":%d,\"queries\":%zu,\"kernel\":\"%s\",\"runs\":%d,\"best_ns_per_page\":%.1f,"
      "\"median_ns_per_page\":%.1f,\"cpu_ns_per_page\":%.1f,\"gb_per_s\":%.2f,"
      "\"of_bandwidth\":%.3f}\n",
      what.c_str(), std::string(vector_type_name(rows.type)).c_str(), rows.count, rows.dim,
      settings.threads, queries, dense_kernel().c_str(), settings.runs,
      scans.wall.front() * ns_per_page, scans.wall[scans.wall.size() / 2] * ns_per_page,
      scans.cpu.front() * ns_per_page,
      static_cast<double>(bytes_of(rows)) / scans.wall.front() * 1e-9,
      reads.cpu.front() / scans.cpu.front());
  std::fflush(stdout);
}

void run_dot(const Settings& settings, const VectorRows& rows, const AlignedFloats& query) {
  std::vector<float> scores(rows.count);
  report(settings, "dot", rows, [&] {
    share(rows, settings.threads, [&](const VectorRows& part, std::size_t first) {
      dot_rows(query.data(), part, scores.data() + first);
    });
  });
}

void run_many(const Settings& settings, const VectorRows& rows) {
  const AlignedFloats queries = random_rows(settings.queries, settings.dim, 3);
  std::vector<float> scores(settings.queries * rows.count);
  report(settings, "many", rows, [&] {
    share(rows, settings.threads, [&](const VectorRows& part, std::size_t first) {
      dot_rows_many(queries.data(), settings.queries, part,
                    scores.data() + first * settings.queries);
    });
  });
}

void run_hybrid(const Settings& settings, const VectorRows& rows, const AlignedFloats& query) {
  std::vector<float> scores(rows.count);
  MaskOptions options;
  options.mode = mode_of(settings.mode);
  report(settings, "hybrid", rows, [&] {
    share(rows, settings.threads, [&](const VectorRows& part, std::size_t first) {
      hybrid_mask_rows(query.data(), part, options, scores.data() + first);
    });
  });
}

void run(const Settings& settings) {
  const AlignedFloats values = random_rows(settings.pages, settings.dim, 1);
  const AlignedFloats query = random_rows(1, settings.dim, 2);
  EncodedRows encoded;
  VectorRows rows{VectorType::f32, values.data(), nullptr, settings.pages, settings.dim};
  if (settings.type != VectorType::f32) {
    encoded = encode_rows(values, settings.pages, settings.dim, settings.type);
    rows = encoded.view();
  }
  std::istringstream parts(settings.what);
  for (std::string what; std::getline(parts, what, ',');) {
    if (what == "bandwidth") {
      report(settings, what, rows, [&] { read_all(rows, settings.threads); });
    } else if (what == "dot") {
      run_dot(settings, rows, query);
    } else if (what == "many") {
      run_many(settings, rows);
    } else if (what == "hybrid") {
      run_hybrid(settings, rows, query);
    } else {
      refuse("nothing named " + what + " to measure");
    }
  }
}

}  // namespace
}  // namespace fineprint::score

int main(int argc, char** argv) {
  fineprint::score::run(fineprint::score::read_settings(argc, argv));
}
