// Pages of many files through worker processes, one pass for each line on standard input, so that
// scripts/bench/documents can take turns with its peers: one JSON line a pass.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/core/threads.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/reading/worker.h"

namespace fineprint::documents {
namespace {

constexpr const char* kUsage =
    "benchmark_pages --task raster|words|read [--workers N] [--dpi N] [--pages N] FILE...\n"
    "  read     words, by OCR where a page has none, as `fineprint index` reads\n"
    "  --pages  of each file, at most (raster only)\n";

struct Plan {
  std::string task;
  int workers = usable_cores();
  double dpi = 150;
  int pages = 1'000'000;
  std::vector<std::string> files;
};

Plan read_arguments(int argc, char** argv) {
  Plan plan;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name.rfind("--", 0) != 0 || i + 1 == argc) {
      plan.files.push_back(name);
      continue;
    }
    const char* value = argv[++i];
    if (name == "--task") plan.task = value;
    if (name == "--workers") plan.workers = std::atoi(value);
    if (name == "--dpi") plan.dpi = std::atof(value);
    if (name == "--pages") plan.pages = std::atoi(value);
  }
  return plan;
}

ReadOptions without_ocr() {
  ReadOptions options;
  options.ocr = OcrMode::never;
  return options;
}

ReadOptions options_of(const std::string& task) {
  return task == "read" ? ReadOptions{} : without_ocr();
}

struct Job {
  const std::string* file;
  int page;
};

struct Done {
  std::size_t pages = 0;
  std::size_t found = 0;  // words, or bytes of pictures
};

// As many threads as workers, as whoever needs many pictures does it.
Done draw(const Plan& plan, const std::vector<Job>& jobs, DocumentWorkers& workers) {
  std::atomic<std::size_t> next = 0, bytes = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const Image picture =
          workers.raster(*jobs[i].file, jobs[i].page, plan.dpi, false, without_ocr());
      bytes += picture.pixels.size();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < plan.workers; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return {jobs.size(), bytes};
}

Done read(const Plan& plan, DocumentWorkers& workers) {
  const ReadOptions options = options_of(plan.task);
  Done done;
  for (const std::string& file : plan.files) {
    const DocumentInfo info = workers.info(file, options);
    workers.read_pages(file, info, options, [&](const Page& page) {
      ++done.pages;
      done.found += page.words.size();
    });
  }
  return done;
}

void run(const Plan& plan) {
  DocumentWorkerOptions options;
  options.workers = plan.workers;
  DocumentWorkers workers(options);
  std::vector<Job> jobs;
  for (const std::string& file : plan.files) {
    const int pages = std::min(plan.pages, workers.info(file, without_ocr()).page_count);
    for (int page = 1; page <= pages; ++page) jobs.push_back({&file, page});
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    const Done done = plan.task == "raster" ? draw(plan, jobs, workers) : read(plan, workers);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << "{\"seconds\": " << took.count() << ", \"pages\": " << done.pages
              << ", \"found\": " << done.found << "}" << std::endl;
  }
}

}  // namespace
}  // namespace fineprint::documents

int main(int argc, char** argv) {
  using namespace fineprint::documents;
  if (argc > 1 && std::strcmp(argv[1], kWorkerArgument) == 0)
    return fineprint::reading::run_worker();
  const Plan plan = read_arguments(argc, argv);
  const bool known = plan.task == "raster" || plan.task == "words" || plan.task == "read";
  if (!known || plan.files.empty() || plan.workers < 1) {
    std::cerr << kUsage;
    return 2;
  }
  try {
    run(plan);
  } catch (const fineprint::Error& error) {
    std::cerr << "benchmark_pages: " << error.what() << "\n";
    return 1;
  }
}
