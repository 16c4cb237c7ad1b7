// Times what searches need of a store: postings and pages of 10,000 pages, vectors of 100,000
// pages, the pages of 200,000 chunks; and the writing of documents and vectors.
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include "fineprint/store/store.h"

#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

constexpr int kWordsAPage = 400;
constexpr int kVocabulary = 30'000;

// Word ranks as in running text: the chance of a rank falls with it (Zipf).
int word_rank(std::mt19937& random) {
  const double u = std::uniform_real_distribution<double>(0, 1)(random);
  return static_cast<int>(std::pow(kVocabulary, u)) - 1;
}

Page make_page(int number, std::mt19937& random) {
  Page page;
  page.number = number;
  page.width_pt = 595;
  page.height_pt = 842;
  for (int i = 0; i < kWordsAPage; ++i) {
    const float x = 40.0F + 40.5F * static_cast<float>(i % 12);
    const float y = 40.0F + 13.0F * static_cast<float>(i / 12);
    page.words.push_back({"t" + std::to_string(word_rank(random)), {x, y, x + 37.7F, y + 11}, 10});
  }
  for (std::uint32_t first = 0; first < kWordsAPage; first += 12) {
    const std::uint32_t count = std::min<std::uint32_t>(12, kWordsAPage - first);
    page.lines.push_back({first, count, page.words[first].box});
    Element element;
    element.box = page.words[first].box;
    element.first_line = first / 12;
    element.line_count = 1;
    page.elements.push_back(element);
  }
  return page;
}

FieldIndex make_field(const std::string& name, const std::vector<Page>& pages, int parts) {
  std::map<std::string, std::map<std::uint32_t, std::uint32_t>> counts;
  FieldIndex field{name, {}, {}, {}};
  for (const Page& page : pages) {
    for (int part = 0; part < parts; ++part) {
      const auto unit = static_cast<std::uint32_t>(field.lengths.size());
      const std::size_t size = page.words.size() / static_cast<std::size_t>(parts);
      for (std::size_t i = 0; i < size; ++i) {
        ++counts[page.words[static_cast<std::size_t>(part) * size + i].text][unit];
      }
      field.lengths.push_back(static_cast<std::uint32_t>(size));
    }
  }
  for (const auto& [term, units] : counts) {
    field.terms.push_back(term);
    field.postings.emplace_back();
    for (const auto& [unit, count] : units) field.postings.back().push_back({unit, count});
  }
  return field;
}

NewDocument make_document(int number, int pages, bool with_chunks) {
  std::mt19937 random(static_cast<unsigned>(number) + 1);
  NewDocument out;
  out.row.doc = "folder/document_" + std::to_string(number) + ".pdf";
  out.row.path = "/home/someone/documents/" + out.row.doc;
  out.row.title = "Annual report " + std::to_string(number);
  out.row.hash = out.row.settings = std::string(32, 'a');
  out.row.page_count = pages;
  for (int i = 1; i <= pages; ++i) out.pages.push_back(make_page(i, random));
  out.fields = {make_field("page", out.pages, 1)};
  if (!with_chunks) return out;
  out.fields.push_back(make_field("chunk", out.pages, 4));
  for (const Page& page : out.pages) {
    for (std::uint32_t part = 0; part < 4; ++part) {
      out.chunks.push_back(
          {page.number, part * 100, 100, {0, 0, 1, 1}, "Report > Part", std::string(700, 'x')});
    }
  }
  return out;
}

// A store of `documents` times `pages` pages, made once a program. Ten thousand durable commits
// take minutes on a disk: set TMPDIR to a folder in memory.
const std::string& store_of(int documents, int pages) {
  static std::map<int, std::unique_ptr<fineprint::testing::TempDir>> made;
  static std::map<int, std::string> paths;
  auto& dir = made[documents];
  if (!dir) {
    dir = std::make_unique<fineprint::testing::TempDir>();
    paths[documents] = dir->file("s");
    Store store(paths[documents], Mode::write);
    for (int i = 0; i < documents; ++i) store.put(make_document(i, pages, false));
  }
  return paths[documents];
}

