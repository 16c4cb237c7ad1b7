// Times tokens, terms, chunks and quotes over made text. Floors: folding the text for terms and
// quotes, walking its code points for tokens, counting its tokens for chunks, parsing for loading.
#include <sstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/chunk.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "benchmarks/made_text.h"
#include "unit/text/page_maker.h"

namespace fineprint::text {
namespace {

using tokenizer::Tokenizer;

constexpr const char* kTokenizer = FINEPRINT_BENCHMARK_MODEL "/tokenizer.json";
constexpr std::size_t kWordsAPage = 480;
constexpr std::size_t kPages = 100;

const Tokenizer& tokenizer() {
  static const auto loaded = Tokenizer::load(kTokenizer);
  return *loaded;
}

const std::string& long_text() {
  static const std::string text = fineprint::testing::made_text(100'000, 1);
  return text;
}

void over_text(benchmark::State& state, const auto& body) {
  for (auto iteration : state) body(long_text());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(long_text().size()));
}

void load_tokenizer(benchmark::State& state) {
  for (auto iteration : state) benchmark::DoNotOptimize(Tokenizer::load(kTokenizer));
}
void parse_tokenizer_file(benchmark::State& state) {
  for (auto iteration : state) {
    benchmark::DoNotOptimize(parse_json(read_file(kTokenizer), kTokenizer));
  }
}
void encode(benchmark::State& state) {
  std::size_t tokens = 0;
  over_text(state,
            [&](const std::string& text) { tokens += tokenizer().encode(text, true).size(); });
  state.SetItemsProcessed(static_cast<std::int64_t>(tokens));
}
void count_tokens(benchmark::State& state) {
  over_text(state,
            [](const std::string& text) { benchmark::DoNotOptimize(tokenizer().count(text)); });
}
void walk_code_points(benchmark::State& state) {
  over_text(state, [](const std::string& text) {
    char32_t sum = 0;
    for (std::size_t at = 0; at < text.size();) sum += next_code_point(text, &at);
    benchmark::DoNotOptimize(sum);
  });
}
void make_terms(benchmark::State& state) {
  over_text(state, [](const std::string& text) { benchmark::DoNotOptimize(terms(text)); });
}
void fold_text(benchmark::State& state) {
  over_text(state, [](const std::string& text) { benchmark::DoNotOptimize(fold(text)); });
}
BENCHMARK(load_tokenizer)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_tokenizer_file)->Unit(benchmark::kMillisecond);
BENCHMARK(encode)->Unit(benchmark::kMillisecond);
BENCHMARK(count_tokens)->Unit(benchmark::kMillisecond);
BENCHMARK(walk_code_points)->Unit(benchmark::kMillisecond);
BENCHMARK(make_terms)->Unit(benchmark::kMillisecond);
BENCHMARK(fold_text)->Unit(benchmark::kMillisecond);

// A heading and four paragraphs of ten lines.
Page make_page(int number) {
  Page page;
  page.number = number;
  testing::add_element(&page, ElementKind::heading, {"Part " + std::to_string(number)}, 16, 1);
  std::istringstream text(
      fineprint::testing::made_text(kWordsAPage, static_cast<unsigned>(number)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
    if (lines.size() < 10) continue;
    testing::add_element(&page, ElementKind::paragraph, lines, 10, 0, 0);
    lines.clear();
  }
  return page;
}

const std::vector<Page>& pages() {
  static const std::vector<Page> made = [] {
    std::vector<Page> list;
    for (std::size_t i = 1; i <= kPages; ++i) list.push_back(make_page(static_cast<int>(i)));
    return list;
  }();
  return made;
}

void chunk_pages(benchmark::State& state) {
  for (auto iteration : state) {
    benchmark::DoNotOptimize(chunk_document({}, "Annual report", pages(), tokenizer()));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPages));
}
void count_tokens_of_pages(benchmark::State& state) {
  for (auto iteration : state) {
    for (const Page& page : pages()) benchmark::DoNotOptimize(tokenizer().count(page_text(page)));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPages));
}
BENCHMARK(chunk_pages)->Unit(benchmark::kMillisecond);
BENCHMARK(count_tokens_of_pages)->Unit(benchmark::kMillisecond);

void find_last_line(benchmark::State& state) {
  const Page& page = pages()[0];
  const std::string quote = line_text(page, page.lines.back());
  for (auto iteration : state) {
    const auto place = find_quote(page, quote);
    if (!place) state.SkipWithError("the quote is not found");
    benchmark::DoNotOptimize(place);
  }
}
void fold_page(benchmark::State& state) {
  const std::string text = page_text(pages()[0]);
  for (auto iteration : state) benchmark::DoNotOptimize(fold(text));
}
BENCHMARK(find_last_line)->Unit(benchmark::kMicrosecond);
BENCHMARK(fold_page)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fineprint::text

BENCHMARK_MAIN();
