// Times an encoder of page images and prints one JSON object a run.
//
//   benchmark_page_encoder --model DIR [--device cpu] [--dtype auto] [--threads 0] [--pages 8]
//                          [--at-once 8] [--page-size 672x896] [--repeat 3]
//
// Line: {"benchmark":"page_encoder","run","pages","rows" (vectors of all pages),"ms",
// "pages_per_second"}. --pages different random pages are embedded, --at-once in one call, by as
// many threads as the encoder says are worth having. One call before the first run does not count.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/session/load.h"

#include "benchmarks/made_page.h"

namespace fineprint {
namespace {

using Options = std::map<std::string, std::string>;

Options read_options(const std::vector<std::string>& arguments) {
  Options options = {
      {"--model", ""},  {"--device", "cpu"}, {"--dtype", "auto"},        {"--threads", "0"},
      {"--pages", "8"}, {"--at-once", "8"},  {"--page-size", "672x896"}, {"--repeat", "3"}};
  if (arguments.size() % 2 != 0) throw Error(ErrorCode::usage, "every option takes a value");
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (!options.contains(arguments[i])) {
      throw Error(ErrorCode::usage, format("unknown option {}", arguments[i]));
    }
    options[arguments[i]] = arguments[i + 1];
  }
  if (options["--model"].empty()) throw Error(ErrorCode::usage, "--model is missing");
  return options;
}

std::vector<Image> made_pages(const Options& options) {
  const std::string& size = options.at("--page-size");
  const std::size_t cross = size.find('x');
  if (cross == std::string::npos) throw Error(ErrorCode::usage, "--page-size: give WIDTHxHEIGHT");
  const int width = std::stoi(size), height = std::stoi(size.substr(cross + 1));
  std::vector<Image> pages;
  for (unsigned i = 0; i < std::stoul(options.at("--pages")); ++i) {
    pages.push_back(testing::made_page(width, height, i));
  }
  return pages;
}

// Vectors that were made.
std::size_t embed(const models::Encoder& encoder, std::span<const Image> pages,
                  std::size_t at_once) {
  std::atomic<std::size_t> next = 0, rows = 0;
  const auto work = [&] {
    for (std::size_t begin = 0; (begin = next.fetch_add(at_once)) < pages.size();) {
      const std::size_t count = std::min(at_once, pages.size() - begin);
      for (const Matrix& made : encoder.embed_images(pages.subspan(begin, count))) {
        rows += made.rows;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < encoder.calls_at_a_time(); ++i) threads.emplace_back(work);
  }
  return rows;
}

void run(const Options& options) {
  const session::ModelOptions model{.device = {.device = options.at("--device"),
                                               .dtype = options.at("--dtype"),
                                               .threads = std::stoi(options.at("--threads"))}};
  const std::unique_ptr<models::Encoder> encoder =
      session::load_encoder(options.at("--model"), model);
  const std::vector<Image> pages = made_pages(options);
  const std::size_t at_once = std::max(1UL, std::stoul(options.at("--at-once")));
  embed(*encoder, std::span(pages).first(std::min(at_once, pages.size())), at_once);
  for (int i = 1; i <= std::stoi(options.at("--repeat")); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t rows = embed(*encoder, pages, at_once);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::printf(
        "{\"benchmark\":\"page_encoder\",\"run\":%d,\"pages\":%zu,\"rows\":%zu,\"ms\":%.3f,"
        "\"pages_per_second\":%.4f}\n",
        i, pages.size(), rows, passed.count() * 1e3,
        static_cast<double>(pages.size()) / passed.count());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace fineprint

int main(int count, char** arguments) {
  try {
    fineprint::run(fineprint::read_options({arguments + 1, arguments + count}));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
