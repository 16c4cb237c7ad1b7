// Reads pictures of pages by OCR over document workers, as `fineprint index` does, and
// writes their words: benchmark_ocr OUT.tsv DPI PICTURE... (see scripts/bench/ocr, which holds the
// clock).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "fineprint/core/threads.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/reading/worker.h"

namespace fineprint::documents {
namespace {

struct PageWords {
  std::vector<Word> words;
  std::string problem;
};

class PictureRun {
 public:
  PictureRun(double dpi, const std::vector<std::string>& paths)
      : paths_(paths), readings_(paths.size()) {
    options_.ocr = OcrMode::always;
    if (dpi > 0) options_.ocr_dpi = dpi;
  }

  const std::vector<PageWords>& run() {
    parallel_for(paths_.size(), usable_cores(), [this](std::size_t i) { read(i); });
    return readings_;
  }

 private:
  void read(std::size_t i) {
    const DocumentInfo info = workers_.info(paths_[i], options_);
    workers_.read_pages(paths_[i], info, options_, [&](Page page) {
      readings_[i] = {std::move(page.words), std::move(page.problem)};
    });
  }

  std::vector<std::string> paths_;
  std::vector<PageWords> readings_;
  DocumentWorkers workers_;
  ReadOptions options_;
};

int write(const std::string& path, const std::vector<PageWords>& readings) {
  std::ofstream out(path);
  int failed = 0;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i].problem.empty()) {
      std::fprintf(stderr, "picture %zu: %s\n", i + 1, readings[i].problem.c_str());
      ++failed;
    }
    for (const Word& word : readings[i].words) {
      out << i << '\t' << word.box.x0 << '\t' << word.box.y0 << '\t' << word.box.x1 << '\t'
          << word.box.y1 << '\t' << word.text << '\n';
    }
  }
  return failed == 0 && out.good() ? 0 : 1;
}

}  // namespace
}  // namespace fineprint::documents

int main(int argc, char** argv) {
  using namespace fineprint::documents;
  if (argc > 1 && std::strcmp(argv[1], kWorkerArgument) == 0)
    return fineprint::reading::run_worker();
  if (argc < 4) {
    std::fputs("usage: benchmark_ocr OUT.tsv DPI PICTURE... (DPI 0: the default)\n", stderr);
    return 2;
  }
  PictureRun run(std::atof(argv[2]), std::vector<std::string>(argv + 3, argv + argc));
  return write(argv[1], run.run());
}
