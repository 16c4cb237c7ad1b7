// Times whole searches over a made store of many pages, one JSON line a way to search.
//
//   benchmark_search [--pages 100000] [--dim 3072] [--runs 7] [--threads 1] [--gpu 0]
//
// A line: {"benchmark":"search","what","pages","dim","threads","first_ms","best_ms","scorer_ms",
// "rest_ms"}. first: with everything that a new process reads; best: of the runs after it, of which
// `scorer` is what the scorers themselves took and `rest` all else (fusion, the choice of K). The
// question's vector is given, so no model is loaded. The store lies in the temporary folder.
//
// --gpu 1: each way also with the vectors in a GPU's memory; those lines have "device":"cuda", and
// "apart": how far any page's score lies from the CPU's. Ends with 1 when one lies farther than
// sums in another order explain, or a page is found by one of the two alone and lies farther from
// the other's last one; with 3 when there is no GPU, or no library for it beside this program.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <string_view>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/score_library.h"

#include "support/fake_encoders.h"
#include "support/temp_dir.h"

namespace fineprint {
namespace {

constexpr const char* kQuestion = "word1 zword";
constexpr int kPagesADocument = 100;
constexpr int kNoGpu = 3;

struct Sizes {
  int pages = 100'000;
  int dim = 3072;
  int runs = 7;
  int threads = 1;
  int gpu = 0;
};

std::vector<float> random_values(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

store::NewDocument made_document(int number) {
  store::NewDocument out;
  out.row.doc = format("d{}.pdf", number);
  out.row.page_count = out.info.page_count = kPagesADocument;
  store::FieldIndex field{"chunk", {format("word{}", number % 7), "zword"}, {{}, {}}, {}};
  for (int p = 1; p <= kPagesADocument; ++p) {
    Page page;
    page.number = p;
    out.pages.push_back(page);
    Chunk chunk;
    chunk.page = p;
    chunk.text = "word";
    out.chunks.push_back(chunk);
    const auto unit = static_cast<std::uint32_t>(p - 1);
    if ((p * 31 + number) % 7 < 3) field.postings[0].push_back({unit, 1 + unit % 3});
    field.postings[1].push_back({unit, 1});
    field.lengths.push_back(5 + unit % 9);
  }
  out.fields = {field};
  return out;
}

void fill(store::Store& store, const Sizes& sizes) {
  store::VectorSet set;
  set.name = set.kind = set.hash = "page";
  set.unit = store::VectorUnit::page;
  set.dim = static_cast<std::size_t>(sizes.dim);
  store.register_set(set);
  std::mt19937 random(1);
  for (int d = 0; d < sizes.pages / kPagesADocument; ++d) {
    store::NewVectors vectors;
    vectors.document = store.put(made_document(d));
    vectors.units = kPagesADocument;
    vectors.rows = {kPagesADocument, set.dim, random_values(kPagesADocument * set.dim, random)};
    store.put_vectors("page", std::span(&vectors, 1));
  }
  store.compact();
}

retrieve::SearchOptions asking(std::vector<std::string> scorers, retrieve::Fusion fusion) {
  retrieve::SearchOptions options;
  options.scorers = std::move(scorers);
  options.fusion = fusion;
  options.adaptive = true;
  return options;
}

std::map<std::string, retrieve::SearchOptions> ways() {
  using enum retrieve::Fusion;
  std::map<std::string, retrieve::SearchOptions> out = {
      {"page", asking({"page"}, weighted)},
      {"page, window all", asking({"page"}, weighted)},
      {"hybrid-mask, shortlist", asking({"hybrid-mask"}, weighted)},
      {"hybrid-mask, full", asking({"hybrid-mask"}, weighted)},
      {"bm25", asking({"bm25"}, weighted)},
      {"bm25, page", asking({"bm25", "page"}, weighted)},
      {"bm25, page, rrf", asking({"bm25", "page"}, rrf)},
      {"bm25, page, union", asking({"bm25", "page"}, union_of_lists)},
  };
  out["page, window all"].adaptive_options.window_all = true;
  out["hybrid-mask, full"].mask.full = true;
  return out;
}

struct Timed {
  double ms = 0;
  double scorer_ms = 0;
  std::vector<retrieve::FoundPage> found;
};

Timed timed(const session::Session& session, const retrieve::SearchOptions& options) {
  Trace trace(true);
  Budget budget;
  session::Context context{session, trace, budget};
  Timed out;
  const auto start = std::chrono::steady_clock::now();
  out.found = retrieve::search(context, kQuestion, options);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  out.ms = took.count();
  for (const Json& step : Json::parse(trace.to_json())) {
    if (step.value("step", "") != "adaptive_k") out.scorer_ms += step.value("ms", 0.0);
  }
  return out;
}

// How far the score of any page lies from that of the same page in `expected`; where that is not
// there, from the last one's, which it then must be near to.
double apart(const std::vector<retrieve::FoundPage>& got,
             const std::vector<retrieve::FoundPage>& expected) {
  if (got.empty() || expected.empty()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (const retrieve::FoundPage& page : got) {
    const auto same = std::ranges::find(expected, page.page, &retrieve::FoundPage::page);
    const auto& other = same == expected.end() ? expected.back() : *same;
    most = std::max(most, std::abs(page.score - other.score));
  }
  return most;
}

// The best run; prints its line. `expected`: what the CPU finds, or nullptr.
Timed measure(const store::Store& store, const std::string& name,
              const retrieve::SearchOptions& options, const Sizes& sizes, const std::string& device,
              const Timed* expected) {
  std::mt19937 random(2);
  testing::FakeModel model{
      "page", {{kQuestion, {random_values(static_cast<std::size_t>(sizes.dim), random)}}}};
  const session::Session session(
      store, {.model = {.device = {device, "auto", sizes.threads}}},
      std::make_unique<testing::FakeEncoders>(
          std::map<std::string, testing::FakeModel>{{"", std::move(model)}}));
  const double first = timed(session, options).ms;
  Timed best;
  best.ms = std::numeric_limits<double>::infinity();
  for (int run = 0; run < sizes.runs; ++run) {
    best = std::min(best, timed(session, options), [](auto& a, auto& b) { return a.ms < b.ms; });
  }
  Json line = {{"benchmark", "search"},       {"what", name},
               {"pages", sizes.pages},        {"dim", sizes.dim},
               {"threads", sizes.threads},    {"device", device},
               {"first_ms", first},           {"best_ms", best.ms},
               {"scorer_ms", best.scorer_ms}, {"rest_ms", best.ms - best.scorer_ms}};
  if (expected != nullptr) line["apart"] = apart(best.found, expected->found);
  std::printf("%s\n", dump_json(line).c_str());
  std::fflush(stdout);
  return best;
}

// Whether the GPU, where it is asked for, finds what the CPU finds.
bool measure_way(const store::Store& store, const std::string& name,
                 const retrieve::SearchOptions& options, const Sizes& sizes) {
  const Timed cpu = measure(store, name, options, sizes, "cpu", nullptr);
  if (sizes.gpu == 0) return true;
  const Timed gpu = measure(store, name, options, sizes, "cuda", &cpu);
  // As the tests of the kernels allow: a dimension at a threshold of the mask may fall to either
  // side. Fused scores are standardised, which spreads them.
  return apart(gpu.found, cpu.found) <= 2e-3 && apart(cpu.found, gpu.found) <= 2e-3;
}

Sizes read_sizes(int count, char** arguments) {
  Sizes sizes;
  const std::map<std::string_view, int*> places = {{"--pages", &sizes.pages},
                                                   {"--dim", &sizes.dim},
                                                   {"--runs", &sizes.runs},
                                                   {"--threads", &sizes.threads},
                                                   {"--gpu", &sizes.gpu}};
  for (int i = 1; i + 1 < count; i += 2) {
    const auto place = places.find(arguments[i]);
    if (place == places.end()) {
      std::fprintf(stderr, "unknown option %s; see the head of search_benchmark.cpp\n",
                   arguments[i]);
      std::exit(2);
    }
    *place->second = std::atoi(arguments[i + 1]);
  }
  return sizes;
}

}  // namespace
}  // namespace fineprint

int main(int count, char** arguments) {
  using namespace fineprint;
  const Sizes sizes = read_sizes(count, arguments);
  if (sizes.gpu != 0 && session::cuda_scoring() == nullptr) {
    std::fprintf(stderr, "no GPU, or no %s beside this program\n", score::kCudaLibrary);
    return kNoGpu;
  }
  const testing::TempDir dir;
  {
    store::Store writer(dir.file("store"), store::Mode::write);
    fill(writer, sizes);
  }
  const store::Store store(dir.file("store"), store::Mode::read);
  bool same = true;
  for (const auto& [name, options] : ways()) same &= measure_way(store, name, options, sizes);
  return same ? 0 : 1;
}
