// Times keyword search: the making of the index, its size, and the scoring of queries.
//
//   benchmark_bm25 --corpus FILE --queries FILE [--runs N] [--pages-a-document N] [--store DIR]
//                  [--scores FILE]
//
// FILEs hold one page or one query a line: its terms, already stemmed, separated by spaces. Each
// page is one chunk; N pages (100) make a document. DIR keeps the store; an existing one is used as
// it is. --scores writes each query's ten best as "page:score" in one line, pages counted from 0
// and scores as the formula gives them, for comparison with other programs.
//
// Prints JSON lines:
//   {"what":"index","pages","terms","wall_s","cpu_s","bytes"}   not with an existing store; reading
//                                                               the corpus file is not in it
//   {"what":"open","cpu_ms"}            opening the store and the keyword index, per process
//   {"what":"scores","queries","runs","median_ms","p95_ms","max_ms","postings"}   CPU time a query
//   of
//       one thread, the scores of all pages: the least of N runs (5) of each query; postings: how
//       many an average query reads
//   {"what":"query",...}                the same with the ten best pages picked
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "fineprint/score/fusion.h"
#include "fineprint/session/context.h"
#include "fineprint/store/store.h"

#include "retrieve/scorers.h"
#include "support/temp_dir.h"

namespace fineprint {
namespace {

struct Options {
  std::string corpus, queries, store, scores;
  std::size_t runs = 5, pages_a_document = 100;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--corpus") options.corpus = value;
    if (name == "--queries") options.queries = value;
    if (name == "--store") options.store = value;
    if (name == "--scores") options.scores = value;
    if (name == "--runs") options.runs = std::stoul(value);
    if (name == "--pages-a-document") options.pages_a_document = std::stoul(value);
  }
  if (options.corpus.empty() || options.queries.empty()) {
    throw std::runtime_error(
        "usage: benchmark_bm25 --corpus FILE --queries FILE [--runs N] "
        "[--pages-a-document N] [--store DIR] [--scores FILE]");
  }
  return options;
}

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

using Terms = std::vector<std::string>;

std::vector<Terms> read_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Terms> out;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Terms& terms = out.emplace_back();
    for (std::string word; words >> word;) terms.push_back(word);
  }
  return out;
}

store::FieldIndex field_of(const std::vector<Terms>& pages, std::size_t first, std::size_t count) {
  store::FieldIndex field{"chunk", {}, {}, {}};
  std::unordered_map<std::string, std::size_t> place;
  for (std::uint32_t unit = 0; unit < count; ++unit) {
    const Terms& terms = pages[first + unit];
    field.lengths.push_back(static_cast<std::uint32_t>(terms.size()));
    for (const std::string& term : terms) {
      const auto [found, is_new] = place.try_emplace(term, field.terms.size());
      if (is_new) {
        field.terms.push_back(term);
        field.postings.emplace_back();
      }
      auto& postings = field.postings[found->second];
      if (postings.empty() || postings.back().unit != unit) postings.push_back({unit, 0});
      ++postings.back().frequency;
    }
  }
  return field;
}

// Names sort as numbers do, so that the dense number of a page is its line.
store::NewDocument document_of(const std::vector<Terms>& pages, std::size_t first,
                               std::size_t count) {
  store::NewDocument out;
  char name[32];
  std::snprintf(name, sizeof name, "%012zu", first);
  out.row.doc = name;
  out.row.page_count = out.info.page_count = static_cast<int>(count);
  out.pages.resize(count);
  out.chunks.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.pages[i].number = out.chunks[i].page = static_cast<int>(i) + 1;
  }
  out.fields.push_back(field_of(pages, first, count));
  return out;
}

std::uintmax_t bytes_under(const std::string& dir) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

void make_index(const Options& options) {
  constexpr std::size_t kDocumentsACompaction = 64;  // as `fineprint index` does
  const std::vector<Terms> pages = read_lines(options.corpus);
  std::size_t terms = 0, documents = 0;
  for (const Terms& page : pages) terms += page.size();
  const double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  store::Store store(options.store, store::Mode::write);
  for (std::size_t first = 0; first < pages.size(); first += options.pages_a_document) {
    store.put(document_of(pages, first, std::min(options.pages_a_document, pages.size() - first)));
    if (++documents % kDocumentsACompaction == 0) store.compact();
  }
  store.compact();
  std::printf(
      "{\"what\":\"index\",\"pages\":%zu,\"terms\":%zu,\"wall_s\":%.3f,\"cpu_s\":%.3f,"
      "\"bytes\":%ju}\n",
      pages.size(), terms, seconds_of(CLOCK_MONOTONIC) - wall,
      seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu, bytes_under(options.store + "/postings"));
}

