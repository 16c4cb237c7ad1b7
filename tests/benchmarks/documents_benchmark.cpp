// Times words with boxes, rasters and layout of an annual report. Floor: MuPDF in this process,
// one page after the other, without workers, layout and pages sent through pipes.
#include <cstring>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "fineprint/documents/document_workers.h"
#include "fineprint/pdf/document.h"
#include "fineprint/reading/worker.h"

#include "reading/layout.h"

namespace fineprint::documents {
namespace {

constexpr const char* kReport = FINEPRINT_TEST_DATA "/docs/harbor-annual-report.pdf";
constexpr double kDpi = 150;
const ReadOptions kNoOcr = [] {
  ReadOptions options;
  options.ocr = OcrMode::never;
  return options;
}();

DocumentWorkerOptions with_workers(int workers) {
  DocumentWorkerOptions options;
  options.workers = workers;
  return options;
}

std::size_t read_report(DocumentWorkers* workers, const DocumentInfo& info) {
  std::size_t words = 0;
  workers->read_pages(kReport, info, kNoOcr, [&](const Page& page) { words += page.words.size(); });
  return words;
}

void count_pages(benchmark::State& state, int pages) {
  state.SetItemsProcessed(state.iterations() * pages);
}

// The argument is the number of workers, 0 for one a core; they are started before the clock.
void read_words(benchmark::State& state) {
  DocumentWorkers workers(with_workers(static_cast<int>(state.range(0))));
  const DocumentInfo info = workers.info(kReport, kNoOcr);
  std::size_t words = read_report(&workers, info);
  for (auto iteration : state) words = read_report(&workers, info);
  count_pages(state, info.page_count);
  state.counters["words"] = static_cast<double>(words);
}
void read_words_here(benchmark::State& state) {
  pdf::Document document(kReport, "");
  const int pages = document.info().page_count;
  for (auto iteration : state) {
    for (int i = 1; i <= pages; ++i) benchmark::DoNotOptimize(document.page(i));
  }
  count_pages(state, pages);
}
BENCHMARK(read_words)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(read_words_here)->UseRealTime()->Unit(benchmark::kMillisecond);

void draw_pages(benchmark::State& state) {
  DocumentWorkers workers(with_workers(1));
  const int pages = workers.info(kReport, kNoOcr).page_count;
  for (auto iteration : state) {
    for (int i = 1; i <= pages; ++i) {
      benchmark::DoNotOptimize(workers.raster(kReport, i, kDpi, false, kNoOcr));
    }
  }
  count_pages(state, pages);
}
void draw_pages_here(benchmark::State& state) {
  pdf::Document document(kReport, "");
  const int pages = document.info().page_count;
  for (auto iteration : state) {
    for (int i = 1; i <= pages; ++i) benchmark::DoNotOptimize(document.raster(i, kDpi, false));
  }
  count_pages(state, pages);
}
BENCHMARK(draw_pages)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(draw_pages_here)->UseRealTime()->Unit(benchmark::kMillisecond);

// Layout has no floor of its own; it must stay a small part of reading the words.
void lay_out_pages(benchmark::State& state) {
  pdf::Document document(kReport, "");
  std::vector<pdf::RawPage> pages;
  for (int i = 1; i <= document.info().page_count; ++i) pages.push_back(document.page(i));
  for (auto iteration : state) {
    for (const pdf::RawPage& page : pages) benchmark::DoNotOptimize(reading::lay_out(page));
  }
  count_pages(state, static_cast<int>(pages.size()));
}
BENCHMARK(lay_out_pages)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fineprint::documents

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], fineprint::documents::kWorkerArgument) == 0) {
    return fineprint::reading::run_worker();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