constexpr const char* kTerms[] = {"t3", "t12", "t40", "t90", "t200", "t700", "t2000", "t9000"};

std::size_t read_terms(const Store& store) {
  std::size_t count = 0;
  std::vector<score::Posting> postings;
  for (const auto& segment : store.postings("page")) {
    for (const char* term : kTerms) {
      segment->read(term, &postings);
      count += postings.size();
    }
  }
  return count;
}

// All that `search --scorer bm25` asks of the store: eight terms, from common to rare.
void keyword_search(benchmark::State& state) {
  const auto documents = static_cast<int>(state.range(0));
  const std::string& dir = store_of(documents, 10'000 / documents);
  std::size_t postings = 0;
  for (auto iteration : state) {
    const Store store(dir, Mode::read);
    benchmark::DoNotOptimize(store.documents());
    postings = read_terms(store);
  }
  state.counters["postings"] = static_cast<double>(postings);
}
BENCHMARK(keyword_search)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

template <class Read>
void read_part(benchmark::State& state, Read read) {
  const std::string& dir = store_of(10'000, 1);
  const Store store(dir, Mode::read);
  for (auto iteration : state) read(store);
}
void open_store(benchmark::State& state) {
  const std::string& dir = store_of(10'000, 1);
  for (auto iteration : state) Store(dir, Mode::read);
}
void read_documents(benchmark::State& state) {
  read_part(state, [](const Store& store) { benchmark::DoNotOptimize(store.documents()); });
}
void read_postings(benchmark::State& state) {
  read_part(state, [](const Store& store) { benchmark::DoNotOptimize(read_terms(store)); });
}
void read_page(benchmark::State& state) {
  read_part(state, [](const Store& store) { benchmark::DoNotOptimize(store.page(5000, 1)); });
}
BENCHMARK(open_store)->Unit(benchmark::kMillisecond);
BENCHMARK(read_documents)->Unit(benchmark::kMillisecond);
BENCHMARK(read_postings)->Unit(benchmark::kMillisecond);
BENCHMARK(read_page)->Unit(benchmark::kMicrosecond);

constexpr int kLargeDocuments = 1000;
constexpr std::uint32_t kPagesEach = 100;

// A document of which only what vectors and chunks need is there.
NewDocument make_thin_document(int number) {
  NewDocument out;
  out.row.doc = "document_" + std::to_string(number) + ".pdf";
  out.row.page_count = kPagesEach;
  for (std::uint32_t i = 0; i < kPagesEach; ++i) {
    out.pages.emplace_back();
    out.pages.back().number = static_cast<int>(i) + 1;
    for (int part = 0; part < 2; ++part) {
      out.chunks.push_back(
          {static_cast<int>(i) + 1, 0, 0, {0, 0, 1, 1}, "Report > Part", std::string(700, 'x')});
    }
  }
  return out;
}

VectorSet make_set(const std::string& name, std::size_t dim, bool many) {
  VectorSet set;
  set.name = set.kind = set.model = set.hash = name;
  set.unit = VectorUnit::page;
  set.dim = dim;
  set.many_vectors = many;
  return set;
}

// Parts of eight pages, as an encoder gives them; "late" has three small vectors a page.
void put_large_vectors(Store& store, std::int64_t document) {
  constexpr std::uint32_t kBatch = 8;
  for (std::uint32_t first = 0; first < kPagesEach; first += kBatch) {
    const std::uint32_t count = std::min(kBatch, kPagesEach - first);
    NewVectors page{document, first, count, {}, {count, 64, {}}};
    page.rows.values.assign(count * 64, 0.5F);
    store.put_vectors("page", std::vector{std::move(page)});
    NewVectors late{document, first, count, std::vector<std::uint32_t>(count, 3), {}};
    late.rows = {count * 3, 8, std::vector<float>(count * 24, 0.5F)};
    store.put_vectors("late", std::vector{std::move(late)});
  }
}

// 100,000 pages and 200,000 chunks in 1,000 documents; compacted now and then, as `index` does.
const std::string& large_store() {
  static const fineprint::testing::TempDir dir;
  static const std::string path = [] {
    const std::string at = dir.file("s");
    Store store(at, Mode::write);
    store.register_set(make_set("page", 64, false));
    store.register_set(make_set("late", 8, true));
    for (int i = 0; i < kLargeDocuments; ++i) {
      put_large_vectors(store, store.put(make_thin_document(i)));
      if (i % 50 == 49) store.compact();
    }
    return at;
  }();
  return path;
}

void read_chunk_pages(benchmark::State& state) {
  const Store store(large_store(), Mode::read);
  std::size_t chunks = 0;
  for (auto iteration : state) {
    chunks = 0;
    for (const auto& [document, pages] : store.chunk_pages()) chunks += pages.size();
  }
  state.counters["chunks"] = static_cast<double>(chunks);
}
void read_vectors(benchmark::State& state, const char* set) {
  const Store store(large_store(), Mode::read);
  std::size_t pages = 0;
  for (auto iteration : state) {
    pages = 0;
    for (const VectorBlock& block : store.vectors(set)) pages += block.units;
  }
  state.counters["pages"] = static_cast<double>(pages);
}
void find_missing(benchmark::State& state) {
  const Store store(large_store(), Mode::read);
  for (auto iteration : state) benchmark::DoNotOptimize(store.missing_vectors("late"));
}
void open_large_store(benchmark::State& state) {
  const std::string& dir = large_store();
  for (auto iteration : state) Store(dir, Mode::read);
}
BENCHMARK(read_chunk_pages)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_vectors, one_a_page, "page")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_vectors, many_a_page, "late")->Unit(benchmark::kMillisecond);
BENCHMARK(find_missing)->Unit(benchmark::kMillisecond);
BENCHMARK(open_large_store)->Unit(benchmark::kMillisecond);

// Eight pages of 1,030 vectors of 128 numbers in one call; the argument is the format.
void put_vectors(benchmark::State& state) {
  constexpr const char* kFormats[] = {"float32", "float16", "bfloat16", "int8", "int8+float32"};
  const char* format = kFormats[state.range(0)];
  const fineprint::testing::TempDir dir;
  Store store(dir.file("s"), Mode::write);
  VectorSet set = make_set("late", 128, true);
  set.format = *parse_vector_format(format);
  store.register_set(set);
  NewVectors part{store.put(make_thin_document(0)), 0, 8, std::vector<std::uint32_t>(8, 1030), {}};
  part.rows = {8 * 1030, 128, std::vector<float>(8 * 1030 * 128, 0.125F)};
  const std::vector parts{std::move(part)};
  for (auto iteration : state) store.put_vectors("late", parts);
  state.SetLabel(format);
  state.SetItemsProcessed(state.iterations() * 8);  // pages
}
BENCHMARK(put_vectors)->DenseRange(0, 4)->Unit(benchmark::kMillisecond)->Iterations(20);

// A document of 300 pages with chunks and two fields; the store holds others already.
void put_document(benchmark::State& state) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("s"), Mode::write);
  std::vector<NewDocument> documents;
  for (int i = 0; i < 10; ++i) documents.push_back(make_document(i, 300, true));
  for (const auto& document : documents) store.put(document);
  int number = 0;
  for (auto iteration : state) {
    NewDocument& document = documents[static_cast<std::size_t>(number % 10)];
    document.row.doc = "new_" + std::to_string(number++);
    store.put(document);
  }
  state.counters["terms"] = static_cast<double>(documents[0].fields[0].terms.size());
}
BENCHMARK(put_document)->Unit(benchmark::kMillisecond)->Iterations(10);

}  // namespace
}  // namespace fineprint::store

BENCHMARK_MAIN();