retrieve::Query query_of(const Terms& terms) {
  retrieve::Query query;
  for (const std::string& term : terms) {
    auto& known = query.asked_terms;
    if (std::find(known.begin(), known.end(), term) == known.end()) known.push_back(term);
  }
  return query;
}

struct Timed {
  std::vector<double> scores_ms, query_ms;  // of each query, the least
  double postings = 0;
};

// The most that a query's terms can give: what by_bm25 divides by.
double most_of(const session::Corpus& corpus, const retrieve::Query& query, double* postings) {
  double most = 0;
  std::vector<score::Posting> found;
  for (const auto& term : query.weighted_terms()) {
    corpus.keywords().read(term.term, &found);
    const std::size_t count = found.size();
    if (count > 0) most += term.weight * score::bm25_idf(corpus.keywords().unit_count(), count);
    *postings += static_cast<double>(count);
  }
  return most;
}

Timed time_queries(const session::Context& context, const std::vector<Terms>& queries,
                   const Options& options) {
  const session::Corpus& corpus = context.session.corpus();
  const session::Pool pool = corpus.pool({});
  std::ofstream scores(options.scores.empty() ? "/dev/null" : options.scores);
  scores.precision(9);
  Timed out;
  for (const Terms& terms : queries) {
    const retrieve::Query query = query_of(terms);
    double scores_least = std::numeric_limits<double>::infinity(), least = scores_least;
    std::vector<score::Scored> best;
    for (std::size_t run = 0; run < options.runs; ++run) {
      const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
      const retrieve::Ranking ranking = retrieve::by_bm25({context, query, pool, {}, ""});
      scores_least = std::min(scores_least, seconds_of(CLOCK_THREAD_CPUTIME_ID) - start);
      best = score::top_items(ranking.scores, 10);
      least = std::min(least, seconds_of(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    out.scores_ms.push_back(scores_least * 1000);
    out.query_ms.push_back(least * 1000);
    const double most = most_of(corpus, query, &out.postings);
    for (const auto& [item, score] : best) scores << item << ':' << score * most << ' ';
    scores << '\n';
  }
  out.postings /= static_cast<double>(queries.size());
  return out;
}

void print_times(const char* what, std::vector<double> ms, double postings,
                 const Options& options) {
  std::sort(ms.begin(), ms.end());
  std::printf(
      "{\"what\":\"%s\",\"queries\":%zu,\"runs\":%zu,\"median_ms\":%.4f,"
      "\"p95_ms\":%.4f,\"max_ms\":%.4f,\"postings\":%.0f}\n",
      what, ms.size(), options.runs, ms[ms.size() / 2], ms[ms.size() * 95 / 100], ms.back(),
      postings);
}

void search(const Options& options) {
  const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  const store::Store store(options.store, store::Mode::read);
  const session::SessionOptions plain;
  const session::Session session(store, plain);
  session.corpus().keywords();
  std::printf("{\"what\":\"open\",\"cpu_ms\":%.3f}\n",
              (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start) * 1000);
  Trace trace;
  Budget budget;
  const std::vector<Terms> queries = read_lines(options.queries);
  const Timed timed = time_queries({session, trace, budget}, queries, options);
  if (queries.empty()) throw std::runtime_error("there are no queries in " + options.queries);
  print_times("scores", timed.scores_ms, timed.postings, options);
  print_times("query", timed.query_ms, timed.postings, options);
}

}  // namespace
}  // namespace fineprint

int main(int argc, char** argv) {
  try {
    fineprint::Options options = fineprint::read_options(argc, argv);
    const fineprint::testing::TempDir temporary;
    if (options.store.empty()) options.store = temporary.file("store");
    if (!std::filesystem::exists(options.store)) fineprint::make_index(options);
    fineprint::search(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
